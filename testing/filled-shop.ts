// Fills a test shop with orders in every state, and with what stands beside them: for the stored databases that the upgrade test starts
// from (docs/decisions/0017). Everything is done by the shop's own code, told by scripted providers and games.
import { randomUUID } from 'node:crypto';
import type { BillingNo, BrandKey } from '#kernel/ids.ts';
import { withdrawCoupon } from '#server/modules/coupons/service.ts';
import { changeCards } from '#server/modules/giftcards/store.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import {
  type DeliveryResult,
  leaseDeliveries,
  recordDeliveryResults,
} from '#server/modules/orders/deliveries/delivery-store.ts';
import { cancelUnpaidOrder } from '#server/modules/orders/operator/operate-cancel.ts';
import { deliverOrder, refundOrder } from '#server/modules/orders/operator/operate.ts';
import {
  leaseRefunds,
  leaseRevocations,
  finishRefund,
  finishRevocation,
} from '#server/modules/orders/refunds/refund-store.ts';
import { placeOrder as placeRow } from '#server/modules/orders/store.ts';
import type { PaymentStatus } from '#server/modules/payments/provider.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { openSession } from '#server/platform/http/session.ts';
import { giveTestBalance } from './balances.ts';
import { cardInfo, issueTestCards } from './cards.ts';
import { giveTestCoupon } from './coupons.ts';
import { reportOn } from './fake-payments.ts';
import { makePlayer, placeInput, report } from './orders.ts';
import { PRICE, type PayOptions, callBack, eventOn, pay, placeOrder, settleDepsOf, showRoles } from './pay.ts';
import { type TestShop, credentials } from './shop.ts';

type Order = Awaited<ReturnType<typeof placeOrder>>;

/** @param shop with the providers of `IN_PLACE`, and nothing in it yet */
export async function fillShop(shop: TestShop): Promise<void> {
  await fillAccounts(shop);
  await fillUnpaid(shop);
  await fillDeliveries(shop);
  await fillRefunds(shop);
  await fillOddPayments(shop);
  await fillReservations(shop);
  await fillCards(shop);
  await fillBalances(shop);
  await fillRevocations(shop);
  await fillCallbacks(shop);
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(`the filled shop breaks invariants: ${JSON.stringify(broken)}`);
}

const operatorOf = (shop: TestShop) => ({ db: shop.db, by: 'anna' });
const say = (shop: TestShop, order: Order, status: PaymentStatus, over: Parameters<typeof eventOn>[2] = {}) =>
  callBack(shop, eventOn(order, status, over));

async function placePaid(shop: TestShop, options: PayOptions = {}): Promise<Order> {
  const order = await placeOrder(shop, options);
  await say(shop, order, 'paid');
  return order;
}

/** Ends the deliveries that are due as one result says; with null they are only claimed. */
async function deliver(
  shop: TestShop,
  result: Pick<DeliveryResult, 'kind' | 'retry_in_seconds'> | null,
): Promise<void> {
  const claimed = await leaseDeliveries(shop.db, 100, 15, []);
  if (result === null) return;
  await recordDeliveryResults(
    shop.db,
    claimed.map(({ player_id, billing_no, tries }) => ({
      ...result,
      player_id,
      billing_no,
      tries,
      receipt_id: result.kind === 'done' ? `R-${billing_no}` : null,
      reason: result.kind === 'done' ? null : 'scripted',
      on_declined: 'review',
    })),
  );
}
const DONE = { kind: 'done', retry_in_seconds: null } as const;

async function placeDelivered(shop: TestShop, options: PayOptions = {}): Promise<Order> {
  const order = await placePaid(shop, options);
  await deliver(shop, DONE);
  return order;
}

async function fillAccounts(shop: TestShop): Promise<void> {
  const password = 'correct horse';
  const brandKey = 'watt' as BrandKey;
  await shop.services.accounts.saveAccount({ brandKey, username: 'Kestrel', suid: 'suid-kestrel', password });
  await shop.post('/util/login/auth', credentials('Kestrel', password));
  await shop.post('/util/login/auth', credentials('Kestrel', 'wrong'));
  const { playerId } = await shop.logIn();
  for (const kind of ['sdk', 'replenish'] as const)
    await openSession(shop.db, { playerId, brandKey, kind, authMethod: 'ticket', replaces: null });
  await giveTestCoupon(shop.db, playerId);
  await giveTestCoupon(shop.db, playerId, { isClaimable: true, issueKey: 'level-3/2026-11' });
  await withdrawCoupon(shop.db, playerId, await giveTestCoupon(shop.db, playerId));
}

/** Orders that wait for money, and those that wait no more. */
async function fillUnpaid(shop: TestShop): Promise<void> {
  // The process died between its own commit and the provider's answer.
  const placed = await placeRow(shop.db, placeInput(await makePlayer(shop.db), { idempotency_key: 'died-meanwhile' }));
  if (placed.outcome !== 'placed') throw new Error(`not placed: ${placed.outcome}`);
  await placeOrder(shop, { key: 'pending-order' });
  shop.paypal.script.create = () => ({ kind: 'unknown', reason: 'no answer' });
  await placeUnknown(shop);
  shop.paypal.reset();
  await say(shop, await placeOrder(shop), 'declined');
  await say(shop, await placeOrder(shop), 'failed');
  await say(shop, await placeOrder(shop), 'expired');
  await say(shop, await placeOrder(shop), 'approved');
  shop.paypal.script.cancel = (payment) => reportOn(payment, 'failed');
  const cancelled = await cancelUnpaidOrder(operatorOf(shop), settleDepsOf(shop), (await placeOrder(shop)).billingNo);
  if (cancelled.kind !== 'done') throw new Error(cancelled.sentence);
  shop.paypal.reset();
}

/** The answer to the player is a refusal, or none; the order stays. */
async function placeUnknown(shop: TestShop): Promise<void> {
  const player = await shop.logIn();
  await showRoles(shop, player);
  await pay(shop, player);
}

async function fillDeliveries(shop: TestShop): Promise<void> {
  for (let count = 0; count < 3; count += 1) await placeDelivered(shop);
  for (const result of [
    { kind: 'declined', retry_in_seconds: null },
    { kind: 'unknown', retry_in_seconds: 3600 },
    { kind: 'unknown', retry_in_seconds: null },
    null,
  ] as const) {
    await placePaid(shop);
    await deliver(shop, result);
  }
  const again = await placePaid(shop);
  await deliver(shop, { kind: 'declined', retry_in_seconds: null });
  const answer = await deliverOrder(operatorOf(shop), again.billingNo);
  if (answer.kind !== 'done') throw new Error(answer.sentence);
}

async function refund(shop: TestShop, order: Order, isRevoking = false): Promise<void> {
  const input = { attemptNo: null, reason: 'asked', isRevoking, isDone: false };
  const answer = await refundOrder(operatorOf(shop), order.billingNo, input);
  if (answer.kind !== 'done') throw new Error(answer.sentence);
}

async function fillRefunds(shop: TestShop): Promise<void> {
  for (const kind of ['done', 'pending', 'manual'] as const) {
    await refund(shop, await placePaid(shop));
    for (const claimed of await leaseRefunds(shop.db, 50, 60))
      await finishRefund(shop.db, claimed, { kind, ref: `RF-${kind}`, error: kind === 'manual' ? 'scripted' : null, retrySeconds: 3600 }); // prettier-ignore
  }
  await refund(shop, await placeDelivered(shop));
  for (const claimed of await leaseRefunds(shop.db, 50, 60))
    await finishRefund(shop.db, claimed, { kind: 'done', ref: 'RF', error: null, retrySeconds: 0 });
  await refund(shop, await placePaid(shop));
  await leaseRefunds(shop.db, 50, 60);
  await refund(shop, await placePaid(shop));
}

/** Money that is not what was asked for, comes twice, too late, or goes back by itself. */
async function fillOddPayments(shop: TestShop): Promise<void> {
  await say(shop, await placeOrder(shop), 'paid', { amount: { amountMinor: 1, currency: 'USD' } });
  const twice = await placeOrder(shop);
  const other = await pay(shop, twice.player, { path: '/api/pay/adyen_pay' });
  if (other.code < 0) throw new Error(`no second way to pay: ${other.text}`);
  await say(shop, twice, 'paid');
  await report(shop.db, { ...twice, attemptNo: 2 }, { provider: 'adyen', amount: PRICE });
  await say(shop, await placeDelivered(shop), 'refunded');
  await say(shop, await placePaid(shop), 'refunded', { amount: { amountMinor: 10, currency: 'USD' } });
  await say(shop, await placePaid(shop), 'chargeback');
  await say(shop, await placeDelivered(shop), 'chargeback');
  const late = await placeOrder(shop);
  await say(shop, late, 'expired');
  await say(shop, late, 'paid');
}

/** Limits, stock and coupons: held, used and given back. */
async function fillReservations(shop: TestShop): Promise<void> {
  const product = (product_id: string, price_minor: number) => ({ body: { product_id, price_minor } });
  for (const options of [product('star_weekly', 199), product('star_flagship', 2999)]) {
    await placeOrder(shop, options);
    await placeOrder(shop, options).then((order) => say(shop, order, 'failed'));
    const order = await placeOrder(shop, options);
    await say(shop, order, 'paid', { amount: { amountMinor: options.body.price_minor, currency: 'USD' } });
    await deliver(shop, DONE);
  }
  for (const status of ['paid', 'failed', null] as const) {
    const player = await shop.logIn();
    await showRoles(shop, player);
    const coupon_code = await giveTestCoupon(shop.db, player.playerId);
    const answer = await pay(shop, player, { body: { product_id: 'star_540', price_minor: 799, coupon_code } });
    if (answer.code !== 1) throw new Error(`no order with a coupon: ${answer.text}`);
    const order = { billingNo: answer.content.billing_no as BillingNo, attemptNo: 1 };
    if (status) await report(shop.db, order, { status, amount: { amountMinor: 799, currency: 'USD' } });
    await deliver(shop, DONE);
  }
}

async function fillCards(shop: TestShop): Promise<void> {
  const [created] = await issueTestCards(shop.db, 1, {}, { isActive: false });
  const [spent, refunded, withdrawn, big] = await issueTestCards(shop.db, 5);
  if (!created || !spent || !refunded || !withdrawn || !big) throw new Error('no cards were made');
  await changeCards(shop.db, { cardId: withdrawn.cardId }, 'void');
  await payByCard(shop, spent, 'star_540', 999);
  await deliver(shop, DONE);
  const back = await payByCard(shop, refunded, 'star_540', 999);
  await refundInternal(shop, back);
  // A wrong password counts.
  const { playerId, ...player } = await shop.logIn();
  await showRoles(shop, { playerId, ...player });
  await pay(shop, { playerId, ...player }, {
    path: '/api/pay/card_pay',
    body: { product_id: 'star_540', price_minor: 999, card_info: cardInfo(big.cardId, 'WRONG') },
  }); // prettier-ignore
}

async function payByCard(
  shop: TestShop,
  card: { cardId: string; password: string },
  productId: string,
  price: number,
): Promise<BillingNo> {
  const player = await shop.logIn();
  await showRoles(shop, player);
  const body = { product_id: productId, price_minor: price, card_info: cardInfo(card.cardId, card.password) };
  const answer = await pay(shop, player, { path: '/api/pay/card_pay', body });
  if (answer.code !== 1) throw new Error(`no order by card: ${answer.text}`);
  return answer.content.billing_no as BillingNo;
}

/** Money of a card or a balance is back at once, as soon as the refund is worked off. */
async function refundInternal(shop: TestShop, billingNo: BillingNo): Promise<void> {
  const input = { attemptNo: null, reason: 'asked', isRevoking: false, isDone: false };
  const answer = await refundOrder(operatorOf(shop), billingNo, input);
  if (answer.kind !== 'done') throw new Error(answer.sentence);
  for (const claimed of await leaseRefunds(shop.db, 50, 60))
    await finishRefund(shop.db, claimed, { kind: 'done', ref: null, error: null, retrySeconds: 0 });
}

async function fillBalances(shop: TestShop): Promise<void> {
  for (const isRefunded of [false, true]) {
    const player = await shop.logIn();
    await showRoles(shop, player);
    await giveTestBalance(shop.db, player.playerId, 40, { kind: 'free' });
    await giveTestBalance(shop.db, player.playerId, 500, { external_id: randomUUID() });
    const answer = await pay(shop, player, { path: '/api/pay/platform_pay' });
    if (answer.code !== 1) throw new Error(`no order by balance: ${answer.text}`);
    if (isRefunded) await refundInternal(shop, answer.content.billing_no as BillingNo);
    else await deliver(shop, DONE);
  }
}

/** Goods that the game is asked to take back. */
async function fillRevocations(shop: TestShop): Promise<void> {
  const revoke = async () => refund(shop, await placeDelivered(shop), true);
  for (const result of [
    { kind: 'done', error: null, retrySeconds: null },
    { kind: 'declined', error: 'used up', retrySeconds: null },
    { kind: 'unknown', error: 'no answer', retrySeconds: null },
  ] as const) {
    await revoke();
    for (const claimed of await leaseRevocations(shop.db, 50, 60)) await finishRevocation(shop.db, claimed, result);
  }
  await revoke();
  await leaseRevocations(shop.db, 50, 60);
  await revoke();
}

/** Callbacks that belong to nothing here, came twice or were not signed. */
async function fillCallbacks(shop: TestShop): Promise<void> {
  const stranger = { reference: '01JZZZZZZZZZZZZZZZZZZZZZZZ-1' };
  await callBack(shop, eventOn(stranger, 'paid', { dedupKey: 'stranger-1' }));
  // A day later nobody waits for its order any more; the same word again says so.
  await callBack(shop, eventOn(stranger, 'paid', { dedupKey: 'stranger-2' }));
  await shop.db.query(
    `update callback_inbox set received_at = received_at - interval '2 days' where dedup_key = 'stranger-2'`,
  );
  await callBack(shop, eventOn(stranger, 'paid', { dedupKey: 'stranger-2' }));
  const order = await placePaid(shop);
  await say(shop, order, 'paid', { dedupKey: 'once more' });
  await callBack(shop, eventOn(order, 'paid'), { signature: 'bad' });
}

/** Values that nothing in the shop makes yet, with the reason; all others of the checks below must be in a filled database. */
const NOT_MADE: Readonly<Record<string, string>> = {};

/** Lists of allowed values in checks ("state = any ('{a,b}')") of which a database has no row: "delivery.state=dead". */
export async function listMissingValues(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ table: string; text: string }>(
    `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as text from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  const missing: string[] = [];
  for (const { table, text } of rows) {
    const [, column, list] = /^CHECK \(\((\w+) = ANY \('\{(.*)\}'::text\[\]\)\)\)$/.exec(text) ?? [];
    if (column === undefined || list === undefined) continue;
    const seen = await db.query<{ value: string }>(`select distinct ${column} as value from ${table}`);
    const values = new Set(seen.rows.map(({ value }) => value));
    missing.push(...list.split(',').filter((value) => !values.has(value)).map((value) => `${table}.${column}=${value}`)); // prettier-ignore
  }
  return missing.filter((name) => !(name in NOT_MADE));
}
