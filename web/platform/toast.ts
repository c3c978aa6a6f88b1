// Short messages at the foot of the page: what was copied, what went wrong. Shown by ui/Toasts.
import { useSyncExternalStore } from 'react';
import type { Toast } from '#web/ui/Toasts.tsx';

/** Our choice: three at once are a heap, so the oldest goes; long enough to read a sentence of a dozen words. */
const MAX = 3;
const STAY_MS = 5000;
/** Our choice: time to reach for the button, by key or by hand. */
const STAY_WITH_ACTION_MS = 15_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a text for five seconds, with a button for longer. The same text is not shown twice at once. */
export function showToast(text: string, tone: Toast['tone'] = 'plain', action?: Toast['action']): void {
  if (text === '' || toasts.some((toast) => toast.text === text)) return;
  lastId += 1;
  const id = lastId;
  const close = () => put(toasts.filter((toast) => toast.id !== id));
  const press = action && { label: action.label, onPress: () => (close(), action.onPress()) };
  put([...toasts, { id, text, tone, action: press }].slice(-MAX));
  setTimeout(close, action ? STAY_WITH_ACTION_MS : STAY_MS);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
    () => toasts,
  );
}

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
