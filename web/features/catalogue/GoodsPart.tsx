// The goods of a game in each of their states: loading, there, none, failed.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Goods, LimitProductInfo, ThirdGift } from '#contracts/catalogue.ts';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { afterPaint } from '#web/platform/lazy/later.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { track } from '#web/platform/visitor/track.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { CountryPicker } from './CountryPicker.tsx';
import { GoodsShelves, type GoodsShelvesProps } from './GoodsShelves.tsx';
import { GoodsSkeleton } from './GoodsSkeleton.tsx';
import { listSpecials } from './rules.ts';
import { type Place, useFirstBonuses, useGifts, useGoods, useLimits } from './queries.ts';

export type GoodsPartProps = {
  place: Place;
  /** Whose limits count; null before a character is chosen. */
  role: { role_id: string; server_id: string; area_id: string } | null;
  /**
   * Holds the open offers by product: the map stays the same until an offer changes, for the cards are remembered by
   * it.
   */
  deals?: GoodsShelvesProps['deals'];
  marks?: GoodsShelvesProps['marks'];
  selected: string | null;
  onSelect: (goods: Goods) => void;
  /** Moves what was chosen from its card into the order. */
  onFly?: ((card: HTMLElement) => void) | undefined;
};

const NO_GOODS: readonly Goods[] = [];
const NO_GIFTS: readonly ThirdGift[] = [];
const NO_LIMITS: readonly LimitProductInfo[] = [];
/** Turns true with the first picture of the page: goods that come later are drawn at once. */
let hasDrawn = false;

export function GoodsPart({ place, role, deals, marks, selected, onSelect, onFly }: GoodsPartProps) {
  useLanguage();
  const goods = useGoods(place);
  const gifts = useGifts(place.clientId);
  const limits = useLimits(place.clientId, role);
  const firsts = useFirstBonuses(place.clientId, role, goods.data?.list ?? NO_GOODS);
  const user = useUser();
  // A choice draws the page anew, and with it `onSelect`; the cards are remembered by a function that stays the same.
  const page = useRef({ selected, onSelect, onFly });
  useLayoutEffect(() => {
    page.current = { selected, onSelect, onFly };
  });
  const pressed = useRef<HTMLElement>(null);
  const press = useCallback((one: Goods, card: HTMLElement) => {
    pressed.current = card;
    // The card has answered the finger already; the rest of the page follows in the next task.
    afterPaint(() => {
      track('goods_choose', { product_id: one.value, price_minor: one.price_minor, currency: one.currency });
      // Another press came before it.
      if (pressed.current !== card) return;
      // At once: a radio that answers a frame later looks broken to a finger and to a reader.
      flushSync(() => page.current.onSelect(one));
      page.current.onFly?.(card);
      // The page did not take it: a limit was used up meanwhile.
      const input = card.querySelector('input');
      if (input && page.current.selected !== one.value) input.checked = false;
    });
  }, []);
  // The goods come a picture after what stands above them: both in one would hold a phone up for too long.
  const isDue = useDeferredValue(true, hasDrawn);
  useEffect(() => {
    hasDrawn = true;
  }, []);
  const picker = <CountryPicker />;
  if (goods.isError && !goods.data) {
    const retry = <Button onClick={() => void goods.refetch()}>{t('goods.retry')}</Button>;
    return <VoidState art="st-error" title={t('goods.error_title')} text={tellFault(goods.error)} action={retry} />;
  }
  if (!goods.data) return <GoodsSkeleton />;
  if (!isDue) return <GoodsSkeleton specials={listSpecials(goods.data.list).map((one) => one.value)} />;
  if (goods.data.list.length === 0) return <VoidState art="st-empty" title={t('goods.tip_no_data')} action={picker} />;
  return (
    <GoodsShelves
      shelves={goods.data.shelves}
      goods={goods.data.list}
      gifts={gifts.data?.list ?? NO_GIFTS}
      limits={limits.data?.list ?? NO_LIMITS}
      hasLimits={user !== null}
      {...(deals && { deals })}
      marks={marks}
      firsts={firsts}
      selected={selected}
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
