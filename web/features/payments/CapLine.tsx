// Beside the button that pays: what may still be spent, by the age of the player or by the tightest of their own caps.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { type Market, useSpending } from '#web/platform/visitor/spending.ts';
import styles from './payments.module.css';

/** One line: the button below it must stay in sight. My tells all of them. */
export function CapLine({ market }: { market: Market }) {
  useLanguage();
  const limits = useSpending(market).data?.limits ?? [];
  const [tightest] = limits.toSorted((one, other) => one.left_minor - other.left_minor);
  if (!tightest) return null;
  const { kind, left_shown: left, cap_shown: cap } = tightest;
  return <p className={styles.cap}>{t(`spending.left_${kind}`, { left, cap })}</p>;
}
