// Orders that a restored database does not know: what happened after the backup is played in one copy of a database,
// and its facts are adopted by the other copy.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BillingNo, BrandKey, PlayerId, ReplenishId } from '#kernel/ids.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { hashCard } from '#server/modules/giftcards/card-secret.ts';
import type { IssuedCard } from '#server/modules/giftcards/issue-cards.ts';
import { type PlaceInput, placeOrder } from '#server/modules/orders/store.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { TEST_PEPPER, issueTestCards } from '#testing/cards.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { createTestDatabase, openTestDatabase } from '#testing/database.ts';
import {
  deliverAll,
  type PlaceChanges,
  makePlayer,
  placeInput,
  placeTestOrder,
  promoOf,
  report,
} from '#testing/orders.ts';
import { type RecoveryFacts, adoptOrder } from './recovery-store.ts';

/** These rows are in the backup. */
let base: Awaited<ReturnType<typeof openTestDatabase>>;
let player: PlayerId;
let neighbour: PlayerId;
let card: IssuedCard;
let dearCard: IssuedCard;
let coupon: string;
/** The database that was lost, and the restored one. */
let lost: Db;
let here: Db;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  base = await openTestDatabase(2);
  [player, neighbour] = [await makePlayer(base.db), await makePlayer(base.db)];
  await base.db.query(`insert into player_identity (brand_key, provider, subject, player_id) values
    ('watt', 'test', 'kestrel', '${player}')`);
  [card] = (await issueTestCards(base.db, 1)) as [IssuedCard];
  [dearCard] = (await issueTestCards(base.db, 1, { face_minor: 2000 })) as [IssuedCard];
  coupon = await giveTestCoupon(base.db, player);
  await giveTestBalance(base.db, player, 600);
  await giveTestBalance(base.db, player, 200, { kind: 'free' });
  await base.db.query(`insert into product_stock (game_id, product_id, total) values ('starlane', 'star_60', 1)`);
  await base.db.end();
});
afterAll(() => base.drop().catch(() => undefined));
beforeEach(async () => {
  const open = async () => {
    const { url, drop } = await createTestDatabase(base.url);
    const db = openDb(url, { max: 2, onError: () => undefined });
    ends.push(async () => {
      await db.end();
      await drop();
    });
    return db;
  };
  [lost, here] = [await open(), await open()];
});
afterEach(async () => {
  try {
    for (const db of [lost, here]) {
      const broken = await brokenIn(db);
      if (broken.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken)}`);
    }
  } finally {
    await Promise.all(ends.splice(0).map((end) => end()));
  }
});

const brokenIn = async (db: Db) => (await db.query('select * from invariant_breach where breaches > 0')).rows;

/** Bought and delivered; its facts, as the game gets them with the grant. */
async function buy(db: Db, changes: PlaceChanges = {}, who = player): Promise<RecoveryFacts> {
  const input = placeInput(who, changes);
  const { outcome } = input.tender ? await placeOrder(db, input) : await placePaid(db, input);
  if (outcome !== 'paid') throw new Error(`not paid: ${outcome}`);
  const facts = await factsOf(db, input.billing_no);
  await deliverAll(db);
  return facts;
}

/** Paid at its provider, what the order came to. */
async function placePaid(db: Db, input: PlaceInput) {
  const order = await placeTestOrder(db, input);
  const { rows } = await db.query<{ amount_minor: number }>(`select amount_minor from orders where billing_no = $1`, [
    input.billing_no,
  ]);
  const amount = { amountMinor: rows[0]?.amount_minor ?? 0, currency: 'USD' as const };
  return report(db, order, { amount, captureRef: `C-${input.billing_no}` });
}

async function factsOf(db: Db, billingNo: string): Promise<RecoveryFacts> {
  const { rows } = await db.query<{ facts: RecoveryFacts }>(
    'select recovery_facts(player_id, billing_no) as facts from orders where billing_no = $1',
    [billingNo],
  );
  const facts = rows[0]?.facts;
  if (!facts) throw new Error(`no facts of ${billingNo}`);
  return facts;
}

const adopt = (facts: RecoveryFacts, db = here) => adoptOrder(db, facts, `R-${facts.billing_no}`);

/** All that the books say of an order, but the moments at which it was written. */
async function booksOf(db: Db, billingNo: string) {
  const select = async (text: string) => (await db.query(text, [billingNo])).rows;
  return {
    order: await select(`select player_id, brand_key, game_id, client_id, product_id, server_id, server_name, area_id,
      role_id, role_name, product, amount_minor, discount_minor, coupon_code, promo_code, currency, region, country,
      language, state, points, current_attempt, replenish_id, paid_at, created_at, adopted_at is not null as is_adopted
      from orders where billing_no = $1`),
    attempts: await select(`select attempt_no, provider, channel_key, channel_name, amount_minor, currency, state,
      provider_ref, capture_ref from payment_attempt where billing_no = $1`),
    delivery: await select('select game_id, state, receipt_id from delivery where billing_no = $1'),
    ledger: await select(`select kind, attempt_no, account, amount_minor, currency from ledger_entry
      where billing_no = $1 order by 1, 2, 3`),
    reserved: await select(`select kind, game_id, product_id, subject, period, cap, state from reservation
      where billing_no = $1 order by 1`),
    points: await select('select kind, points from points_entry where billing_no = $1'),
    wallet: await select(`select t.type, e.kind, e.amount_minor
        from wallet_txn t join wallet_entry e using (player_id, txn_id)
      where t.billing_no = $1 order by 1, 2`),
    card: await select('select card_id, state, player_id, attempt_no, rest_minor from gift_card where billing_no = $1'),
  };
}

async function demandSame(billingNo: string) {
  const [there, adopted] = [await booksOf(lost, billingNo), await booksOf(here, billingNo)];
  expect(adopted.order).toMatchObject([{ is_adopted: true }]);
  const unmark = (books: typeof there) => ({
    ...books,
    order: books.order.map((row) => ({ ...row, is_adopted: null })),
  });
  expect(unmark(adopted)).toEqual(unmark(there));
}

function byCard(one: IssuedCard, amountMinor = 999): PlaceChanges {
  const { cardId, cardKey, passwordHmac } = hashCard(TEST_PEPPER, one.cardId, one.password);
  return {
    provider: 'card',
    channel_key: '10301_',
    channel_name: { en: 'Prepaid card' },
    amount_minor: amountMinor,
    product_id: 'star_540',
    tender: {
      kind: 'card',
      purpose: 'pay',
      channel: 'card',
      card_id: cardId,
      card_key: cardKey,
      password_hmac: passwordHmac,
      network: '10.0.0.0/24',
      keeps_rest: true,
    },
  };
}
const byBalance = (amountMinor: number): PlaceChanges => ({
  provider: 'wallet',
  channel_key: '10801_',
  channel_name: { en: 'Store balance' },
  amount_minor: amountMinor,
  product_id: 'star_300',
  tender: { kind: 'wallet', spends: 'free_first' },
});
const RICH: PlaceChanges = {
  limit: { times: 1, days: null, subject: 'role:r1' },
  has_stock: true,
  points_rate: { points: 1, per_minor: 100 },
  promo: promoOf({ code: 'HELLO', rate: '0.9', total: 1 }),
  first_bonus: { season: '1', gifts: [{ id: 'gem', name: 'Gem', count: 5 }], is_told: true },
};

describe('an order paid at a provider', () => {
  test('stands in the books as it did, with all that it used up', async () => {
    const facts = await buy(lost, { ...RICH, coupon: { code: coupon, min_charge_minor: 1, quoted_minor: null } });
    expect(await adopt(facts)).toEqual({ outcome: 'adopted', player_id: player, decisions: [] });
    await demandSame(facts.billing_no);
    const { rows } = await here.query('select provider_ref from provider_reference where billing_no = $1', [
      facts.billing_no,
    ]);
    expect(rows).toEqual([{ provider_ref: `P-${facts.billing_no}-1` }]);
  });

  test('is adopted once, also when two try together', async () => {
    const facts = await buy(lost);
    const outcomes = await Promise.all([adopt(facts), adopt(facts)]);
    expect(outcomes.map((one) => one.outcome).toSorted()).toEqual(['adopted', 'known']);
    expect(await adopt(facts)).toMatchObject({ outcome: 'known' });
    await demandSame(facts.billing_no);
  });

  test.each(['pending', 'expired', 'paid'])('that was %s here is brought to its end', async (state) => {
    const input = placeInput(player, { limit: { times: 1, days: null, subject: 'game' } });
    // The same order in both: placed before the backup, paid after it.
    for (const db of [lost, here]) await placeTestOrder(db, input);
    const order = { billingNo: input.billing_no, attemptNo: 1 };
    await report(lost, order, { captureRef: 'C' });
    const facts = await factsOf(lost, input.billing_no);
    await deliverAll(lost);
    if (state === 'expired') await report(here, order, { status: 'expired', amount: null, captureRef: null });
    if (state === 'paid') await report(here, order, { captureRef: 'C' });
    expect(await adopt(facts)).toMatchObject({ outcome: 'adopted' });
    const { order: adopted, ledger, reserved } = await booksOf(here, input.billing_no);
    expect(adopted).toMatchObject([{ state: 'delivered', is_adopted: true }]);
    expect({ ledger, reserved }).toEqual(
      (({ ledger: l, reserved: r }) => ({ ledger: l, reserved: r }))(await booksOf(lost, input.billing_no)),
    );
  });

  test('by a second attempt that only the lost database knew', async () => {
    const input = placeInput(player);
    for (const db of [lost, here]) await placeTestOrder(db, input);
    await lost.query(`update payment_attempt set state = 'failed'`);
    await lost.query(
      `insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name,
      channel_id, amount_minor, currency, state, payable_until)
        values ($1, $2, 2, 'adyen', '10101_', '{"en": "Card"}', '', 499,
      'USD', 'redirected', now())`,
      [player, input.billing_no],
    );
    await lost.query(`update orders set current_attempt = 2`);
    await report(lost, { billingNo: input.billing_no, attemptNo: 2 }, { provider: 'adyen' });
    const facts = await factsOf(lost, input.billing_no);
    expect(await adopt(facts)).toMatchObject({ outcome: 'adopted' });
    expect((await booksOf(here, input.billing_no)).attempts).toMatchObject([
      { attempt_no: 1, state: 'redirected' },
      { attempt_no: 2, state: 'succeeded', provider: 'adyen' },
    ]);
    // The page of the first one may still be paid: that comes on top, and goes back.
    const late = await report(here, { billingNo: input.billing_no, attemptNo: 1 }, { captureRef: 'LATE' });
    expect(late).toMatchObject({ outcome: 'overpayment' });
  });

  test('whose money a person gave back here stays decided', async () => {
    const input = placeInput(player);
    for (const db of [lost, here]) await placeTestOrder(db, input);
    const order = { billingNo: input.billing_no, attemptNo: 1 };
    await report(lost, order);
    const facts = await factsOf(lost, input.billing_no);
    await report(here, order);
    await report(here, order, { status: 'refunded' });
    const before = await booksOf(here, input.billing_no);
    expect(await adopt(facts)).toMatchObject({ outcome: 'decided_here', decisions: [] });
    expect(await booksOf(here, input.billing_no)).toEqual(before);
  });

  test('of a player who came in the lost time, also when they logged in again since', async () => {
    const stranger = await makePlayer(lost);
    await lost.query(
      `insert into player_identity (brand_key, provider, subject, player_id) values ('watt', 'test', 'stranger', $1)`,
      [stranger],
    );
    const facts = [await buy(lost, {}, stranger), await buy(lost, {}, stranger)] as const;
    expect(await adopt(facts[0])).toMatchObject({ outcome: 'adopted', player_id: stranger });
    const { rows } = await here.query(`select player_id from player_identity where subject = 'stranger'`);
    expect(rows).toEqual([{ player_id: stranger }]);
    // Another copy, in which the same person has a new row.
    await here.query(`update player_identity set player_id = $1 where subject = 'stranger'`, [neighbour]);
    await here.query('update orders set player_id = $1 where player_id = $2', [stranger, stranger]);
    const second = { ...facts[1], player_id: randomUUID() as PlayerId };
    expect(await adopt(second)).toMatchObject({ outcome: 'adopted', player_id: neighbour });
  });
});

describe('what was used again after the backup was brought back', () => {
  test('a card pays the first order; the second is left without money', async () => {
    const facts = await buy(lost, byCard(card));
    const second = await buy(here, byCard(card), neighbour);
    expect(await adopt(facts)).toEqual({
      outcome: 'adopted',
      player_id: player,
      decisions: [{ decision: 'card_spent_twice', card: card.cardId, second: second.billing_no }],
    });
    await demandSame(facts.billing_no);
    const { order, ledger } = await booksOf(here, second.billing_no);
    expect(order).toMatchObject([{ state: 'delivered' }]);
    expect(ledger.filter((row) => row.kind === 'chargeback')).toMatchObject([
      { account: 'chargeback_loss', amount_minor: 999 },
      { account: 'provider_receivable', amount_minor: -999 },
    ]);
  });

  test('the rest of a card goes with it, and a person decides where it is spent', async () => {
    const facts = await buy(lost, byCard(dearCard));
    const second = await buy(here, byCard(dearCard), neighbour);
    expect(await adopt(facts)).toMatchObject({ outcome: 'adopted', decisions: [{ second: second.billing_no }] });
    const { rows } = await here.query(
      `select player_id, balance_minor from wallet_account where kind = 'paid' and player_id = any($1)
        order by balance_minor`,
      [[player, neighbour]],
    );
    expect(rows).toEqual([
      { player_id: neighbour, balance_minor: 0 },
      { player_id: player, balance_minor: 600 + 2000 - 999 },
    ]);
  });

  test('the rest of a card that is spent as well is a decision', async () => {
    const facts = await buy(lost, byCard(dearCard));
    const second = await buy(here, byCard(dearCard), neighbour);
    await buy(here, byBalance(1001), neighbour);
    const before = await booksOf(here, second.billing_no);
    expect(await adopt(facts)).toMatchObject({ outcome: 'rest_of_card_spent', decisions: [] });
    expect(await booksOf(here, second.billing_no)).toEqual(before);
    expect((await booksOf(here, facts.billing_no)).order).toEqual([]);
  });

  test('a balance: the youngest orders lose it, as many as must', async () => {
    const facts = await buy(lost, byBalance(500));
    const later = [await buy(here, byBalance(300)), await buy(here, byBalance(400))] as const;
    expect(await adopt(facts)).toMatchObject({
      outcome: 'adopted',
      decisions: [{ decision: 'balance_spent_twice', second: later[1].billing_no }],
    });
    expect((await booksOf(here, facts.billing_no)).wallet).toMatchObject([
      { kind: 'paid', amount_minor: -500 },
      { kind: 'sales', amount_minor: 500 },
    ]);
    expect((await booksOf(here, later[0].billing_no)).ledger.map((row) => row.kind)).not.toContain('chargeback');
    expect((await booksOf(here, later[1].billing_no)).ledger.map((row) => row.kind)).toContain('chargeback');
  });

  test('a balance that was credited in the lost time is waited for', async () => {
    await giveTestBalance(lost, player, 5000, { external_id: 'credit-1' });
    const facts = await buy(lost, byBalance(4000));
    expect(await adopt(facts)).toMatchObject({ outcome: 'balance_missing' });
    await giveTestBalance(here, player, 5000, { external_id: 'credit-1' });
    expect(await adopt(facts)).toMatchObject({ outcome: 'adopted', decisions: [] });
    await demandSame(facts.billing_no);
  });

  test("a coupon is the first order's; the second keeps its price", async () => {
    const withCoupon: PlaceChanges = { coupon: { code: coupon, min_charge_minor: 1, quoted_minor: null } };
    const facts = await buy(lost, withCoupon);
    const second = await buy(here, { ...withCoupon, product_id: 'star_300' });
    expect(await adopt(facts)).toMatchObject({
      outcome: 'adopted',
      decisions: [{ decision: 'coupon_used_twice', coupon, second: second.billing_no }],
    });
    await demandSame(facts.billing_no);
    const { rows } = await here.query('select code, billing_no, source from coupon order by code');
    expect(rows).toEqual([
      { code: coupon, billing_no: facts.billing_no, source: 'test' },
      { code: `${coupon}#${second.billing_no}`, billing_no: second.billing_no, source: 'recovery' },
    ]);
  });

  test('a coupon that was given in the lost time comes along', async () => {
    const given = await giveTestCoupon(lost, player, { brandKey: 'watt' as BrandKey, issueKey: 'level:3' });
    const again = await giveTestCoupon(here, player, { brandKey: 'watt' as BrandKey, issueKey: 'level:3' });
    const facts = await buy(lost, { coupon: { code: given, min_charge_minor: 1, quoted_minor: null } });
    expect(await adopt(facts)).toMatchObject({ outcome: 'adopted', decisions: [] });
    const { rows } = await here.query('select code, state from coupon where code = any($1)', [[given, again]]);
    expect(rows).toEqual([{ code: given, state: 'taken' }]);
    await demandSame(facts.billing_no);
  });

  test('limit, stock, bonus and promo code give way, and say so', async () => {
    const facts = await buy(lost, RICH);
    const second = await buy(here, RICH);
    const { outcome, decisions } = await adopt(facts);
    expect(outcome).toBe('adopted');
    expect(decisions).toEqual([
      { decision: 'bonus_given_twice', second: second.billing_no },
      { decision: 'code_exceeded', code: 'HELLO' },
      { decision: 'limit_exceeded', used: 2, cap: 1 },
      { decision: 'stock_exceeded', used: 2, total: 1 },
    ]);
  });
});

test('who the player became known as since the payment is no part of the facts', async () => {
  const facts = await buy(lost);
  await lost.query(`insert into player_identity (brand_key, provider, subject, player_id) values
    ('watt', 'test', 'later', '${player}')`);
  expect(await factsOf(lost, facts.billing_no)).toEqual(facts);
});

describe('a make-up payment', () => {
  const replenishId = 'RP-01ARZ3NDEKTSV4RRFFQ69G5FAV' as ReplenishId;
  const open = (db: Db) =>
    db.query(
      `insert into replenish (replenish_id, player_id, brand_key, game_id, client_id, amount_minor, currency, reason,
         opened_by, expires_at)
       values ($1, $2, 'watt', 'starlane', '70021', 499, 'USD', 'r', 't', now() + interval '1 day')`,
      [replenishId, player],
    );
  const buyIt = (db: Db) => buy(db, { replenish_id: replenishId });

  test('that was opened in the lost time is opened again, and sold', async () => {
    await open(lost);
    const facts = await buyIt(lost);
    expect(await adopt(facts)).toMatchObject({ outcome: 'adopted', decisions: [] });
    await demandSame(facts.billing_no);
    const { rows } = await here.query('select state, billing_no from replenish');
    expect(rows).toEqual([{ state: 'taken', billing_no: facts.billing_no }]);
  });

  test('that the restored database knows is sold there', async () => {
    for (const db of [lost, here]) await open(db);
    const facts = await buyIt(lost);
    expect(await adopt({ ...facts, replenish: null } as RecoveryFacts)).toMatchObject({ outcome: 'adopted' });
    expect((await here.query('select state from replenish')).rows).toEqual([{ state: 'taken' }]);
  });

  test('that nobody knows how it was opened, or that was paid here as well, waits for a person', async () => {
    await open(lost);
    const facts = await buyIt(lost);
    const unknown = { ...facts, replenish: null } as RecoveryFacts;
    expect(await adopt(unknown)).toMatchObject({ outcome: 'replenish_unknown', decisions: [] });
    expect((await here.query('select from replenish')).rowCount).toBe(0);
    await open(here);
    await buyIt(here);
    expect(await adopt(facts)).toMatchObject({ outcome: 'replenish_paid_twice', decisions: [] });
  });
});

test('facts without what decides raise', async () => {
  const facts = await buy(lost);
  for (const key of ['amount_minor', 'product', 'attempt', 'suid', 'paid_at'])
    await expect(adopt({ ...facts, [key]: null } as RecoveryFacts)).rejects.toMatchObject({ code: '22004' });
  const none = await here.query('select from orders where billing_no = $1', [facts.billing_no as BillingNo]);
  expect(none.rows).toEqual([]);
});
