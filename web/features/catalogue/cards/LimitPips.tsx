// A limit as a row of dots, those that are left filled. Decoration: the chip beside it says it in words.
import type { LimitState } from '#web/features/catalogue/rules.ts';
import styles from './limit-pips.module.css';

/** Our choice: more dots than these are not counted at a glance. */
const MAX_PIPS = 10;

export function LimitPips({ limit }: { limit: LimitState | null }) {
  if (limit?.kind !== 'open' || limit.scope === 'stock' || limit.times < 2 || limit.times > MAX_PIPS) return null;
  return (
    <span className={styles.pips} aria-hidden="true">
      {Array.from({ length: limit.times }, (_, index) => (
        <i key={index} data-left={index < limit.left || undefined} />
      ))}
    </span>
  );
}
