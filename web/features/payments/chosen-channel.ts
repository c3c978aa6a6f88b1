// The method that is chosen: one for the whole page, because panel, bar and popup show the same order.
import { useSyncExternalStore } from 'react';
import { track } from '#web/platform/visitor/track.ts';

/** The chosen method as the draft of an order keeps it. */
export type ChosenWay = { name: string; pay_id: string };

let chosen = '';
let way: ChosenWay | null = null;
const listeners = new Set<() => void>();

/** See `keyOfChoice` of methods/method-rules.ts; empty for none. */
export function useChosenChannel(): string {
  return useSyncExternalStore(
    watch,
    () => chosen,
    () => chosen,
  );
}

/** Name and route of what is chosen; null before a checkout has found them. */
export function useChosenWay(): ChosenWay | null {
  return useSyncExternalStore(
    watch,
    () => way,
    () => way,
  );
}

/** For the checkout, which has the list of methods. */
export function tellWay(next: ChosenWay): void {
  if (way?.name === next.name && way.pay_id === next.pay_id) return;
  way = next;
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The player chooses. */
export function chooseChannel(key: string): void {
  if (key !== '' && key !== chosen) track('channel_choose', { channel: key });
  restoreChannel(key);
}

/** The page takes a way that was chosen before, or that is first: nobody has chosen now. */
export function restoreChannel(key: string): void {
  if (key !== chosen) way = null;
  chosen = key;
  for (const listener of listeners) listener();
}
