// Stores orders in this browser for seven days: the draft being put together, and orders begun but not seen finished.
import type { Pair } from '#contracts/envelope.ts';
import { load, save } from '#web/platform/visitor/storage.ts';
import { dropOld, drop, readUnfinished, remember, type Unfinished } from './unfinished.ts';

/**
 * An order that is being put together. Empty texts and nulls are not chosen yet. @source
 * specification section 3, "Order draft"
 */
export type Draft = {
  gameName: string;
  clientId: string;
  /** `gp_id` of the game. */
  gameProductId: string;
  area: Pair | null;
  /** As the player chose it. */
  server: Pair | null;
  /** The server on which the character lives: after servers were merged, not the one it was looked for on. */
  realServer: string;
  role: Pair | null;
  goods: (Pair & { price: string }) | null;
  /** Payment region. */
  region: string;
  /** The chosen way to pay, as it is shown and as it is told to the server. */
  rechargeInfo: { name: string; pay_id: string } | null;
  /** Key of the chosen method, `/` and its second choice where it has one; see `keyOfChoice`. */
  rechargeKey: string;
  /** The order that the draft became. */
  billing_no: string;
  /** Until then (epoch ms) a press of Pay waits for a login or a character; 0 when none does. */
  payUntil: number;
};

export const EMPTY_DRAFT: Draft = {
  gameName: '', clientId: '', gameProductId: '', area: null, server: null, realServer: '', role: null, goods: null, region: '',
  rechargeInfo: null, rechargeKey: '', billing_no: '', payUntil: 0,
}; /* a row a line */ // prettier-ignore

/** These belong to a character: dropped with the game or the account. */
export const NO_ROLE = { area: null, server: null, realServer: '', role: null } satisfies Partial<Draft>;

/** From where the player came to a result. @source specification section 2: "marks the origin as Recharge" */
export type Origin = 'Recharge' | '';

type OrderInfo = { draft: Draft | null; unfinished: Unfinished[]; origin: Origin };

/** Reads what the storage held; anything else than our own shape is nothing. */
export function readOrderInfo(value: unknown): OrderInfo {
  const { draft, unfinished, origin } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof OrderInfo, unknown>
  >;
  return {
    draft: isDraft(draft) ? draft : null,
    unfinished: readUnfinished(unfinished),
    origin: origin === 'Recharge' ? origin : '',
  };
}

const RECORDS: Partial<Record<keyof Draft, readonly string[]>> = {
  area: ['display', 'value'],
  server: ['display', 'value'],
  role: ['display', 'value'],
  goods: ['display', 'value', 'price'],
  rechargeInfo: ['name', 'pay_id'],
};

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(EMPTY_DRAFT).every(([key, empty]) => {
    const part = (value as Record<string, unknown>)[key];
    const keys = RECORDS[key as keyof Draft];
    return keys ? part === null || hasTexts(part, keys) : typeof part === typeof empty;
  });
}

function hasTexts(value: unknown, keys: readonly string[]): boolean {
  return typeof value === 'object' && keys.every((key) => typeof (value as Record<string, unknown>)[key] === 'string');
}

const loadInfo = () => readOrderInfo(load('orderInfo'));

export function loadDraft(): Draft | null {
  return loadInfo().draft;
}

/** Changes some of the draft, or begins one. */
export function changeDraft(part: Partial<Draft>): Draft {
  const info = loadInfo();
  const draft = { ...(info.draft ?? EMPTY_DRAFT), ...part };
  save('orderInfo', { ...info, draft });
  return draft;
}

/**
 * The order is paid, so its draft is used up: a step back must not offer the same to be paid once more. The number stays,
 * a reload of its result needs it.
 */
export function settleDraft(billingNo: string): void {
  const { draft } = loadInfo();
  if (draft?.billing_no === billingNo) changeDraft({ goods: null, rechargeInfo: null, rechargeKey: '' });
}

export function dropDraft(): void {
  save('orderInfo', { ...loadInfo(), draft: null });
}

export const loadOrigin = (): Origin => loadInfo().origin;

export function saveOrigin(origin: Origin): void {
  const info = loadInfo();
  if (info.origin !== origin) save('orderInfo', { ...info, origin });
}

/** Orders begun here and not seen finished, newest first. */
export function listUnfinished(now: number = Date.now()): Unfinished[] {
  return dropOld(loadInfo().unfinished, now);
}

export function rememberOrder(billingNo: string, now: number = Date.now()): void {
  const info = loadInfo();
  save('orderInfo', { ...info, unfinished: remember(info.unfinished, billingNo, now) });
}

export function dropOrder(billingNo: string): void {
  const info = loadInfo();
  save('orderInfo', { ...info, unfinished: drop(info.unfinished, billingNo) });
}
