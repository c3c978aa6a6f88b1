// How long something still stands: "Ends in 2 h 04 min", in the last hour to the second. The end is by the visitor's
// clock (see clock.ts), so a wrong clock counts right.
import { useEffect, useState } from 'react';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel/time.ts';
import { t, useLanguage } from './i18n.ts';

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** "2 h 04 min", "3 d 04 h", "09:59" below an hour. */
export function showLeft(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return t('offer.left_days', { days, hours: twoDigits(hours) });
  if (hours > 0) return t('offer.left_hours', { hours, minutes: twoDigits(minutes) });
  return `${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

/** @param endsAt epoch milliseconds of this browser's clock */
export function EndsIn({ endsAt }: { endsAt: number }) {
  useLanguage();
  const [now, setNow] = useState(() => Date.now());
  // By the second only where seconds are shown; a clock that moves asks for eyes.
  const isClose = endsAt - now < HOUR_MS;
  useEffect(() => {
    const renew = () => setNow(Date.now());
    const timer = setInterval(renew, isClose ? SECOND_MS : MINUTE_MS / 2);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [isClose]);
  const left = showLeft(endsAt - now);
  const [before = '', after = ''] = t('offer.ends_in', { time: '\u0000' }).split('\u0000');
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums' }} role="timer" aria-live="off">
      {before}
      <bdi>{left}</bdi>
      {after}
    </span>
  );
}
