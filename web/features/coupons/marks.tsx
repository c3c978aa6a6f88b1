// The mark of a card whose goods take a coupon of the player's.
import { type ReactNode, useMemo } from 'react';
import { showOff } from '#web/platform/coupon/show-off.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import type { CouponPlace } from './queries.ts';
import { useBestRates } from './use-coupon.ts';

/** By product; each mark stays the same until it changes, for cards are remembered by it. */
export function useCouponMarks(
  gpId: string,
  place: Pick<CouponPlace, 'region' | 'country'>,
): ReadonlyMap<string, ReactNode> {
  const language = useLanguage();
  const rates = useBestRates(gpId, place);
  return useMemo(
    () => new Map([...rates].map(([id, rate]) => [id, drawMark(showOff(rate, language))])),
    [rates, language],
  );
}

const drawMark = (percent: string) => (
  <Chip tone="accent" icon="ticket">
    <span className="vh">{t('coupon.title')}: </span>
    <span>{t('coupon.off', { percent })}</span>
  </Chip>
);
