// The offer in the order: its name, what it takes off, how long it stands, and the way back to the full price.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { EndsIn } from '#web/platform/EndsIn.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Note } from '#web/ui/Note.tsx';
import { nameOf } from './offer-name.ts';
import type { OpenOffer } from './queries.ts';
import styles from './offers.module.css';

export type OfferLineProps = {
  offer: OpenOffer;
  isUsed: boolean;
  /** The server did not take it. */
  isOver: boolean;
  /** The way to pay that is chosen takes this price. */
  isTaken: boolean;
  onLeave: () => void;
  onTake: () => void;
};

export function OfferLine({ offer, isUsed, isOver, isTaken, onLeave, onTake }: OfferLineProps) {
  useLanguage();
  if (isOver) return <Note tone="wait">{t('offer.over')}</Note>;
  return (
    <div className={styles.line} data-offer="">
      <Icon name="gift" />
      <span className={styles.lineWords}>
        <b>
          <bdi>{nameOf(offer)}</bdi>
        </b>
        <span>{isTaken ? offer.endsAt > 0 && <EndsIn endsAt={offer.endsAt} /> : t('offer.method_no')}</span>
      </span>
      <span className={styles.off}>
        <bdi dir="ltr">−{offer.off_percent}%</bdi>
        {!isUsed && (
          <small>
            <Money text={offer.price_shown} />
          </small>
        )}
      </span>
      <Button kind="quiet" onClick={isUsed ? onLeave : onTake}>
        {t(isUsed ? 'offer.leave' : 'offer.take')}
      </Button>
    </div>
  );
}
