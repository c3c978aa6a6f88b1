// Orders this browser has begun and not seen finished, kept for seven days and offered on the next visit.
import { DAY_MS } from '#kernel/time.ts';

export type Unfinished = { billing_no: string; at: number };

/** @source specification section 9: "Order info cookie 7 days" */
const KEEP_DAYS = 7;
/** Our choice: more than a handful of open payments is somebody trying channels, the latest are what they look for. */
const KEEP_COUNT = 5;

/** The list with one more order, newest first, without what is too old. `nowMs` is epoch milliseconds. */
export function remember(list: readonly Unfinished[], billingNo: string, nowMs: number): Unfinished[] {
  const others = dropOld(list, nowMs).filter((one) => one.billing_no !== billingNo);
  return [{ billing_no: billingNo, at: nowMs }, ...others].slice(0, KEEP_COUNT);
}

export function drop(list: readonly Unfinished[], billingNo: string): Unfinished[] {
  return list.filter((one) => one.billing_no !== billingNo);
}

export function dropOld(list: readonly Unfinished[], nowMs: number): Unfinished[] {
  return list.filter((one) => nowMs - one.at < KEEP_DAYS * DAY_MS);
}

/**
 * Reads what the storage held; anything that is not such a list is nothing: a player's storage can hold what it likes.
 */
export function readUnfinished(value: unknown): Unfinished[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (one): one is Unfinished =>
      typeof one === 'object' &&
      one !== null &&
      typeof (one as Unfinished).billing_no === 'string' &&
      typeof (one as Unfinished).at === 'number',
  );
}
