// For a player who comes back: the last purchase and what may be bought again, each one press away
// from the review of the order.
import type { Goods } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import type { Suggestion } from './rules.ts';
import styles from './again.module.css';

export type AgainRowProps = {
  suggestions: readonly Suggestion[];
  /** Name of what paid last time. */
  method: string;
  onPay: (goods: Goods) => void;
};

const REASONS = { last: 'again.last', due: 'again.due' } as const;

export function AgainRow({ suggestions, method, onPay }: AgainRowProps) {
  useLanguage();
  return (
    <section className={styles.row} aria-label={t('again.title')}>
      {suggestions.map(({ goods, reason }) => (
        <button className={styles.card} type="button" key={goods.value} onClick={() => onPay(goods)}>
          <span className={styles.picture}>
            <Picture picture={goods.picture} art={goods.art} />
          </span>
          <span className={styles.words}>
            <Chip tone={reason === 'due' ? 'spark' : 'plain'}>{t(REASONS[reason])}</Chip>
            <b className={styles.name}>
              <bdi>{goods.display}</bdi>
            </b>
            <span className={styles.pay}>
              <bdi>{t('again.pay', { price: goods.price_shown, method })}</bdi>
            </span>
          </span>
        </button>
      ))}
    </section>
  );
}
