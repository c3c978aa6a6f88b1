// The goods of a game in each of their states: loading, there, none, failed.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Goods, LimitProductInfo, ThirdGift } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { afterPaint } from '#web/platform/lazy/later.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { track } from '#web/platform/visitor/track.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { CountryPicker } from './CountryPicker.tsx';
import { flyToOrder } from './fly.ts';
import { GoodsShelves, type GoodsShelvesProps } from './GoodsShelves.tsx';
import { GoodsSkeleton } from './GoodsSkeleton.tsx';
import { type Place, useFirstBonuses, useGifts, useGoods, useLimits } from './queries.ts';

export type GoodsPartProps = {
  place: Place;
  /** Whose limits count; null before a character is chosen. */
  role: { role_id: string; server_id: string; area_id: string } | null;
  /** What is on offer now, by product: stays the same until it changes, for the cards are remembered by it. */
  deals?: GoodsShelvesProps['deals'];
  selected: string | null;
  onSelect: (goods: Goods) => void;
};

const NO_GOODS: readonly Goods[] = [];
const NO_GIFTS: readonly ThirdGift[] = [];
const NO_LIMITS: readonly LimitProductInfo[] = [];

export function GoodsPart({ place, role, deals, selected, onSelect }: GoodsPartProps) {
  useLanguage();
  const goods = useGoods(place);
  const gifts = useGifts(place.clientId);
  const limits = useLimits(place.clientId, role);
  const firsts = useFirstBonuses(place.clientId, role, goods.data?.list ?? NO_GOODS);
  const user = useUser();
  /** Pressed, and not yet the page's choice. */
  const [pressed, setPressed] = useState<string | null>(null);
  // A choice draws the page anew, and with it `onSelect`; the cards are remembered by a function that stays the same.
  const select = useRef(onSelect);
  useLayoutEffect(() => {
    select.current = onSelect;
  });
  const press = useCallback((one: Goods, art: Element | null) => {
    // The card answers the finger at once; the rest of the page follows in the next task.
    setPressed(one.value);
    afterPaint(() => {
      track('goods_choose', { product_id: one.value, price_minor: one.price_minor, currency: one.currency });
      flyToOrder(art, () => {
        select.current(one);
        setPressed((now) => (now === one.value ? null : now));
      });
    });
  }, []);
  const picker = <CountryPicker />;
  if (goods.isError && !goods.data) {
    const retry = <Button onClick={() => void goods.refetch()}>{t('goods.retry')}</Button>;
    return <VoidState art="st-error" title={t('goods.error_title')} text={t('goods.error_text')} action={retry} />;
  }
  if (!goods.data) return <GoodsSkeleton />;
  if (goods.data.list.length === 0) return <VoidState art="st-empty" title={t('goods.tip_no_data')} action={picker} />;
  return (
    <GoodsShelves
      shelves={goods.data.shelves}
      goods={goods.data.list}
      gifts={gifts.data?.list ?? NO_GIFTS}
      limits={limits.data?.list ?? NO_LIMITS}
      hasLimits={user !== null}
      {...(deals && { deals })}
      firsts={firsts}
      selected={pressed ?? selected}
      headEnd={picker}
      onSelect={press}
    />
  );
}

/** Reads goods, limits and first-purchase bonuses again: after a purchase, or when a price has changed. */
export function useRefreshGoods(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['goods'] });
    void client.invalidateQueries({ queryKey: ['limits'] });
    void client.invalidateQueries({ queryKey: ['first-bonus'] });
  };
}
