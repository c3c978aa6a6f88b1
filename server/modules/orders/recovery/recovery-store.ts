// SQL of recovery: which orders of the outside are not in the books here, and taking them in.
import type { Texts } from '#contracts/files.ts';
import type { BillingNo, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { SoldProduct } from '#server/modules/orders/store.ts';
import { type Queryable, callFunction, query } from '#server/platform/database/db.ts';

/** Made by sql/recovery_facts.sql, read by sql/adopt_order.sql; here are the fields that code looks at. */
export type RecoveryFacts = {
  readonly player_id: PlayerId;
  readonly billing_no: BillingNo;
  readonly brand_key: string;
  readonly game_id: GameId;
  readonly product_id: string;
  readonly amount_minor: number;
  readonly currency: Currency;
  readonly replenish_id?: string;
  /** Seconds since 1970. */
  readonly created_at: number;
  readonly paid_at: number;
  readonly attempt: {
    readonly attempt_no: number;
    readonly provider: string;
    readonly channel_id: string;
    readonly provider_ref?: string;
    readonly capture_ref?: string;
  };
};

/** A conflict that a rule settled because something was used twice; `second` is the order that lost it. */
export type Decision = {
  readonly decision:
    | 'balance_spent_twice'
    | 'card_spent_twice'
    | 'coupon_used_twice'
    | 'bonus_given_twice'
    | 'limit_exceeded'
    | 'stock_exceeded'
    | 'code_exceeded';
  readonly second?: BillingNo | null;
  readonly [detail: string]: unknown;
};

export type Adoption = {
  /** `adopted`, `known`, or the reason why a person decides. */
  readonly outcome: string;
  readonly player_id: PlayerId;
  readonly decisions: readonly Decision[];
};

export const adoptOrder = (db: Queryable, facts: RecoveryFacts, receiptId: string): Promise<Adoption> =>
  callFunction(db, 'adopt_order', {
    player_id: facts.player_id,
    billing_no: facts.billing_no,
    facts,
    receipt_id: receiptId,
  });

/** Without what only an order of the game's word has: identities, what was used up, when it was paid. */
export type PaymentFacts = Omit<RecoveryFacts, 'paid_at' | 'replenish_id'> & {
  readonly client_id: string;
  readonly server_id: string;
  readonly area_id: string;
  readonly role_id: string;
  readonly suid: string;
  readonly product: SoldProduct;
  readonly discount_minor: number;
  readonly points: number;
  readonly region: string;
  readonly country: string;
  readonly language: string;
  readonly attempt: RecoveryFacts['attempt'] & { channel_key: string; channel_name: Texts; method: string };
};

export const adoptPayment = (db: Queryable, facts: PaymentFacts): Promise<'paid' | 'known'> =>
  callFunction(db, 'adopt_payment', { player_id: facts.player_id, billing_no: facts.billing_no, facts });

/** Of these orders, those whose goods are known here to be delivered. */
export async function listDeliveredHere(db: Queryable, billingNos: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ billing_no: string }>(
    db,
    'recovery_delivered',
    `with l as materialized (select player_id, billing_no from order_lookup where billing_no = any($1))
     select l.billing_no from l join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
     where o.delivered_at is not null`,
    [billingNos],
  );
  return new Set(rows.map((row) => row.billing_no));
}

export type PaymentHere = {
  billing_no: BillingNo;
  attempt_no: number;
  player_id: PlayerId;
  provider: string;
  amount_minor: number;
  currency: Currency;
  is_booked: boolean;
  is_returned: boolean;
};

/** The attempts here of these orders. */
export const listPaymentsHere = (db: Queryable, billingNos: readonly string[]): Promise<PaymentHere[]> =>
  query(
    db,
    'recovery_payments',
    `with l as materialized (select player_id, billing_no from order_lookup where billing_no = any($1))
     select a.billing_no, a.attempt_no, a.player_id, a.provider, a.amount_minor, a.currency,
       exists (select from ledger_entry e where e.player_id = a.player_id and e.billing_no = a.billing_no
         and e.attempt_no = a.attempt_no and e.kind in ('paid', 'overpayment')) as is_booked,
       exists (select from ledger_entry e where e.player_id = a.player_id and e.billing_no = a.billing_no
         and e.attempt_no = a.attempt_no
           and e.kind in ('refunded', 'overpayment_refunded', 'chargeback')) as is_returned
     from l join payment_attempt a on a.player_id = l.player_id and a.billing_no = l.billing_no`,
    [billingNos],
  );

export type WaitingReport = {
  provider: string;
  reference: string | null;
  status: string;
  amount_minor: number | null;
  currency: Currency | null;
  capture_ref: string | null;
  received_at: Date;
};

/** Verified money in the inbox that belongs to no order here. */
export const listWaitingMoney = (db: Queryable): Promise<WaitingReport[]> =>
  query(
    db,
    'recovery_inbox',
    `select provider, reference, report ->> 'status' as status,
       (report #>> '{amount,amountMinor}')::bigint as amount_minor,
       report #>> '{amount,currency}' as currency, report ->> 'captureRef' as capture_ref, received_at
     from callback_inbox where outcome = 'unknown_order' and state in ('stored', 'dead') and is_money_report(report)
     order by received_at`,
    [],
  );

/** Callbacks that came for an order before it was adopted are applied by the next round of the workers. */
export async function wakeWaiting(db: Queryable, billingNo: BillingNo): Promise<void> {
  await query(
    db,
    'recovery_wake',
    `update callback_inbox set state = 'stored', next_try_at = now(), lease_until = null
     where outcome = 'unknown_order' and state in ('stored', 'dead') and starts_with(reference, $1)`,
    [billingNo],
  );
}
