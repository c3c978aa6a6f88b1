// All shelves of a game: the special offers lying down, then one section a shelf, all of them one group of radios.
import { Fragment, startTransition, useEffect, useMemo, useState } from 'react';
import type { Goods, LimitProductInfo, PackOffer, Shelf, ThirdGift } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useTaxIncluded } from '#web/platform/region.ts';
import { type Deal, GoodsCard } from './cards/GoodsCard.tsx';
import { fillShelves, groupGifts, listSpecials, listUncompared, readLimit } from './rules.ts';
import { useNow } from './use-now.ts';
import { useBrand } from '#web/platform/brand.ts';
import styles from './goods.module.css';

const NO_GIFTS: readonly ThirdGift[] = [];
const NO_DEALS: ReadonlyMap<string, Deal> = new Map();

/** Cards of a phone's first screen. */
const IN_VIEW = 4;
/** Our choice: what is drawn at first is two rows of a desktop; of a phone two rows, and one under special offers. */
const AT_FIRST = { wide: 6, narrow: IN_VIEW, underSpecials: 2 };
/** Our choice: narrower pages are phones', which show two cards side by side at most. */
const NARROW_PX = 640;

export type GoodsShelvesProps = {
  shelves: readonly Shelf[];
  goods: readonly Goods[];
  gifts: readonly ThirdGift[];
  limits: readonly LimitProductInfo[];
  /** Is true when limits are known or on their way: limited goods keep a line for them, so that nothing moves. */
  hasLimits?: boolean;
  /** Holds the open offers by product. */
  deals?: ReadonlyMap<string, Deal>;
  /** Drawn beside the flags of cards, by product: each stays the same until it changes. */
  marks?: ReadonlyMap<string, React.ReactNode> | undefined;
  /** Goods whose first-purchase bonus the player can have; null: not known yet. */
  firsts?: ReadonlySet<string> | null;
  selected: string | null;
  /** At the end of the first headline: where one pays. */
  headEnd?: React.ReactNode;
  onSelect: (goods: Goods, card: HTMLElement) => void;
};

export function GoodsShelves({
  shelves,
  goods,
  gifts,
  limits,
  hasLimits = false,
  deals = NO_DEALS,
  marks,
  firsts,
  selected,
  headEnd,
  onSelect,
}: GoodsShelvesProps) {
  useLanguage();
  const isTaxIncluded = useTaxIncluded();
  const now = useNow(limits.some((limit) => limit.next_pay_time > 0));
  // The cards are remembered by what they are given, so it stays the same until it changes.
  const giftsOf = useMemo(() => groupGifts(gifts), [gifts]);
  const limitOf = useMemo(
    () => new Map(limits.map((limit) => [limit.product_id, readLimit(limit, now)])),
    [limits, now],
  );
  const unitOf = new Map(shelves.map((shelf) => [shelf.typeKey, shelf.unit]));
  const specials = listSpecials(goods);
  const uncompared = listUncompared(goods, firsts ?? null, deals);
  const chosen = goods.find(({ value }) => value === selected);
  const chosenPack = chosen && !uncompared.has(chosen.typeKey) ? chosen.offer : undefined;
  const isSpecialLast = useBrand().look.stage === 'split';
  // Goods below the first screen are drawn right after it, the first shelf before the others: each of the three is
  // short enough for a press to come between.
  const [drawn, setDrawn] = useState(0);
  useEffect(() => {
    if (drawn < 2) startTransition(() => setDrawn(drawn + 1));
  }, [drawn]);
  const isFirstWhole = drawn > 0;
  const isWhole = drawn > 1;
  const filled = fillShelves(shelves, goods);
  const shown = isWhole ? filled : filled.slice(0, 1);
  const isUnderSpecials = specials.length > 0 && !isSpecialLast;
  const atFirst = AT_FIRST[innerWidth >= NARROW_PX ? 'wide' : isUnderSpecials ? 'underSpecials' : 'narrow'];
  const card = (one: Goods, isWide: boolean, isEager: boolean) => (
    <GoodsCard
      key={one.value}
      goods={one}
      deal={deals.get(one.value) ?? null}
      mark={marks?.get(one.value)}
      unit={one.unit ?? unitOf.get(one.typeKey) ?? ''}
      gifts={giftsOf.get(one.value) ?? NO_GIFTS}
      limit={limitOf.get(one.value) ?? null}
      isLimited={hasLimits && one.isLimit}
      hasFirst={firsts?.has(one.value) === true}
      isSelected={one.value === selected}
      isWide={isWide}
      isEager={isEager}
      isCompared={!uncompared.has(one.typeKey)}
      from={stepTo(one, chosenPack)}
      onSelect={onSelect}
    />
  );
  const special = specials.length > 0 && (
    <section className={styles.section} aria-labelledby="shelf-special">
      <h2 className={isSpecialLast ? `voice ${styles.special}` : 'vh'} id="shelf-special">
        {t('goods.special')}
      </h2>
      <div className={styles.shelf} role="radiogroup" aria-labelledby="shelf-special">
        {specials.map((one) => card(one, true, !isSpecialLast))}
      </div>
    </section>
  );
  return (
    <>
      {!isSpecialLast && special}
      {shown.map((shelf, index) => (
        <Fragment key={shelf.typeKey}>
          <section className={styles.section} aria-labelledby={`shelf-${shelf.typeKey}`}>
            <div className={styles.head}>
              <h2 className="voice" id={`shelf-${shelf.typeKey}`}>
                {shelf.display}
              </h2>
              {index === 0 && headEnd}
            </div>
            <div className={styles.goods} role="radiogroup" aria-labelledby={`shelf-${shelf.typeKey}`}>
              {(isFirstWhole ? shelf.goods : shelf.goods.slice(0, atFirst)).map((one, place) =>
                card(one, false, index === 0 && place < IN_VIEW),
              )}
            </div>
          </section>
          {isSpecialLast && index === 0 && special}
        </Fragment>
      ))}
      {/* Keeps what follows out of sight until then, so that nothing in view moves. */}
      {!isWhole && <div className={styles.rest} />}
      {isTaxIncluded && <p className={styles.tax}>{t('goods.tax')}</p>}
    </>
  );
}

/** The ticked pack, for the next larger one. */
function stepTo({ offer }: Goods, chosenPack: PackOffer | undefined): PackOffer | undefined {
  const isNext = chosenPack !== undefined && offer?.total === chosenPack.total + chosenPack.next_count;
  return isNext && offer !== chosenPack ? chosenPack : undefined;
}
