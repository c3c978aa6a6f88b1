// All shelves of a game: the special offers lying down, then one section a shelf, all of them one group of radios.
import { Fragment } from 'react';
import type { Goods, LimitProductInfo, PackOffer, Shelf, ThirdGift } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { BundleBox } from './cards/BundleBox.tsx';
import { GoodsCard } from './cards/GoodsCard.tsx';
import { PackLine } from './cards/PackLine.tsx';
import { fillShelves, groupGifts, listSpecials, readLimit } from './rules.ts';
import { useNow } from './use-now.ts';
import { useBrand } from '#web/platform/brand.ts';
import styles from './goods.module.css';

/** Cards of a phone's first screen. */
const IN_VIEW = 4;

export type GoodsShelvesProps = {
  shelves: readonly Shelf[];
  goods: readonly Goods[];
  gifts: readonly ThirdGift[];
  limits: readonly LimitProductInfo[];
  /** Whether limits are known or on their way: limited goods keep a line for them, so that nothing moves. */
  hasLimits?: boolean;
  selected: string | null;
  /** At the end of the first headline: where one pays. */
  headEnd?: React.ReactNode;
  onSelect: (goods: Goods, art: Element | null) => void;
};

export function GoodsShelves({
  shelves,
  goods,
  gifts,
  limits,
  hasLimits = false,
  selected,
  headEnd,
  onSelect,
}: GoodsShelvesProps) {
  useLanguage();
  const now = useNow(limits.some((limit) => limit.next_pay_time > 0));
  const giftsOf = groupGifts(gifts);
  const limitOf = new Map(limits.map((limit) => [limit.product_id, readLimit(limit, now)]));
  const unitOf = new Map(shelves.map((shelf) => [shelf.typeKey, shelf.unit]));
  const specials = listSpecials(goods);
  const chosenPack = goods.find(({ value }) => value === selected)?.offer;
  const isSpecialLast = useBrand().look.stage === 'split';
  const card = (one: Goods, isWide: boolean, isEager: boolean) => (
    <GoodsCard
      key={one.value}
      goods={one}
      unit={one.unit ?? unitOf.get(one.typeKey) ?? ''}
      gifts={giftsOf.get(one.value) ?? []}
      limit={limitOf.get(one.value) ?? null}
      isLimited={hasLimits && one.isLimit}
      isSelected={one.value === selected}
      isWide={isWide}
      isEager={isEager}
      line={lineOf(one, isWide, chosenPack)}
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
      {fillShelves(shelves, goods).map((shelf, index) => (
        <Fragment key={shelf.typeKey}>
          <section className={styles.section} aria-labelledby={`shelf-${shelf.typeKey}`}>
            <div className={styles.head}>
              <h2 className="voice" id={`shelf-${shelf.typeKey}`}>
                {shelf.display}
              </h2>
              {index === 0 && headEnd}
            </div>
            <div className={styles.goods} role="radiogroup" aria-labelledby={`shelf-${shelf.typeKey}`}>
              {shelf.goods.map((one, place) => card(one, false, index === 0 && place < IN_VIEW))}
            </div>
          </section>
          {isSpecialLast && index === 0 && special}
        </Fragment>
      ))}
      <p className={styles.tax}>{t('goods.tax')}</p>
    </>
  );
}

/** @param chosenPack the pack that is ticked: the next larger one says what it takes to get there */
function lineOf({ offer, bundle }: Goods, isWide: boolean, chosenPack: PackOffer | undefined) {
  if (isWide && bundle) return <BundleBox bundle={bundle} />;
  const isNext = chosenPack !== undefined && offer?.total === chosenPack.total + chosenPack.next_count;
  return offer && <PackLine offer={offer} from={isNext && offer !== chosenPack ? chosenPack : undefined} />;
}
