// Durations and the parts of a countdown. No clock: the present is always a parameter.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/**
 * Days, hours and minutes until a moment; anything under a minute counts as one minute, the past as nothing.
 * @source specification section 9, "Limited purchase"
 */
export function waitParts(waitMs: number): { days: number; hours: number; minutes: number } {
  if (waitMs <= 0) return { days: 0, hours: 0, minutes: 0 };
  const minutes = Math.max(1, Math.floor(waitMs / MINUTE_MS));
  return { days: Math.floor(minutes / 1440), hours: Math.floor((minutes % 1440) / 60), minutes: minutes % 60 };
}

/**
 * Year/month/day hour:minute with the offset from UTC, in the viewer's own offset: "2026/11/21 20:05 UTC+9".
 * @param offsetMinutes minutes east of UTC
 * @source specification section 9, "Time display"
 */
export function showTime(epochMs: number, offsetMinutes: number): string {
  const local = new Date(epochMs + offsetMinutes * MINUTE_MS);
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = `${local.getUTCFullYear()}/${pad(local.getUTCMonth() + 1)}/${pad(local.getUTCDate())}`;
  const sign = offsetMinutes < 0 ? '-' : '+';
  const hours = Math.floor(Math.abs(offsetMinutes) / 60);
  const rest = Math.abs(offsetMinutes) % 60;
  return (
    `${date} ${pad(local.getUTCHours())}:${pad(local.getUTCMinutes())} ` +
    `UTC${sign}${hours}${rest ? `:${pad(rest)}` : ''}`
  );
}

/** Minutes east of UTC in a zone at a moment, summer time included. @param timeZone IANA name */
export function zoneOffset(epochMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(epochMs);
  // "GMT+05:30", and "GMT" alone for none.
  const [, sign = '+', hours = '0', minutes = '0'] =
    /([+-])(\d+):(\d+)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
