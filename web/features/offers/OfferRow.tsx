// Offers for this player above the goods: what the game gave them, and what a purchase opened. What is on for everybody
// stands on its card.
import type { Goods } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { OfferCard } from './OfferCard.tsx';
import type { OpenOffer } from './queries.ts';
import styles from './offers.module.css';

export type OfferRowProps = {
  offers: readonly OpenOffer[];
  goods: readonly Goods[];
  onTake: (goods: Goods) => void;
};

export function OfferRow({ offers, goods, onTake }: OfferRowProps) {
  useLanguage();
  const own = offers.flatMap((offer) => {
    const sold = goods.find(({ value }) => value === offer.product_id);
    return sold && offer.kind !== 'timed' ? [{ offer, sold }] : [];
  });
  if (own.length === 0) return null;
  return (
    <section className={styles.row} aria-label={t('offer.row')}>
      {own.map(({ offer, sold }) => (
        <OfferCard key={offer.code} offer={offer} goods={sold} onTake={() => onTake(sold)} />
      ))}
    </section>
  );
}
