// Moments as players read them, in their own zone.
import { showTime } from '#kernel/time.ts';

/**
 * "2026/11/21 20:05 UTC+9". Isolated from left to right, so that it stays whole inside an Arabic sentence.
 * @param epochMs epoch milliseconds
 */
export function showMoment(epochMs: number): string {
  return `\u2066${showTime(epochMs, -new Date(epochMs).getTimezoneOffset())}\u2069`;
}
