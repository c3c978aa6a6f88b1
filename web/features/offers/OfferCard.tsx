// One offer where it is to be seen first: what it is, what it cost and costs, how long it stands, and one press to buy.
import type { Goods } from '#contracts/catalogue.ts';
import { EndsIn } from '#web/platform/EndsIn.tsx';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { nameOf } from './offer-name.ts';
import type { OpenOffer } from './queries.ts';
import styles from './offers.module.css';

export type OfferCardProps = {
  offer: OpenOffer;
  goods: Goods;
  /** Beside a button that matters more. */
  isSecond?: boolean;
  onTake: () => void;
};

export function OfferCard({ offer, goods, isSecond, onTake }: OfferCardProps) {
  useLanguage();
  return (
    <article className={styles.card} data-offer="">
      <span className={styles.art}>
        <Picture picture={goods.picture} art={goods.art} sizes="72px" isEager />
      </span>
      <span className={styles.words}>
        <span className={styles.top}>
          <Chip tone="spark">
            <bdi>{nameOf(offer)}</bdi>
          </Chip>
          {offer.endsAt > 0 && (
            <span className={styles.ends}>
              <EndsIn endsAt={offer.endsAt} />
            </span>
          )}
        </span>
        <b>
          <bdi>{goods.display}</bdi>
        </b>
        <span className={styles.was}>
          <s>
            <span className="vh">{t('goods.was')} </span>
            <Money text={offer.was_shown} />
          </s>{' '}
          <bdi dir="ltr">−{offer.off_percent}%</bdi>
        </span>
      </span>
      <Button kind={isSecond ? 'plain' : 'pay'} onClick={onTake}>
        <MoneyIn text={t('offer.get', { price: offer.price_shown })} money={offer.price_shown} />
      </Button>
    </article>
  );
}
