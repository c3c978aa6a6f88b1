// Shows the value of a card and its uses: its own goods with all that they bring, or the goods that it pays for.
import type { CardWorth } from '#contracts/giftcards.ts';
import { useBrand } from '#web/platform/brand.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { Signed } from '#web/ui/figures/Signed.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import type { GiftReceiver } from './exchange.ts';
import styles from './giftcards.module.css';
import type { BuyableGoods } from './use-gift-card.ts';

export type CardWorthViewProps = {
  worth: CardWorth;
  receiver: GiftReceiver | null;
  /** The goods that are being paid; null for none. */
  busy: string | null;
  fault: string;
  onTake: () => void;
  onBuy: (goods: BuyableGoods) => void;
  onShop: (goods: BuyableGoods | null) => void;
  onBack: () => void;
};

export function CardWorthView(props: CardWorthViewProps) {
  useLanguage();
  const { worth, receiver, busy, fault, onTake, onBuy, onShop, onBack } = props;
  const { gems_number: gems, gifts_shown: gifts, can_confirm: hasGoods, product_name: product } = worth;
  const bonus = worth.bonus_gems_number + worth.extra_gems_number;
  return (
    <section className={styles.panel} aria-label={t('gift.worth')}>
      {/* @source specification section 9: "Card top-up shows face value and exchangeable gem number" */}
      <dl className={styles.worth}>
        <div className={styles.face}>
          <dt>{t('gift.worth')}</dt>
          <dd>
            <Money text={worth.price} />
          </dd>
        </div>
        {gems > 0 && (
          <div>
            <dt>{t('gift.gems')}</dt>
            <dd>{countIn(gems + bonus)}</dd>
            {bonus > 0 && <dd className={styles.bonus}>{t('result.with_bonus', { bonus: countIn(bonus) })}</dd>}
          </div>
        )}
      </dl>
      {gifts !== '' && (
        <p className={styles.lead}>
          <bdi>{product}</bdi> <Signed text={gifts} />
        </p>
      )}
      <p className={styles.small}>{t('gift.valid', { time: showMoment(worth.valid_end_time) })}</p>
      {fault && <Note tone="bad">{fault}</Note>}
      {hasGoods ? (
        <>
          {receiver && <p className={styles.lead}>{t('gift.receives', { name: receiver.name, product })}</p>}
          <Button kind="pay" isWide isBusy={busy !== null} onClick={onTake}>
            {receiver ? t('gift.take', { product }) : t('receiver.choose')}
          </Button>
        </>
      ) : (
        <Buys worth={worth} busy={busy} onBuy={onBuy} onShop={onShop} />
      )}
      <Button kind="quiet" isWide onClick={onBack}>
        {t('gift.other_card')}
      </Button>
    </section>
  );
}

type BuysProps = Pick<CardWorthViewProps, 'worth' | 'busy' | 'onBuy' | 'onShop'>;

function Buys({ worth, busy, onBuy, onShop }: BuysProps) {
  const { isVip, hasPromoCodes } = useBrand();
  if (worth.buys.length === 0) return <Note tone="wait">{t('gift.buys_none')}</Note>;
  return (
    <>
      <h3 className={styles.heading}>{t('gift.buys_title')}</h3>
      <ul className={styles.buys}>
        {worth.buys.map((goods) => (
          <li key={goods.product_id}>
            <span className={styles.art}>
              <Picture picture={goods.picture} art={goods.art} sizes="64px" isEager />
            </span>
            <span className={styles.what}>
              <b>
                <bdi>{goods.product_name}</bdi>
              </b>
              {goods.content_shown !== '' && (
                <span className={styles.small}>
                  <Signed text={goods.content_shown} />
                </span>
              )}
              <span className={styles.small}>
                <Rest goods={goods} />
              </span>
            </span>
            <span className={styles.price}>
              {goods.was_shown !== '' && (
                <s>
                  <span className="vh">{t('goods.was')} </span>
                  <Money text={goods.was_shown} />
                </s>
              )}
              <Button
                isBusy={busy === goods.product_id}
                aria-label={`${goods.product_name}, ${goods.price_shown}`}
                onClick={() => (goods.is_in_shop ? onShop(goods) : onBuy(goods))}
              >
                <Money text={goods.price_shown} />
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {(isVip || hasPromoCodes) && (
        <Note>
          {t('gift.reductions')}{' '}
          <Button kind="quiet" onClick={() => onShop(null)}>
            {t('my.shop')}
          </Button>
        </Note>
      )}
    </>
  );
}

/** Names the rest of the card, or says that this price is to be had in the shop. */
function Rest({ goods }: { goods: BuyableGoods }) {
  if (goods.is_in_shop) return <span>{t('gift.in_shop')}</span>;
  if (goods.rest_shown === '') return <span>{t('gift.rest_none')}</span>;
  return <MoneyIn text={t('gift.rest', { amount: goods.rest_shown })} money={goods.rest_shown} />;
}
