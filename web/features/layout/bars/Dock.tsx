// The foot of the page on phones: the order (put in by the page through DockSlot) above the navigation.
import { createContext, type ReactNode, type Ref, useContext } from 'react';
import { createPortal } from 'react-dom';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import type { Entry } from './entries.ts';
import { NewMark } from './NewMark.tsx';
import styles from '../layout.module.css';

/** Holds the page's part of the dock; null while there is no dock. */
export const DockSlotContext = createContext<HTMLElement | null>(null);

export type DockProps = {
  path: string;
  entries: readonly Entry[];
  slotRef: Ref<HTMLDivElement>;
};

export function Dock({ path, entries, slotRef }: DockProps) {
  useLanguage();
  return (
    <div className={styles.dock} data-dock="" data-bar="">
      <div ref={slotRef} />
      <nav className={styles.nav} data-wide={entries.length > 2 ? '' : undefined} aria-label={t('nav.label')}>
        {entries.map((entry) => (
          <Link
            key={entry.to}
            to={entry.to}
            search={(search) => ({ ...search, billing_no: undefined, tab: undefined })}
            aria-current={entry.to === path ? 'page' : undefined}
          >
            <Icon name={entry.icon} />
            <span>{t(entry.label)}</span>
            <NewMark to={entry.to} />
          </Link>
        ))}
      </nav>
    </div>
  );
}

/** Puts its children above the navigation; the dock is on phones and tablets only. */
export function DockSlot({ children }: { children: ReactNode }) {
  const slot = useContext(DockSlotContext);
  return slot && createPortal(children, slot);
}
