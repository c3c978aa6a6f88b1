// In place of the order when what was chosen cannot be bought (any more): when it opens again, and the next
// best. Loaded when it happens.
import type { Goods } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { type LimitState, tellLimit } from '#web/features/catalogue/rules.ts';
import styles from './closed-offer.module.css';

export type ClosedOfferProps = {
  goods: Goods;
  limit: LimitState;
  next: Goods | null;
  onSelect: (goods: Goods) => void;
};

export function ClosedOffer({ goods, limit, next, onSelect }: ClosedOfferProps) {
  useLanguage();
  const words = tellLimit(limit);
  return (
    <section className={styles.closed} aria-label={t('order.title')} role="status">
      <span className={styles.what}>
        <b>
          <bdi>{goods.display}</bdi>
        </b>
        <span>{t(words.key, words.values)}</span>
      </span>
      {next && (
        <Button onClick={() => onSelect(next)}>
          {t('order.next_best', { product: next.display, price: next.price_shown })}
        </Button>
      )}
    </section>
  );
}
