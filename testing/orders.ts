// Orders for store tests: a player with a character, and the input of a placed order with what a test wants different.
import { randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { BillingNo, BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';
import type { PromoTerms } from '#server/modules/codes/types.ts';
import { type PlaceInput, type SoldPromo, recordCreateResult, placeOrder } from '#server/modules/orders/store.ts';
import { type ReportOutcome, receiveReport } from '#server/modules/orders/payments/report-store.ts';
import {
  type DeliveryResult,
  leaseDeliveries,
  recordDeliveryResults,
} from '#server/modules/orders/deliveries/delivery-store.ts';
import { type Db, query } from '#server/platform/database/db.ts';

/** Makes a player with one character on server s1. */
export async function makePlayer(db: Db): Promise<PlayerId> {
  const playerId = randomUUID() as PlayerId;
  await query(
    db,
    'test_player',
    `insert into player (player_id, brand_key, suid, username) values ($1, 'watt', $2, 'kestrel')`,
    [playerId, `u-${playerId}`],
  );
  await query(
    db,
    'test_role',
    `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
      values ($1, '70021', 's1', '', 'r1', 'Kestrel_07', 42, 'S1')`,
    [playerId],
  );
  return playerId;
}

/**
 * As many characters more, `role-0` to `role-<count>`: a character has one unpaid order of a product at a time, so a
 * crowd of orders needs a crowd of characters.
 */
export async function addTestRoles(db: Db, playerId: PlayerId, count: number): Promise<void> {
  await query(
    db,
    'test_roles',
    `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
     select $1, '70021', 's1', '', 'role-' || n, 'n', 1, 'Altair' from generate_series(0, $2::integer) n`,
    [playerId, count],
  );
}

/** A test changes these fields of the input, or of the goods that are sold. */
export type PlaceChanges = Partial<PlaceInput> & Partial<PlaceInput['sold']>;

/** Later than the one before, also of two orders of one millisecond: tests sort by it. */
const laterNo = monotonicFactory();

export function placeInput(playerId: PlayerId, changes: PlaceChanges = {}): PlaceInput {
  const sold: PlaceInput['sold'] = {
    brand_key: 'watt' as BrandKey,
    game_id: 'starlane' as GameId,
    client_id: '70021',
    product_id: 'star_60',
    server_id: 's1',
    area_id: '',
    role_id: 'r1',
    suid: 'u',
    username: 'kestrel',
    product: { name: { en: '60 Crystals' }, art: 'pack-1', gameName: { en: 'Starlane' }, gifts: [] },
    region: 'universal',
    country: 'US',
    language: 'en',
    origin: null,
    method: 'paypal',
    points_rate: null,
    accepted: null,
    payer_rules: { real_name: false, age_caps: null, asks_age: false, time_zone: 'UTC' },
    promo: null,
    first_bonus: null,
  };
  const input: PlaceInput = {
    player_id: playerId,
    billing_no: laterNo() as BillingNo,
    idempotency_key: null,
    fingerprint: 'f',
    sold,
    amount_minor: 499,
    currency: 'USD',
    provider: 'paypal',
    channel_key: '10201_',
    channel_name: { en: 'PayPal' },
    channel_id: '',
    expires_in: '1 hour',
    payable_for: '3 hours',
    time_zone: 'UTC',
    limit: null,
    has_stock: false,
    coupon: null,
    tender: null,
    must_be_new: false,
    must_notify: false,
    max_per_minute: 1000,
    max_open: 1000,
  };
  const entries = Object.entries(changes);
  const isSold = ([key]: [string, unknown]) => key in sold || key === 'replenish_id';
  return {
    ...input,
    ...Object.fromEntries(entries.filter((entry) => !isSold(entry))),
    sold: { ...sold, ...Object.fromEntries(entries.filter(isSold)) },
  };
}

/** Brings a row to a state by hand, past the law of transitions: for what a test has no way to reach in few steps. */
export async function withoutTransitionLaw(db: Db, statement: string, values: unknown[]): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    // Triggers of this session alone rest.
    await client.query('set local session_replication_role = replica');
    await client.query(statement, values);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Places an order and notes the provider's page for it; throws when it was not placed. */
export async function placeTestOrder(db: Db, input: PlaceInput): Promise<{ billingNo: BillingNo; attemptNo: number }> {
  const placed = await placeOrder(db, input);
  if (placed.outcome !== 'placed') throw new Error(`not placed: ${placed.outcome}`);
  const { billing_no: billingNo, attempt_no: attemptNo } = placed;
  await recordCreateResult(db, {
    player_id: input.player_id,
    billing_no: billingNo,
    attempt_no: attemptNo,
    provider: input.provider,
    state: 'redirected',
    provider_ref: `P-${billingNo}-${attemptNo}`,
    url: 'https://pay.example/x',
    exchange: {},
    idempotency_key: input.idempotency_key,
    answer: { code: 'success', billing_no: billingNo, url: 'https://pay.example/x' },
  });
  return { billingNo, attemptNo };
}

/** A provider's word on an order, as a callback with its own key unless told. */
export function report(
  db: Db,
  order: { billingNo: BillingNo; attemptNo: number },
  over: Partial<PaymentReport> & {
    dedupKey?: string | null;
    isOurMerchant?: boolean | null;
    provider?: string;
    leaseSeconds?: number;
  } = {},
): Promise<ReportOutcome> {
  const { dedupKey = randomUUID(), isOurMerchant = true, provider = 'paypal', leaseSeconds, ...said } = over;
  return receiveReport(db, {
    provider,
    report: {
      status: 'paid',
      reference: `${order.billingNo}-${order.attemptNo}`,
      providerRef: null,
      captureRef: 'C-1',
      amount: { amountMinor: 499, currency: 'USD' },
      merchantAccount: null,
      reason: null,
      ...said,
    },
    billingNo: order.billingNo,
    attemptNo: order.attemptNo,
    isOurMerchant,
    callback: dedupKey ? { dedupKey, headers: {}, body: '{}' } : null,
    mustNotify: false,
    leaseSeconds: leaseSeconds ?? null,
  });
}

/** A promo code in an order, as the pay call writes it where the player was told no price. */
export const promoOf = (terms: PromoTerms): SoldPromo => ({ ...terms, min_charge_minor: 1, quoted_minor: null });

type Leased = Pick<DeliveryResult, 'player_id' | 'billing_no' | 'tries'>;

/** Builds the game's answers to leased deliveries: all of them done, unless a test wants it different. */
export function resultsOf(leased: readonly Leased[], over: Partial<DeliveryResult> = {}): DeliveryResult[] {
  return leased.map(({ player_id, billing_no, tries }) => ({
    player_id,
    billing_no,
    tries,
    kind: 'done',
    receipt_id: `R-${billing_no}`,
    reason: null,
    retry_in_seconds: null,
    on_declined: 'review',
    ...over,
  }));
}

/** The game has given everything that is due. @returns how many deliveries were written */
export async function deliverAll(db: Db, over: Partial<DeliveryResult> = {}): Promise<number> {
  return recordDeliveryResults(db, resultsOf(await leaseDeliveries(db, 500, 15, []), over));
}
