// What this browser keeps of orders for seven days: the draft being put together, and orders begun but not seen finished.
import { load, save } from '#web/platform/storage.ts';
import { dropOld, forget, readUnfinished, remember, type Unfinished } from './unfinished.ts';

/** `resume` says that the player was on the way to pay when the login came between. */
export type Draft = { client_id: string; product_id: string; channelKey: string; resume: boolean };

type OrderInfo = { draft: Draft | null; unfinished: Unfinished[] };

/** Reads what the storage held; anything else than our own shape is nothing. */
export function readOrderInfo(value: unknown): OrderInfo {
  const { draft, unfinished } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof OrderInfo, unknown>
  >;
  return { draft: isDraft(draft) ? draft : null, unfinished: readUnfinished(unfinished) };
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { client_id, product_id, channelKey, resume } = value as Partial<Record<keyof Draft, unknown>>;
  return [client_id, product_id, channelKey].every((part) => typeof part === 'string') && typeof resume === 'boolean';
}

const loadInfo = () => readOrderInfo(load('orderInfo'));

export function loadDraft(): Draft | null {
  return loadInfo().draft;
}

export function saveDraft(draft: Draft | null): void {
  save('orderInfo', { ...loadInfo(), draft });
}

/** Orders begun here and not seen finished, newest first. */
export function listUnfinished(now: number = Date.now()): Unfinished[] {
  return dropOld(loadInfo().unfinished, now);
}

export function rememberOrder(billingNo: string, now: number = Date.now()): void {
  const info = loadInfo();
  save('orderInfo', { ...info, unfinished: remember(info.unfinished, billingNo, now) });
}

export function forgetOrder(billingNo: string): void {
  const info = loadInfo();
  save('orderInfo', { ...info, unfinished: forget(info.unfinished, billingNo) });
}
