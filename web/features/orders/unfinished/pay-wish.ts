// A press of Pay that waits for a login or a character. It is this page's own: another tab that is open must not answer
// it. The draft keeps it for the page that a reload brings.
import { useSyncExternalStore } from 'react';
import { changeDraft, loadDraft } from './order-info.ts';

/** Our choice: time to find a password or to open an account at another company, and no longer. */
const KEPT_MS = 15 * 60_000;

/** Null before the page has looked. */
let isWished: boolean | null = null;
const listeners = new Set<() => void>();

/** For the page that comes after the login. */
export function keepWish(now: number = Date.now()): void {
  changeDraft({ payUntil: now + KEPT_MS });
}

export function wishToPay(): void {
  keepWish();
  put(true);
}

/** Nothing may open later for a press that was given up. */
export function dropWish(): void {
  if (loadDraft()?.payUntil) changeDraft({ payUntil: 0 });
  put(false);
}

export function hasWish(): boolean {
  isWished ??= (loadDraft()?.payUntil ?? 0) > Date.now();
  return isWished;
}

export function useWish(): boolean {
  return useSyncExternalStore(watch, hasWish, hasWish);
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function put(next: boolean): void {
  isWished = next;
  for (const listener of listeners) listener();
}
