// A popup: a sheet from below on phones, a dialog in the middle on wider screens. Loaded with
// the first popup, never before:
// Base UI brings the focus trap, the return of the focus and what a screen reader needs.
import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './pictures/Icon.tsx';
import styles from './sheet.module.css';

export type SheetProps = {
  isOpen: boolean;
  title: string;
  /** Title for screen readers only, where the content shows its own. */
  isTitleHidden?: boolean;
  /** Room for two columns on wide screens. */
  isWide?: boolean;
  /** A low screen makes it wide, with the foot beside the title, so that the body has all of the height. */
  isSplit?: boolean;
  /** While true nothing closes it: no Escape, no press outside, no close button. */
  isBusy?: boolean;
  /** Lets a press outside close it. */
  isLight?: boolean;
  closeLabel: string;
  onClose: () => void;
  /** After the closing transition. */
  onClosed?: () => void;
  /** Gets the focus when it closes. */
  returnFocusTo?: HTMLElement | null;
  /** Stays in sight under the content that scrolls: the button that pays. */
  foot?: ReactNode;
  children: ReactNode;
};

/** Our choice: the second press of an impatient finger comes within half a second. */
const FRESH_MS = 600;

/**
 * True while the sheet has just come into sight, and while it is leaving: a press then was meant
 * for what stood there before.
 */
function useIsFresh(isOpen: boolean): boolean {
  const [isFresh, setFresh] = useState(true);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setFresh(true);
  }
  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => setFresh(false), FRESH_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return isFresh;
}

/** A key held down goes on pressing what has got the focus meanwhile. */
function dropRepeated(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}

const FIELD = 'input:not([type="radio"], [type="checkbox"]), select, textarea';

/** On a touch screen a field in focus brings up the keyboard over half of the sheet; one that is only read does not. */
function findFirstFocus(sheet: HTMLElement | null): HTMLElement | true {
  const field = matchMedia('(pointer: coarse)').matches ? 'input[readonly]' : FIELD;
  // One below the content would scroll that out of view.
  const fields = [...(sheet?.querySelectorAll<HTMLElement>(field) ?? [])];
  return fields.find((one) => !one.closest('[data-below]')) ?? true;
}

export function Sheet(props: SheetProps) {
  const {
    isOpen,
    isBusy = false,
    isLight = true,
    isWide = false,
    isSplit = false,
    onClose,
    onClosed,
    returnFocusTo,
  } = props;
  const isFresh = useIsFresh(isOpen);
  const popup = useRef<HTMLDivElement>(null);
  // The page behind is hidden from readers before the focus comes in; a tab in the background may wait long for that.
  // Browsers hide nothing that holds the focus.
  useLayoutEffect(() => {
    const held = document.activeElement;
    if (isOpen && held instanceof HTMLElement && held !== document.body && !popup.current?.contains(held)) held.blur();
  }, [isOpen]);
  return (
    <Dialog.Root
      open={isOpen}
      disablePointerDismissal={!isLight}
      onOpenChange={(next, details) => {
        if (next) return;
        if (isBusy || (isFresh && details.reason === 'outside-press')) details.cancel();
        else onClose();
      }}
      onOpenChangeComplete={(next) => {
        if (!next) onClosed?.();
      }}
    >
      <Dialog.Portal keepMounted>
        <Dialog.Backdrop className={styles.veil} />
        <Dialog.Popup
          ref={popup}
          initialFocus={() => findFirstFocus(popup.current)}
          onKeyDownCapture={isFresh ? dropRepeated : undefined}
          className={[styles.sheet, isWide && styles.wide, isSplit && styles.split].filter(Boolean).join(' ')}
          finalFocus={() => (returnFocusTo?.isConnected === false ? findMain() : (returnFocusTo ?? false))}
          aria-busy={isBusy || undefined}
        >
          <SheetHead {...props} />
          {/* Focusable, so that the keys scroll it. */}
          <div className={styles.body} tabIndex={-1}>
            {props.children}
          </div>
          {props.foot && <div className={styles.foot}>{props.foot}</div>}
          {isFresh && <div className={styles.shield} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * The pressed element may be gone with the order that it paid: the keyboard goes on in the page, not at its very top.
 */
const findMain = (): HTMLElement | false => document.querySelector<HTMLElement>('main') ?? false;

function SheetHead({ title, isTitleHidden, isBusy, closeLabel }: SheetProps) {
  return (
    <div className={isTitleHidden ? `${styles.head} ${styles.bare}` : styles.head}>
      <Dialog.Title className={isTitleHidden ? 'vh' : 'voice'}>{title}</Dialog.Title>
      <Dialog.Close className={styles.close} aria-label={closeLabel} disabled={isBusy}>
        <Icon name="close" />
      </Dialog.Close>
    </div>
  );
}
