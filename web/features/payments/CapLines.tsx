// Beside the button that pays: what may still be spent, by the age of the player and by their own caps.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useSpending } from '#web/platform/visitor/spending.ts';
import styles from './payments.module.css';

export function CapLines() {
  useLanguage();
  const limits = useSpending().data?.limits ?? [];
  if (limits.length === 0) return null;
  return (
    <ul className={styles.caps}>
      {limits.map(({ kind, left_shown: left, cap_shown: cap }) => (
        <li key={kind}>{t(`spending.left_${kind}`, { left, cap })}</li>
      ))}
    </ul>
  );
}
