// Proves an upgrade: a filled database of a version before is migrated, its open orders go on, somebody buys, and every
// invariant holds. Used by the test beside it and by `npm run chaos -- postgres`.
import type { BillingNo, BrandKey, PlayerId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { Currency } from '#kernel/money.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { createDeliveryLoop } from '#server/modules/orders/deliveries/deliver.ts';
import { createSteps } from '#server/modules/orders/steps/steps.ts';
import { openSession } from '#server/platform/http/session.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { WITH_TENDERS } from '#testing/cards.ts';
import type { TestDatabase } from '#testing/database.ts';
import { report } from '#testing/orders.ts';
import { callBack, eventOn, pay, showRoles, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

/** How many orders went which way after the migration; a broken invariant or an order that stands still throws. */
export type Upgraded = { readonly carriedOn: number; readonly delivered: number };

/** @param database migrated already; it is dropped at the end */
export async function tradeAfterUpgrade(database: TestDatabase): Promise<Upgraded> {
  const shop = await createTestShop({ ...WITH_TENDERS, database });
  try {
    await requireInvariants(shop, 'after the migration');
    const waiting = await payPending(shop);
    const before = await readOldPlayer(shop);
    const bought = [await buy(shop, await shop.logIn()), await buy(shop, before)];
    const delivered = await deliverAll(shop, [...waiting, ...bought]);
    await requireInvariants(shop, 'after trading');
    return { carriedOn: waiting.length, delivered };
  } finally {
    await shop.close();
  }
}

async function requireInvariants(shop: TestShop, when: string): Promise<void> {
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(`${when} invariants are broken: ${JSON.stringify(broken)}`);
}

/** Orders that waited for their money when the shop went down are paid now. */
async function payPending(shop: TestShop): Promise<BillingNo[]> {
  type Waiting = {
    billing_no: BillingNo;
    attempt_no: number;
    provider: string;
    amount_minor: number;
    currency: Currency;
  };
  const { rows } = await shop.db.query<Waiting>(
    `select a.billing_no, a.attempt_no, a.provider, a.amount_minor, a.currency from payment_attempt a
     join orders o on o.player_id = a.player_id and o.billing_no = a.billing_no and o.current_attempt = a.attempt_no
     where a.is_open and o.is_unpaid order by 1`,
  );
  for (const row of rows) {
    const order = { billingNo: row.billing_no, attemptNo: row.attempt_no };
    await report(shop.db, order, { provider: row.provider, amount: money(row.amount_minor, row.currency) });
  }
  return rows.map((row) => row.billing_no);
}

/** A player who had goods delivered before, with a session of now. */
async function readOldPlayer(shop: TestShop): Promise<TestPlayer> {
  const { rows } = await shop.db.query<{ playerId: PlayerId; suid: string; username: string; brand: BrandKey }>(
    `select p.player_id as "playerId", p.suid, p.username, p.brand_key as brand from player p
     where exists (select from orders o
         where o.player_id = p.player_id and o.state = 'delivered' and o.product_id = 'star_50')
       and not exists (select from orders o where o.player_id = p.player_id and o.is_unpaid) order by 1 limit 1`,
  );
  const [player] = rows;
  if (!player) throw new Error('the stored database has no player with delivered goods');
  const { token } = await openSession(shop.db, {
    playerId: player.playerId,
    brandKey: player.brand,
    kind: 'web',
    authMethod: 'password',
    replaces: null,
  });
  return { ...player, token };
}

async function buy(shop: TestShop, player: TestPlayer): Promise<BillingNo> {
  await showRoles(shop, player);
  const answer = await pay(shop, player);
  if (answer.code !== 1) throw new Error(`nothing can be bought: ${answer.text}`);
  const billingNo = answer.content.billing_no as BillingNo;
  const callback = await callBack(shop, eventOn({ reference: `${billingNo}-1` }, 'paid'));
  if (callback.status !== 202) throw new Error(`the callback was refused: ${callback.status} ${callback.text}`);
  return billingNo;
}

/** By the real loop: also what was under way when the shop went down, and what the game did not answer. */
async function deliverAll(shop: TestShop, expected: readonly BillingNo[]): Promise<number> {
  const { db, log, config } = shop.services;
  await db.query(`update delivery set next_at = now() where state in ('queued', 'calling', 'unknown')`);
  const loop = createDeliveryLoop({
    db,
    steps: createSteps(db, { isSharing: true }),
    log,
    environment: config.environment,
    gameServer: () => shop.game,
    onDeclined: () => 'review',
    random: () => 0,
  });
  loop.start();
  try {
    await waitUntil('nothing is left to deliver', async () => (await countOpenDeliveries(db)) === 0, 30_000);
  } finally {
    await loop.stop();
  }
  for (const billingNo of expected) {
    const { state } = await stateOf(shop, billingNo);
    if (state !== 'delivered') throw new Error(`order ${billingNo} is ${state}, not delivered`);
  }
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from orders where state = 'delivered'`,
  );
  return rows[0]?.count ?? 0;
}

async function countOpenDeliveries(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from delivery where state in ('queued', 'calling', 'unknown')`,
  );
  return rows[0]?.count ?? 0;
}
