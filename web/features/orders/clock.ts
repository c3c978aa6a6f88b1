// Times of orders where a line is short: today's by the clock, others as everywhere; 24 hours, the viewer's own zone.
import { type Language, toBcp47 } from '#kernel/languages.ts';
import { SECOND_MS } from '#kernel/time.ts';
import { showMoment } from '#web/platform/moment.ts';

const PARTS = { hour: '2-digit', minute: '2-digit' } as const;

/**
 * "14:02" of today, else "2026/11/21 14:02 UTC+9"; decision 69.
 * @param epochMs epoch milliseconds
 */
export function showClock(epochMs: number, now: number = Date.now()): string {
  return isSameDay(epochMs, now) ? new Date(epochMs).toLocaleTimeString('en-GB', PARTS) : showMoment(epochMs);
}

/** "14:02:07" of today, else as above. @param epochMs epoch milliseconds */
export function showSeconds(epochMs: number, now: number = Date.now()): string {
  if (!isSameDay(epochMs, now)) return showMoment(epochMs);
  return new Date(epochMs).toLocaleTimeString('en-GB', { ...PARTS, second: '2-digit' });
}

/** In the viewer's zone. */
function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Our choice: what took longer is no boast, and its times stand in the receipt. */
const LONGEST_MS = 100 * SECOND_MS;

/**
 * Seconds from payment to delivery, "2.8" or "2,8" as the language writes it, in western digits; null where one of
 * the times is missing or it took long. Times are the server's, epoch ms.
 */
export function showTaken(paidAt: number, deliveredAt: number, language: Language): string | null {
  const takenMs = deliveredAt - paidAt;
  if (paidAt <= 0 || deliveredAt <= 0 || takenMs < 0 || takenMs >= LONGEST_MS) return null;
  // "0.0 s" reads like a fault.
  const seconds = Math.max(takenMs, SECOND_MS / 10) / SECOND_MS;
  return seconds.toLocaleString(`${toBcp47(language)}-u-nu-latn`, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}
