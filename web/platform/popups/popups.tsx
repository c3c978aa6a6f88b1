// The stack of popups: one in sight at a time, the one opened last. Closed by its button, Escape or the back button,
// never while it is busy. What a popup looks like is PopupSheet's business; nothing here loads the dialog library.
import {
  createContext,
  type ComponentType,
  createElement,
  type ReactNode,
  useContext,
  useSyncExternalStore,
} from 'react';
import { lazyPart } from '../lazy/lazy-part.ts';
import { popGuard, pushGuard } from './popup-history.ts';

export type Popup = {
  id: number;
  render: () => ReactNode;
  /** Had the focus when it opened and gets it back. */
  opener: HTMLElement | null;
  isClosing: boolean;
  isBusy: boolean;
  onClosed: (() => void) | undefined;
};

/** Our choice: well after the closing transition of 250 ms. */
const REMOVE_MS = 1000;

let stack: readonly Popup[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Opens a popup over the page (over the one in sight, which comes back after it).
 * @param Component usually a `lazyPart`, so that its code comes with the first use; it draws a PopupSheet
 * @returns its id, for closePopup
 */
export function openPopup<Props extends object>(
  Component: ComponentType<Props>,
  props: Props,
  onClosed?: () => void,
): number {
  lastId += 1;
  const held = document.activeElement;
  const opener = held instanceof HTMLElement && held !== document.body ? held : null;
  const render = () => createElement(Component, props);
  if (stack.every((popup) => popup.isClosing)) pushGuard();
  put([...stack, { id: lastId, render, opener, isClosing: false, isBusy: false, onClosed }]);
  return lastId;
}

/** Closes a popup, the one in sight when no id is given. Nothing happens while it is busy. */
export function closePopup(id: number | undefined = topOf(stack)?.id): void {
  const popup = stack.find((one) => one.id === id);
  if (!popup || popup.isClosing || popup.isBusy) return;
  change(popup.id, { isClosing: true });
  // One that was closed before it was drawn has no transition that could end.
  setTimeout(() => removePopup(popup.id), REMOVE_MS);
  popup.onClosed?.();
  if (stack.every((one) => one.isClosing)) popGuard();
}

/** Closes all of them, busy or not: before the page goes elsewhere. */
export function closeAllPopups(): void {
  for (const popup of stack) change(popup.id, { isBusy: false });
  for (const popup of stack.toReversed()) closePopup(popup.id);
}

/** Returns true when one is in sight, or about to be. */
export function isPopupOpen(): boolean {
  return stack.some((popup) => !popup.isClosing);
}

/** Takes a closed popup out of the page, after its closing transition. */
export function removePopup(id: number): void {
  put(stack.filter((popup) => popup.id !== id || !popup.isClosing));
}

export function setPopupBusy(id: number, isBusy: boolean): void {
  if (stack.some((popup) => popup.id === id && popup.isBusy !== isBusy)) change(id, { isBusy });
}

/** Tells a popup which one it is; given by PopupHost. */
export const PopupContext = createContext<{ popup: Popup; isTop: boolean } | null>(null);

/** The popup a component is drawn in: its id, whether it is in sight, and how to close it. Throws outside of one. */
export function usePopup(): { popup: Popup; isTop: boolean; close: () => void } {
  const found = useContext(PopupContext);
  if (!found) throw new Error('usePopup is for components opened by openPopup');
  const close = () => {
    // Busy keeps players out, not the popup's own work: that ends before the next drawing tells the stack it is done.
    setPopupBusy(found.popup.id, false);
    closePopup(found.popup.id);
  };
  return { ...found, close };
}

export type ConfirmProps = {
  title: string;
  text: string;
  /** Labels of the two buttons; the first gives up. */
  cancel: string;
  confirm: string;
  /** Confirming ends or removes something. */
  isDanger?: boolean;
};

const ConfirmPopup = lazyPart(() => import('./ConfirmPopup.tsx').then((module) => module.ConfirmPopup));
const TipPopup = lazyPart(() => import('./TipPopup.tsx').then((module) => module.TipPopup));

/** Asks and waits. Every way out but the confirming button is a no. */
export function confirm(props: ConfirmProps): Promise<boolean> {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const onConfirm = () => {
      isConfirmed = true;
    };
    openPopup(ConfirmPopup, { ...props, onConfirm }, () => resolve(isConfirmed));
  });
}

/** `text` is plain, its line breaks kept. */
export type TipProps = { title: string; close: string; text: string };

/** Shows a text to read. Without HTML: decision 69. @source specification section 2: "tip popup with optional HTML" */
export function showTip(props: TipProps): void {
  openPopup(TipPopup, props);
}

/** All of them, the one opened last at the end. */
export function usePopups(): readonly Popup[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentPopups,
    currentPopups,
  );
}

export function currentPopups(): readonly Popup[] {
  return stack;
}

export function topOf(popups: readonly Popup[]): Popup | undefined {
  return popups.findLast((popup) => !popup.isClosing);
}

function change(id: number, part: Partial<Popup>): void {
  put(stack.map((popup) => (popup.id === id ? { ...popup, ...part } : popup)));
}

function put(next: readonly Popup[]): void {
  stack = next;
  for (const listener of listeners) listener();
}
