// What lies in the player's balance in this shop, on My. Nothing is shown while there never was any.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Money } from '#web/ui/figures/Money.tsx';
import { useBalances } from './methods/use-methods.ts';
import styles from './payments.module.css';

export function BalanceCard() {
  useLanguage();
  const balances = useBalances(true);
  const filled = balances.data?.list.filter(({ total_minor: total }) => total > 0) ?? [];
  if (filled.length === 0) return null;
  return (
    <section className={styles.balance} aria-labelledby="my-balance">
      <h2 id="my-balance">{t('my.balance')}</h2>
      <ul>
        {filled.map(({ currency, total_shown: shown }) => (
          <li key={currency}>
            <Money text={shown} />
          </li>
        ))}
      </ul>
    </section>
  );
}
