// /selectGoods has two faces: the goods, and the gift tab.
import { Suspense } from 'react';
import { isGiftShown } from '#web/features/layout/bars/TopTabs.tsx';
import { paths } from '#web/paths.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import type { Page } from '#web/platform/router/router.ts';
import { useSearch } from '#web/platform/router/Router.tsx';

const GiftScreen = lazyPart(() => import('./gift.tsx').then((module) => module.GiftScreen));

/** @param Goods the page of a version that sells goods */
export function withGiftTab(Goods: Page): Page {
  function GoodsOrGift() {
    const { tab } = useSearch();
    if (!isGiftShown(paths.selectGoods, tab)) return <Goods />;
    return (
      <Suspense>
        <GiftScreen />
      </Suspense>
    );
  }
  return Goods.preload ? Object.assign(GoodsOrGift, { preload: Goods.preload }) : GoodsOrGift;
}
