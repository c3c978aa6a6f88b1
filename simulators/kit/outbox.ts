// Callbacks to the shop: sent, re-sent until acknowledged, kept over a restart.

import { type Clock, systemClock } from './clock.ts';
import { randomHex } from './ids.ts';
import type { Journal } from './journal.ts';
import type { CallbackWay, Shop } from './shop.ts';

export type CallbackDraft = {
  /** The shop's own reference of the payment: lets a test find the callback. */
  reference: string;
  /** The event as the provider names it. */
  kind: string;
  body: string;
  headers: Record<string, string>;
  way?: CallbackWay;
};

export type Callback = CallbackDraft & {
  id: string;
  attempts: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
  firstDueAt: number;
  lastStatus?: number | string;
  /** The last time that it went out, and what the shop said. */
  exchange?: Exchange;
};

export type Exchange = {
  /** Milliseconds since the epoch, when it was answered. */
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** A text when nobody answered: why. */
  answer: { status: number; text: string } | string;
};

export type Outbox = {
  /** Sends after `delayMs`; without a delay the promise ends with the first attempt. */
  send(draft: CallbackDraft, delayMs?: number): Promise<void>;
  /** Sends what was sent before for this reference again, `times` times at once. Answers how many went out. */
  repeat(reference: string, times: number): Promise<number>;
  /** Tries everything that waits, now. */
  flush(): Promise<number>;
  pending(): Callback[];
  recent(): Callback[];
  close(): void;
};

/**
 * A compressed form of the providers' timetables, which reach over days. Then every minute until an hour has passed.
 */
const resendAfterMs = [2_000, 5_000, 10_000, 30_000, 60_000];
const givesUpAfterMs = 3_600_000;
const remembered = 2_000;

export function createOutbox(input: {
  provider: string;
  journal: Journal;
  shop: Shop;
  /** Told byte for byte, where the provider asks for a text. */
  isAcknowledged: (status: number, text: string) => boolean;
  /** Headers that are made anew for every attempt: a signed time. */
  stamp?: (draft: CallbackDraft) => Record<string, string>;
  clock?: Clock;
}): Outbox {
  const { provider, journal, shop, isAcknowledged } = input;
  const clock = input.clock ?? systemClock;
  const waiting = journal.table<Callback>('callbacks');
  const timers = new Map<string, () => void>();
  const sent = new Map<string, Callback>();
  let isClosed = false;

  function schedule(callback: Callback): void {
    timers.get(callback.id)?.();
    const cancel = clock.after(Math.max(0, callback.dueAt - clock.now()), () => void attempt(callback));
    timers.set(callback.id, cancel);
  }

  async function post(callback: Callback): Promise<Exchange['answer']> {
    const { body, way } = callback;
    const headers = { ...callback.headers, ...input.stamp?.(callback) };
    const answer = await shop.post(provider, body, headers, way).catch((error: Error) => error.message);
    const { method = 'POST', suffix = '' } = way ?? {};
    const path = suffix.startsWith('http') ? suffix : `/callback/${provider}${suffix}`;
    callback.exchange = { at: clock.now(), method, path, headers, body: method === 'GET' ? '' : body, answer };
    return answer;
  }

  async function attempt(callback: Callback): Promise<void> {
    timers.get(callback.id)?.();
    timers.delete(callback.id);
    if (isClosed || !waiting.get(callback.id)) return;
    const answer = await post(callback);
    const status = typeof answer === 'string' ? answer : answer.status;
    if (isClosed) return;
    callback.attempts += 1;
    callback.lastStatus = status;
    remember(callback);
    const isDone = typeof answer !== 'string' && isAcknowledged(answer.status, answer.text);
    if (isDone || clock.now() - callback.firstDueAt > givesUpAfterMs) return waiting.remove(callback.id);
    callback.dueAt = clock.now() + (resendAfterMs[callback.attempts - 1] ?? 60_000);
    waiting.put(callback.id, callback);
    schedule(callback);
  }

  function remember(callback: Callback): void {
    sent.delete(callback.id);
    sent.set(callback.id, callback);
    for (const oldest of sent.keys()) {
      if (sent.size <= remembered) break;
      sent.delete(oldest);
    }
  }

  for (const callback of waiting.values()) schedule(callback);

  return {
    async send(draft, delayMs = 0) {
      const dueAt = clock.now() + delayMs;
      const callback: Callback = { ...draft, id: randomHex(8), attempts: 0, dueAt, firstDueAt: dueAt };
      waiting.put(callback.id, callback);
      if (delayMs > 0) schedule(callback);
      else await attempt(callback);
    },
    async repeat(reference, times) {
      const found = [...sent.values()].filter((callback) => callback.reference === reference);
      const posts = found.flatMap((callback) => Array.from({ length: times }, () => post(callback)));
      await Promise.all(posts);
      return posts.length;
    },
    async flush() {
      const due = [...waiting.values()];
      await Promise.all(due.map(attempt));
      return due.length;
    },
    pending: () => [...waiting.values()],
    recent: () => [...sent.values()].toReversed(),
    close() {
      isClosed = true;
      for (const cancel of timers.values()) cancel();
    },
  };
}
