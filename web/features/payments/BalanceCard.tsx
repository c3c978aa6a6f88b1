// Shows the player's balance in this shop, on My: the money of the country first, the rest on demand. Nothing is shown
// while there never was any.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useSpending } from '#web/platform/visitor/spending.ts';
import { Money } from '#web/ui/figures/Money.tsx';
import { useBalances } from './methods/use-methods.ts';
import styles from './payments.module.css';

export function BalanceCard() {
  useLanguage();
  const balances = useBalances(true);
  const spending = useSpending();
  const filled = balances.data?.list.filter(({ total_minor: total }) => total > 0) ?? [];
  const first = filled.find(({ currency }) => currency === spending.data?.currency) ?? filled[0];
  if (!first) return null;
  const rest = filled.filter((one) => one !== first);
  return (
    <section className={styles.balance} aria-labelledby="my-balance">
      <h2 id="my-balance">{t('my.balance')}</h2>
      <p>
        <Money text={first.total_shown} /> <small>{first.currency}</small>
      </p>
      {rest.length > 0 && (
        <details>
          <summary>{t('my.more_balances', { count: rest.length })}</summary>
          <ul>
            {rest.map(({ currency, total_shown: shown }) => (
              <li key={currency}>
                <Money text={shown} /> <small>{currency}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
