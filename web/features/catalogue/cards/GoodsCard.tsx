// One thing to buy: a label around a radio, drawn as an object with its price under it. Which of the
// three kinds of card it is, and
// how it lies in the page, is the style sheet's alone.
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { FirstBonus, Goods, PackOffer, ThirdGift } from '#contracts/catalogue.ts';
import { EndsIn } from '#web/platform/EndsIn.tsx';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { Signed } from '#web/ui/figures/Signed.tsx';
import { nameOfGifts, tellFirst } from '#web/features/catalogue/goods-name.ts';
import { canBuy, type LimitState, tellLimit } from '#web/features/catalogue/rules.ts';
import { BundleBox } from './BundleBox.tsx';
import { LimitPips } from './LimitPips.tsx';
import { PackLine } from './PackLine.tsx';
import styles from './card.module.css';

const FLAGS = { best_value: 'goods.best_value' } as const;

/** Another price of these goods for a while. `endsAt`: epoch milliseconds of this browser's clock, 0 for no end. */
export type Deal = {
  readonly name: string;
  readonly price_shown: string;
  readonly was_shown: string;
  readonly off_percent: number;
  readonly endsAt: number;
};

export type GoodsCardProps = {
  goods: Goods;
  deal?: Deal | null;
  /** A coupon of the player that these goods take; not beside a deal, which takes its place. */
  mark?: ReactNode;
  /** The shelf's counted unit ("Crystals"). */
  unit: string;
  gifts: readonly ThirdGift[];
  limit: LimitState | null;
  /** Has a line for its limit, also before it is known and after it is used up. */
  isLimited?: boolean;
  /** The first purchase of it brings the player a bonus. */
  hasFirst?: boolean;
  isSelected: boolean;
  /** The special offer: a stage as wide as the page. */
  isWide?: boolean;
  /** False where a bonus or a deal makes "best" and "more" untrue on its shelf. */
  isCompared?: boolean;
  /** In view at once: its picture is not put off. */
  isEager?: boolean;
  /** The pack that is ticked, on the card of the next larger one: the line says what it takes to get there. */
  from?: PackOffer | undefined;
  /** `card` is what was pressed: its drawing goes into the order. */
  onSelect: (goods: Goods, card: HTMLElement) => void;
};

/** In points of the page: a special offer stands larger. */
const WIDE_SIZES = '(max-width: 699px) 80px, 240px';

/** Remembered: a press draws the two cards that change, and no other. */
export const GoodsCard = memo(function GoodsCard(props: GoodsCardProps) {
  const { goods, unit, gifts, limit, isLimited = false, isSelected, isWide = false, isEager, onSelect } = props;
  const isCompared = props.isCompared ?? true;
  const deal = canBuy(limit) ? (props.deal ?? null) : null;
  const { bundle, offer } = goods;
  const first = props.hasFirst === true ? (goods.first ?? null) : null;
  useLanguage();
  const isOpen = canBuy(limit);
  const mark = isOpen && !deal && props.mark;
  const flag = isCompared && goods.flag in FLAGS ? FLAGS[goods.flag as keyof typeof FLAGS] : null;
  // The browser ticks what is pressed before any script runs: it is only told what the page has chosen, and drawing no
  // card anew is what lets a press be answered at once.
  const card = useRef<HTMLLabelElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current) input.current.checked = isSelected;
  }, [isSelected]);
  const glow = goods.picture ? { '--glow': goods.picture.color } : {};
  return (
    <label
      ref={card}
      className={isWide ? `${styles.card} ${styles.wide}` : styles.card}
      style={{ '--tier': goods.tier, ...glow }}
    >
      <input
        ref={input}
        type="radio"
        name="goods"
        value={goods.value}
        disabled={!isOpen}
        onChange={() => card.current && onSelect(goods, card.current)}
      />
      <span className={styles.stage}>
        <Picture picture={goods.picture} art={goods.art} isEager={isEager} {...(isWide && { sizes: WIDE_SIZES })} />
      </span>
      {(deal || flag || mark) && (
        <span className={`${styles.flag} ${deal || flag ? '' : styles.late}`}>
          {(deal || flag) && (
            <Chip tone="spark">
              {deal ? <bdi dir="ltr">−{deal.off_percent}%</bdi> : <i>{t(flag ?? 'goods.best_value')}</i>}
            </Chip>
          )}
          {mark}
        </span>
      )}
      <span className={styles.tick} aria-hidden="true">
        <Icon name="check" />
      </span>
      <span className={styles.body}>
        {goods.amount > 0 && !isWide ? (
          <span className={styles.amount}>
            <bdi>{countIn(goods.amount)}</bdi> <small>{unit || goods.display}</small>
          </span>
        ) : (
          <span className={styles.name}>{goods.display}</span>
        )}
        {deal && (
          <span className={styles.deal}>
            <bdi>{deal.name || t('offer.personal')}</bdi>
            {deal.endsAt > 0 && <EndsIn endsAt={deal.endsAt} />}
          </span>
        )}
        <GoodsNote
          goods={goods}
          gifts={isWide && goods.bundle ? [] : gifts}
          limit={limit}
          isLimited={isLimited}
          isWide={isWide}
          first={first}
        />
        {isWide && bundle ? (
          <span className={styles.line}>
            <BundleBox bundle={bundle} />
          </span>
        ) : (
          // Of a deal the price is another one now, so that of the list says nothing.
          offer &&
          !deal && (
            <span className={styles.line}>
              <PackLine offer={offer} isCompared={isCompared} isFirst={first !== null} from={props.from} />
            </span>
          )
        )}
      </span>
      <GoodsPrice goods={goods} deal={deal} limit={limit} />
    </label>
  );
});

type NoteProps = Pick<GoodsCardProps, 'goods' | 'gifts' | 'limit'> & {
  isLimited: boolean;
  isWide: boolean;
  first: FirstBonus | null;
};

function GoodsNote({ goods, gifts, limit, isLimited, isWide, first }: NoteProps) {
  // The list of a box says it all.
  const description = isWide && !goods.bundle ? goods.description : '';
  const gift = gifts.length > 0 ? <Signed text={nameOfGifts(gifts)} /> : description;
  const words = limit?.kind === 'open' ? tellLimit(limit) : null;
  return (
    <span className={styles.note}>
      <span className={styles.gift}>{gift}</span>
      {/* Its line stays where the bonus is had already, or not known yet: no card grows or shrinks. */}
      {(words || isLimited || goods.first) && (
        <span className={styles.chips}>
          {first && (
            <Chip tone="spark" icon="gift">
              <bdi>{tellFirst(first)}</bdi>
            </Chip>
          )}
          {words && (
            <Chip>
              <LimitPips limit={limit} />
              {t(words.key, words.values)}
            </Chip>
          )}
        </span>
      )}
    </span>
  );
}

function GoodsPrice({ goods, deal, limit }: Pick<GoodsCardProps, 'goods' | 'deal' | 'limit'>) {
  if (limit && !canBuy(limit)) {
    const words = tellLimit(limit);
    return (
      <span className={styles.price}>
        <span>{t(words.key, words.values)}</span>
      </span>
    );
  }
  const before = deal?.was_shown ?? goods.list_price_shown;
  return (
    <span className={styles.price}>
      <Money text={deal?.price_shown ?? goods.price_shown} />
      {before && (
        <s>
          <span className="vh">{t('goods.was')} </span>
          <Money text={before} />
        </s>
      )}
    </span>
  );
}
