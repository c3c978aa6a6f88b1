// A remark beside what it is about: a hint, a warning, something that went well or badly.
import type { ReactNode } from 'react';
import { Icon, type IconName } from './pictures/Icon.tsx';
import styles from './note.module.css';

export type NoteTone = 'plain' | 'ok' | 'wait' | 'bad';

const ICONS: Record<NoteTone, IconName> = { plain: 'info', ok: 'check', wait: 'clock', bad: 'alert' };

export function Note({ tone = 'plain', icon, children }: { tone?: NoteTone; icon?: IconName; children: ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icon ?? ICONS[tone]} />
      <div>{children}</div>
    </div>
  );
}
