// Calls the functions of the database that place orders (sql/place_order.sql, sql/record_create_result.sql), by way of
// steps/steps.ts, which decides whether they share a transaction.
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { PromoRefusal, PromoTerms } from '#server/modules/codes/types.ts';
import type { PointsRate } from '#server/modules/configuration/service.ts';
import type { BillingNo, BrandKey, GameId, PlayerId, ReplenishId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { PayerRules } from '#server/modules/spending/spending-types.ts';
import type { Texts } from '#contracts/files.ts';
import { type Step, runStep } from './steps/step-store.ts';

/** `isCurrency`: more of what the product's `amount` counts; `isFirst`: of the first-purchase bonus. */
export type SoldGift = {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly isCurrency?: boolean;
  readonly isFirst?: boolean;
};

/**
 * The order keeps this copy of the product, so that a later change of the catalogue does not change history. Names in
 * English and in the order's language (versions before kept all languages); present.ts adds the others.
 */
export type SoldProduct = {
  readonly name: Texts;
  readonly art: string;
  readonly gameName: Texts;
  readonly gifts: readonly SoldGift[];
  /** How many a player bought, 0 for goods that are not counted; left out in orders of versions before. */
  readonly amount?: number;
  /** Of a bundle, what its amount counts, in English; left out where the name of the goods says it. */
  readonly unit?: string;
  /** Of a make-up payment: the game is asked to unblock the account, not to hand over goods. */
  readonly replenishId?: ReplenishId;
};

/**
 * Records the origin of an order, as the pay call stated it; fields that it left out are missing. @source specification
 * section 7, "Pay payload"
 */
export type OrderOrigin = {
  readonly [
    Key in 'utm_pay' | 'traffic_source' | 'did' | 'session_id' | 'session_time' | 'game_channel_id' | 'platform'
  ]?: string | undefined;
};

/** The promo code of an order under its limits, with `min_charge_minor` and `quoted_minor` as of a coupon. */
export type SoldPromo = PromoTerms & { readonly min_charge_minor: number; readonly quoted_minor: number | null };

/**
 * Input of place_order. `amount_minor` is the price of the goods, before a coupon; `expires_in` and
 * `payable_for` are PostgreSQL intervals.
 * `coupon.min_charge_minor`: less than this the channel does not take; `quoted_minor`: the price that the
 * player was told, null when none.
 */
export type PlaceInput = {
  readonly player_id: PlayerId;
  readonly billing_no: BillingNo;
  readonly idempotency_key: string | null;
  readonly fingerprint: string;
  readonly sold: {
    readonly brand_key: BrandKey;
    readonly game_id: GameId;
    readonly client_id: string;
    readonly product_id: string;
    readonly server_id: string;
    readonly area_id: string;
    readonly role_id: string;
    readonly suid: string;
    readonly username: string;
    readonly product: SoldProduct;
    readonly region: string;
    readonly country: string;
    readonly language: string;
    /** Null: the call said nothing. */
    readonly origin: OrderOrigin | null;
    /** Key of the method that was chosen; kept with the payment attempt. */
    readonly method: string;
    /** Of what is to pay, so many points for so many minor units; null: no VIP programme. */
    readonly points_rate: PointsRate | null;
    /** Epoch milliseconds between which the price holds; left out where it does not change by itself. */
    readonly price_holds?: { readonly from: number | null; readonly until: number | null };
    /** Of a make-up payment, which no character receives. */
    readonly replenish_id?: ReplenishId;
    readonly payer_rules: PayerRules;
    readonly promo: SoldPromo | null;
    /** Null: the product has none. `season`: begins anew with another; `is_told`: the player counts on it. */
    readonly first_bonus: { season: string; gifts: readonly SoldGift[]; is_told: boolean } | null;
    /** The form that the player confirmed beside the button; null where the area wants none. */
    readonly accepted: { version: string; language: string; terms: string } | null;
  };
  readonly amount_minor: number;
  readonly currency: Currency;
  readonly provider: string;
  readonly channel_key: string;
  readonly channel_name: Texts;
  readonly channel_id: string;
  readonly expires_in: string;
  readonly payable_for: string;
  readonly time_zone: string;
  readonly limit: { times: number; days: number | null; subject: string } | null;
  readonly has_stock: boolean;
  readonly coupon: { code: string; min_charge_minor: number; quoted_minor: number | null } | null;
  readonly tender: InternalTender | null;
  /** An unpaid order for the same goods is answered as a repetition, never paid by this call. */
  readonly must_be_new: boolean;
  readonly must_notify: boolean;
  readonly max_per_minute: number;
  readonly max_open: number;
};

/**
 * Pays an order in the step that places it. `keeps_rest`: a card may be worth more than the order, the rest goes into
 * the balance; `spends`: which part of a balance goes first.
 */
export type InternalTender =
  | { readonly kind: 'wallet'; readonly spends: 'free_first' | 'paid_first' }
  | {
      readonly kind: 'card';
      readonly purpose: 'pay' | 'confirm';
      readonly channel: string;
      readonly card_id: string;
      readonly card_key: string;
      readonly password_hmac: string;
      readonly network: string;
      readonly keeps_rest: boolean;
    };

/**
 * `placed`: committed, the provider may be called now for `amount_minor` (also when an abandoned call is taken up
 * again). `repeat`: an unpaid order or the
 * same key exists. `paid`: by an internal tender; nothing is left to do but deliver. `other_price`: an unpaid order
 * stands at another price, which nobody may pay any more. `running`: the same key, or the order itself, is being worked
 * on. Nothing was changed by the others.
 */
export type PlaceOutcome =
  | {
      outcome: 'placed';
      billing_no: BillingNo;
      attempt_no: number;
      amount_minor: number;
      server_name: string;
      role_name: string;
    }
  | { outcome: 'paid'; billing_no: BillingNo; attempt_no: number; amount_minor: number }
  | { outcome: 'repeat'; billing_no: BillingNo; url: string }
  | { outcome: 'replay'; answer: StoredAnswer }
  | { outcome: 'other_price'; billing_no: BillingNo }
  | {
      outcome:
        | 'running'
        | 'key_reused'
        | 'role_unknown'
        | 'limit_reached'
        | 'sold_out'
        /** In the last minute. */
        | 'too_fast'
        /** Unpaid ones. */
        | 'too_many_orders'
        | 'coupon_refused'
        | 'price_changed'
        | 'bonus_gone'
        | 'card_not_enough'
        | 'balance_too_low'
        | 'replenish_gone'
        | 'replenish_foreign'
        | 'real_name_missing'
        | 'age_unknown'
        | 'spending_paused'
        | 'cap_other_currency';
    }
  | { outcome: 'card_refused'; reason?: string }
  | { outcome: 'promo_refused'; reason: PromoRefusal }
  /** `kind`: a cap of the player's age, or one of their own. */
  | { outcome: 'cap_reached'; kind: 'age' | 'day' | 'week' | 'month'; left_minor: number };

/** The answer of a finished pay call, kept for the same Idempotency-Key. */
export type StoredAnswer = { code: 'success' | 'repeatOrder'; billing_no: string; url: string };

export const placeOrderStep = (input: PlaceInput): Step<PlaceOutcome> => ({
  name: 'place_order',
  values: input,
  owner: input.player_id,
});

export const placeOrder = (db: Queryable, input: PlaceInput): Promise<PlaceOutcome> =>
  runStep(db, placeOrderStep(input));

/** The answer that is kept for a key, and whether it is of the call with this fingerprint; null while there is none. */
export async function findAnswer(
  db: Queryable,
  playerId: PlayerId,
  key: string,
  fingerprint: string,
): Promise<{ isSameCall: boolean; answer: StoredAnswer } | null> {
  const [row] = await query<{ isSameCall: boolean; answer: StoredAnswer }>(
    db,
    'answer_find',
    `select is_same_call(fingerprint, $3) as "isSameCall", answer
     from idempotency where player_id = $1 and key = $2 and answer is not null`,
    [playerId, key, fingerprint],
  );
  return row ?? null;
}

/** Returns true when a press for a limited product can be refused at once, as sql/is_sold_out.sql says. */
export async function isSoldOut(
  db: Queryable,
  press: { player_id: PlayerId; idempotency_key: string | null; game_id: GameId; product_id: string },
): Promise<boolean> {
  const [row] = await query<{ is_sold_out: boolean }>(
    db,
    'order_is_sold_out',
    'select is_sold_out($1, $2, $3, $4) as is_sold_out',
    [press.player_id, press.idempotency_key, press.game_id, press.product_id],
  );
  return row?.is_sold_out !== false;
}

/** The provider's answer to create; `answer` is stored under the idempotency key (null: the key may be used again). */
export type CreateResult = {
  readonly player_id: PlayerId;
  readonly billing_no: BillingNo;
  readonly attempt_no: number;
  readonly provider: string;
  readonly state: 'redirected' | 'unknown' | 'failed';
  readonly provider_ref: string | null;
  readonly url: string | null;
  readonly exchange: unknown;
  readonly idempotency_key: string | null;
  readonly answer: StoredAnswer | null;
};

export const recordCreateResultStep = (input: CreateResult): Step<void> => ({
  name: 'record_create_result',
  values: input,
  owner: input.billing_no,
});

export const recordCreateResult = (db: Queryable, input: CreateResult): Promise<void> =>
  runStep(db, recordCreateResultStep(input));

/** A delivery this process may call now. `tries` counts this call. */
