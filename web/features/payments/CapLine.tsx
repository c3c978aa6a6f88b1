// Beside the button that pays: what may still be spent, by the age of the player or by the tightest of their own caps.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { type Market, useSpending } from '#web/platform/visitor/spending.ts';
import { Note } from '#web/ui/Note.tsx';
import styles from './payments.module.css';

/**
 * One line: the button below it must stay in sight. My tells all of them.
 * @param price of the order; null where no warning is due
 */
export function CapLine({ market, price }: { market: Market; price: { minor: number; currency: string } | null }) {
  useLanguage();
  const { data } = useSpending(market);
  const [tightest] = (data?.limits ?? []).toSorted((one, other) => one.left_minor - other.left_minor);
  if (!tightest) return null;
  const { kind, left_minor: leftMinor, left_shown: left, cap_shown: cap } = tightest;
  const line = t(`spending.left_${kind}`, { left, cap });
  const isShort = price !== null && price.currency === data?.currency && price.minor > leftMinor;
  if (!isShort) return <p className={styles.cap}>{line}</p>;
  // The button pays on: an unpaid order of the same goods is counted in the cap, and can still be paid.
  return (
    <Note tone="wait" icon="alert">
      {line}
      <br />
      <b>{t('spending.too_little')}</b>
    </Note>
  );
}
