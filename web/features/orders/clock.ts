// Times of day as every order shows them: a 24-hour clock in the viewer's own zone.
import { type Language, toBcp47 } from '#kernel/languages.ts';
import { SECOND_MS } from '#kernel/time.ts';

const PARTS = { hour: '2-digit', minute: '2-digit' } as const;

/** "14:02". @param epochMs epoch milliseconds */
export function showClock(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString('en-GB', PARTS);
}

/** "14:02:07". @param epochMs epoch milliseconds */
export function showSeconds(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString('en-GB', { ...PARTS, second: '2-digit' });
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
