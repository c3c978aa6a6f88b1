// A row of tabs, one of them chosen. Arrow keys move and choose, as the ARIA pattern for tabs says.
import { type KeyboardEvent, useId } from 'react';
import styles from './tabs.module.css';

export type Tab<Key extends string> = { key: Key; label: string };

export type TabsProps<Key extends string> = {
  label: string;
  tabs: readonly Tab<Key>[];
  chosen: Key;
  onChoose: (key: Key) => void;
  children: React.ReactNode;
};

export function Tabs<Key extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Key>) {
  const id = useId();
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = stepOf(event.key, getComputedStyle(event.currentTarget).direction === 'rtl');
    if (step === null) return;
    event.preventDefault();
    const now = tabs.findIndex((tab) => tab.key === chosen);
    const next = step === 'first' ? 0 : step === 'last' ? tabs.length - 1 : (now + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (!tab) return;
    onChoose(tab.key);
    document.getElementById(`${id}-${tab.key}`)?.focus();
  };
  return (
    <>
      <div className={styles.tabs} role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            id={`${id}-${tab.key}`}
            type="button"
            role="tab"
            aria-selected={tab.key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            onClick={() => onChoose(tab.key)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}

/** Returns the tab that a key leads to; left is forward in right-to-left scripts. */
function stepOf(key: string, isRtl: boolean): number | 'first' | 'last' | null {
  if (key === 'Home') return 'first';
  if (key === 'End') return 'last';
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return null;
  return (key === 'ArrowRight') === isRtl ? -1 : 1;
}
