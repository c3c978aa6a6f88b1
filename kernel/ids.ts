// Branded identifiers, so that a client id cannot be passed where a game id is meant. No
// generation: that needs randomness.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Our order number: a ULID, 26 characters, 80 random bits. What a player quotes to support. */
export type BillingNo = Branded<'BillingNo'>;
/** Internal id of a player of one brand: a UUID. Distribution key of every table that grows with play. */
export type PlayerId = Branded<'PlayerId'>;
/** Players by their ids: `from` belongs to it, `to` does not. */
export type PlayerRange = { readonly from: string; readonly to: string };
/** Folder name of a game file, e.g. "emberfall". */
export type GameId = Branded<'GameId'>;
/** Folder name of a brand file, e.g. "watt". */
export type BrandKey = Branded<'BrandKey'>;
/** Merchant reference of one payment attempt, what providers echo back: `<billing_no>-<attempt number>`. */
export type AttemptRef = Branded<'AttemptRef'>;

/** Number of a make-up payment, in its link: "RP-" and a ULID. */
export type ReplenishId = Branded<'ReplenishId'>;

/**
 * Returns true for a name that the folder of a brand or of a game may have. It becomes a part of paths and addresses,
 * so whatever reads such names from outside the shop's folder checks them by this.
 */
export const isFolderName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/.test(name);

const BILLING_NO = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const ATTEMPT_REF = /^([0-9A-HJKMNP-TV-Z]{26})-([1-9]\d?)$/;

export function isBillingNo(value: string): value is BillingNo {
  return BILLING_NO.test(value);
}

const REPLENISH_ID = /^RP-[0-9A-HJKMNP-TV-Z]{26}$/;

export function isReplenishId(value: string): value is ReplenishId {
  return REPLENISH_ID.test(value);
}

/** `<billing_no>-<n>`: 28 or 29 characters, fits every provider's reference field that we know. */
export function attemptRef(billingNo: BillingNo, attemptNo: number): AttemptRef {
  return `${billingNo}-${attemptNo}` as AttemptRef;
}

/** The parts of an attempt reference, or null when a stranger's reference comes in. */
export function readAttemptRef(value: string): { billingNo: BillingNo; attemptNo: number } | null {
  const match = ATTEMPT_REF.exec(value);
  return match ? { billingNo: match[1] as BillingNo, attemptNo: Number(match[2]) } : null;
}
