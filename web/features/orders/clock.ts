// Times of day as every order shows them: a 24-hour clock in the viewer's own zone.

/** "14:02". @param epochMs epoch milliseconds */
export function showClock(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
