// A short word beside something: level, bonus, state. Never pressed.
import type { ReactNode } from 'react';
import { Icon, type IconName } from './pictures/Icon.tsx';
import styles from './chip.module.css';

export type ChipTone = 'plain' | 'spark' | 'soft' | 'accent' | 'ok' | 'bad' | 'wait';

export function Chip({ tone = 'plain', icon, children }: { tone?: ChipTone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </span>
  );
}
