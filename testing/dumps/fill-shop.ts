// Fills a test shop with orders in every state, and with what stands beside them: for the stored databases that the
// upgrade test starts from (docs/decisions/0017). Everything is done by the shop's own code, told by scripted
// providers and games.
import type { BillingNo, BrandKey } from '#kernel/ids.ts';
import { withdrawCoupon } from '#server/modules/coupons/service.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { cancelUnpaidOrder } from '#server/modules/orders/operator/operate-cancel.ts';
import { deliverOrder } from '#server/modules/orders/operator/operate.ts';
import { leaseRevocations, finishRevocation } from '#server/modules/orders/refunds/refund-store.ts';
import { placeOrder as placeRow } from '#server/modules/orders/store.ts';
import { operatePoints } from '#server/modules/vip/store.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { issueBetaKey } from '#server/platform/http/beta.ts';
import { openSession } from '#server/platform/http/session.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { reportOn } from '#testing/fake-payments.ts';
import { makePlayer, placeInput, report } from '#testing/orders.ts';
import { PRICE, callBack, eventOn, pay, placeOrder, settleDepsOf, showRoles } from '#testing/pay.ts';
import { type TestShop, credentials } from '#testing/shop.ts';
import { fillBenefits } from './fill-benefits.ts';
import { fillErased } from './fill-erased.ts';
import { fillPayers } from './fill-payers.ts';
import { DONE, deliver, operatorOf, placeDelivered, placePaid, refund, say, workRefunds } from './fill-acts.ts';
import { addReceiver, fillOperator } from './fill-operator.ts';
import { fillTenders } from './fill-tenders.ts';

/** @param shop with the providers of `IN_PLACE`, and nothing in it yet */
export async function fillShop(shop: TestShop): Promise<void> {
  await addReceiver(shop);
  await fillAccounts(shop);
  await fillUnpaid(shop);
  // Before what leaves orders and refunds waiting.
  await fillBenefits(shop);
  await fillPayers(shop);
  await fillErased(shop);
  await fillDeliveries(shop);
  await fillRefunds(shop);
  await fillOddPayments(shop);
  await fillReservations(shop);
  await fillTenders(shop);
  await fillRevocations(shop);
  await fillCallbacks(shop);
  await fillReports(shop);
  await fillOperator(shop);
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(`the filled shop breaks invariants: ${JSON.stringify(broken)}`);
}

async function fillAccounts(shop: TestShop): Promise<void> {
  const password = 'correct horse';
  const brandKey = 'watt' as BrandKey;
  await shop.services.accounts.saveAccount({ brandKey, username: 'Kestrel', suid: 'suid-kestrel', password });
  await shop.post('/util/login/auth', credentials('Kestrel', password));
  await shop.post('/util/login/auth', credentials('Kestrel', 'wrong'));
  const { playerId } = await shop.logIn();
  for (const kind of ['sdk', 'replenish', 'api'] as const)
    await openSession(shop.db, { playerId, brandKey, kind, authMethod: 'ticket', replaces: null });
  await giveTestCoupon(shop.db, playerId);
  await giveTestCoupon(shop.db, playerId, { isClaimable: true, issueKey: 'level-3/2026-11' });
  await operatePoints(shop.db, playerId, 100);
  await issueBetaKey(shop.db, { brandKey, label: 'testers', days: 30, by: 'anna' });
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

async function fillRefunds(shop: TestShop): Promise<void> {
  for (const kind of ['done', 'pending', 'manual'] as const) {
    await refund(shop, await placePaid(shop));
    await workRefunds(shop, kind);
  }
  await refund(shop, await placeDelivered(shop));
  await workRefunds(shop, 'done');
  await refund(shop, await placePaid(shop));
  await workRefunds(shop, null);
  await refund(shop, await placePaid(shop));
}

/** Money that is not what was asked for, comes twice, too late, or goes back by itself. */
async function fillOddPayments(shop: TestShop): Promise<void> {
  await say(shop, await placeOrder(shop), 'paid', { amount: { amountMinor: 1, currency: 'USD' } });
  const twice = await placeOrder(shop);
  const other = await pay(shop, twice.player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } });
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
    `update callback_inbox set received_at = now() - interval '2 days' where dedup_key = 'stranger-2'`,
  );
  await callBack(shop, eventOn(stranger, 'paid', { dedupKey: 'stranger-2' }));
  const order = await placePaid(shop);
  await say(shop, order, 'paid', { dedupKey: 'once more' });
  await callBack(shop, eventOn(order, 'paid'), { signature: 'bad' });
}

/** Tables of which a stored database need have no row, with the reason; all others have some. */
export const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  archived_buyer: 'of months that are in files',
  archived_month: 'of months that are in files',
  backup_token: 'a quarter of an hour old at most',
  ledger_archived: 'of months that are in files',
  login_attempt: 'ten minutes old at most',
  login_link: 'ten minutes old at most',
  retention_end: 'written by the worker that ends what is over',
  running_process: 'a row for each server that runs',
  schema_left_over: 'functions that a migration drops, until calls that began before it are over',
  storefront_file: 'the files of a build, kept by the servers that serve them',
  wallet_nonce: 'a quarter of an hour old at most',
};

export async function listEmptyTables(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
  );
  const empty: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await db.query(`select from "${name}" limit 1`);
    if (rowCount === 0) empty.push(name);
  }
  return empty;
}

/** Columns of which a stored database need not have every value, with the reason; of all others it has. */
const NOT_FILLED: Readonly<Record<string, string>> = {
  'backup_record.kind': 'one row about the whole shop',
  'shop_environment.environment': 'a database belongs to one environment',
  'login_link.kind': 'ten minutes old at most',
  'login_attempt.display': 'ten minutes old at most',
  'login_attempt.purpose': 'ten minutes old at most',
};

/**
 * Lists of allowed values in checks ("state = any ('{a,b}')") of which a database has no row: "delivery.state=dead".
 */
export async function listMissingValues(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ table: string; text: string }>(
    `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as text from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace and conparentid = 0
       and not (select relispartition from pg_class where oid = conrelid) order by 1, 2`,
  );
  const missing: string[] = [];
  for (const { table, text } of rows) {
    const [, column, list] = /^CHECK \(\((\w+) = ANY \('\{(.*)\}'::text\[\]\)\)\)$/.exec(text) ?? [];
    if (column === undefined || list === undefined) continue;
    const seen = await db.query<{ value: string }>(`select distinct ${column} as value from ${table}`);
    const values = new Set(seen.rows.map(({ value }) => value));
    const lacking = list.split(',').filter((value) => !values.has(value));
    missing.push(...lacking.map((value) => `${table}.${column}=${value}`));
  }
  return missing.filter((name) => !(name.split('=', 1).join('') in NOT_FILLED));
}

/** Pages and players report faults, and their own acts. */
async function fillReports(shop: TestShop): Promise<void> {
  for (const [index, kind] of (['network', 'script', 'player'] as const).entries()) {
    const answer = await shop.post('/api/system/report', {
      reference: `AAAA-AAA${index}`,
      kind,
      path: '/api/pay/getOrderInfo',
      code: 0,
      page: '/my',
      language: 'en',
      build: 'b1',
      note: kind === 'player' ? 'It does not go on.' : '',
      time: Date.now(),
    });
    if (answer.code !== 1) throw new Error(`not reported: ${answer.text}`);
  }
  const dot = { event: 'goods_choose', id: 'WEBPAY-201-010', data: { product_id: 'star_260' } };
  const answer = await shop.post('/service/recharge/dot.php', dot);
  if (answer.code !== 1) throw new Error(`no event was taken: ${answer.text}`);
}
