// Erasing and exporting persons of a filled shop: orders in every state, all tenders, and the books equal before and
// after.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { addIdentity } from '#server/modules/accounts/logins/identity-store.ts';
import { ensurePlayer } from '#server/modules/accounts/store.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { refundOrder } from '#server/modules/orders/operator/operate.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import { openSession } from '#server/platform/http/session.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { WITH_TENDERS } from '#testing/cards.ts';
import { makePlayer, placeInput, placeTestOrder, promoOf, report } from '#testing/orders.ts';
import { PRICE, orderInfo, placeOrder as placeShopOrder, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { DONE, deliver, operatorOf, placeDelivered, placePaid, say, workRefunds } from '#testing/dumps/fill-acts.ts';
import { fillShop } from '#testing/dumps/fill-shop.ts';
import { EXPORTED, exportPerson, exportedColumns, secretsOf } from '#server/modules/privacy/export-person.ts';
import { makeErasePlan } from './erase-plan.ts';
import { askErasure, findErasure, findLastErasure, leaseErasures } from './erasure-store.ts';
import { erase, eraseDue, previewErase } from '#server/modules/privacy/service.ts';

const brandKey = 'watt' as BrandKey;
let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
  await fillShop(shop);
}, 120_000);
afterAll(() => shop.close());

/** Erasing must leave every sum of the books as it was, by what they are kept for. */
async function readBooks(): Promise<unknown> {
  const { rows } = await shop.db.query(`
    select 'ledger' as book, account as what, currency, sum(amount_minor)::text as total, count(*)::text as rows
      from ledger_entry group by 2, 3
    union all select 'wallet', 'all', currency, sum(balance_minor)::text, '' from wallet_account group by 3
    union all select 'orders', state, currency, sum(amount_minor)::text, count(*)::text from orders group by 2, 3
    union all select 'points', kind, '', sum(points)::text, count(*)::text from points_entry group by 2
    union all select 'shares', creator, currency, sum(amount_minor)::text, count(*)::text
    from creator_entry group by 2, 3
    union all select 'cards', state, '', count(*)::text, '' from gift_card group by 2
    union all select 'codes', code, '', used::text, '' from promo_code
    union all select 'stock', product_id, '', used::text, '' from product_stock
    union all select 'limits', product_id, '', sum(used)::text, '' from limit_counter group by 2
    order by 1, 2, 3`);
  return rows;
}
const broken = async () => (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
const eraseOf = (playerId: PlayerId, givesUpBalance = false) =>
  erase(shop.db, { playerId, givesUpBalance, by: 'anna' });

/** Every text of the database in which one of these stands, as table.column. */
async function findTexts(words: readonly string[]): Promise<string[]> {
  const { rows: columns } = await shop.db.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.atttypid in ('text'::regtype, 'jsonb'::regtype, 'json'::regtype)`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rowCount } = await shop.db.query(
      `select from ${table} where exists (select from unnest($1::text[]) w
        where ${column}::text ~ ('(^|[^a-z0-9])' || w || '($|[^a-z0-9])')) limit 1`,
      [words],
    );
    if (rowCount !== 0) found.push(`${table}.${column}`);
  }
  return found;
}

test('every player of the filled shop is erased or refused with a reason, and the books are the same', async () => {
  const before = await readBooks();
  const { rows: players } = await shop.db.query<{ player_id: PlayerId; states: string[]; erased_at: Date | null }>(
    `select p.player_id, p.erased_at, array(select o.state from orders o where o.player_id = p.player_id) as states
      from player p`,
  );
  const reasons = new Set<string>();
  const erased = new Set<string>();
  for (const { player_id: playerId, states, erased_at: at } of players) {
    const answer = await eraseOf(playerId);
    expect(['erased', 'refused', 'erased_before']).toContain(answer.outcome);
    expect(answer.outcome === 'erased_before').toBe(at !== null);
    if (answer.outcome === 'refused') for (const { reason } of answer.refusals) reasons.add(reason);
    if (answer.outcome === 'erased') for (const state of states) erased.add(state);
  }
  expect(await readBooks()).toEqual(before);
  expect(await broken()).toEqual([]);
  expect([...erased].toSorted()).toEqual(['cancelled', 'delivered', 'expired', 'failed', 'refunded']);
  const all = ['balance', 'dispute', 'goods_under_way', 'makeup_open', 'open_order', 'refund_due', 'review'];
  expect([...reasons].toSorted()).toEqual(all);
}, 60_000);

test('a payment that may still be made, or a callback that waits, stands in the way', async () => {
  const { billingNo, player } = await expired();
  expect(await eraseOf(player.playerId)).toMatchObject({
    outcome: 'refused',
    refusals: [{ reason: 'money_under_way', billing_no: billingNo }],
  });
  await shop.db.query(`update payment_attempt set state = 'expired' where billing_no = $1`, [billingNo]);
  expect((await previewErase(shop.db, { playerId: player.playerId, givesUpBalance: false, by: 'anna' })).outcome).toBe(
    'erased',
  );
  await shop.db.query(`update callback_inbox set state = 'stored' where billing_no = $1`, [billingNo]);
  expect(await eraseOf(player.playerId)).toMatchObject({
    outcome: 'refused',
    refusals: [{ reason: 'money_under_way' }],
  });
});

/** An order that is closed, whose provider's page can be paid for another hour. */
async function expired() {
  const order = await placeShopOrder(shop);
  await say(shop, order, 'expired');
  await shop.db.query(
    `update payment_attempt set state = 'redirected', payable_until = now() + interval '1 hour' where billing_no = $1`,
    [order.billingNo],
  );
  return order;
}

describe('one player with all that belongs to them', () => {
  const named = { suid: 'u-melusine', username: 'Melusine of Lusignan', role: 'Drakefoot' };

  async function makeMelusine() {
    const order = await placeDelivered(shop);
    const { playerId } = order.player;
    await shop.db.query('update player set suid = $2, username = $3 where player_id = $1', [
      playerId,
      named.suid,
      named.username,
    ]);
    await shop.db.query(
      `update orders set suid = $2, username = $3, role_name = $4, role_id = 'r-melusine',
        origin = '{"did": "d-melusine"}' where player_id = $1`,
      [playerId, named.suid, named.username, named.role],
    );
    await shop.db.query(`update player_role set name = $2, role_id = 'r-melusine' where player_id = $1`, [
      playerId,
      named.role,
    ]);
    await addIdentity(shop.db, { brandKey, provider: 'google', subject: 'g-melusine' }, playerId);
    await shop.db.query(
      `insert into audit_entry (actor, act, details) values ('anna', 'coupon-issue', $1), ('anna', 'account-add', $2)`,
      [
        JSON.stringify({ brand: 'watt', player: `user_id:${named.suid}` }),
        JSON.stringify({ brand: 'watt', suid: named.suid }),
      ],
    );
    return order;
  }
  const words = ['melusine', named.suid, named.username, named.role, 'r-melusine', 'g-melusine', 'd-melusine'];

  test('nothing of the person is left in any table, and what was paid can still go back', async () => {
    const order = await makeMelusine();
    const { playerId } = order.player;
    expect((await findTexts(words)).length).toBeGreaterThan(5);
    expect(await previewErase(shop.db, { playerId, givesUpBalance: false, by: 'anna' })).toMatchObject({
      outcome: 'erased',
    });
    // A look changes nothing.
    expect((await findTexts(words)).length).toBeGreaterThan(5);
    expect((await eraseOf(playerId)).outcome).toBe('erased');
    expect(await findTexts(words)).toEqual([]);
    expect((await eraseOf(playerId)).outcome).toBe('erased_before');
    const { rows } = await shop.db.query(
      `select o.suid = p.suid as is_one, o.suid ~ '^erased-[0-9a-f]{16}$' as is_pseudonym,
       o.role_name ~ '^erased-' as is_role
       from orders o join player p using (player_id) where player_id = $1`,
      [playerId],
    );
    expect(rows).toEqual([{ is_one: true, is_pseudonym: true, is_role: true }]);
    const { rows: audit } = await shop.db.query(
      `select act, details from audit_entry where details::text like '%' || $1 || '%' order by id`,
      [playerId],
    );
    expect(audit).toEqual([
      { act: 'coupon-issue', details: { brand: 'watt', player: playerId } },
      { act: 'account-add', details: { brand: 'watt', suid: playerId } },
      { act: 'person-erase', details: { player: playerId } },
    ]);

    // The session is over, and with it the order is nobody's page any more.
    expect((await orderInfo(shop, order)).code).toBe(-600);
    // A late refund, and a bank that takes the money of another order back.
    const asked = await refundOrder(operatorOf(shop), order.billingNo, {
      attemptNo: null,
      reason: 'asked late',
      isRevoking: true,
      isDone: false,
    });
    expect(asked.kind).toBe('done');
    await workRefunds(shop, 'done');
    expect((await stateOf(shop, order.billingNo)).state).toBe('refunded');
    const other = await placeDelivered(shop);
    expect((await eraseOf(other.player.playerId)).outcome).toBe('erased');
    await say(shop, other, 'chargeback');
    expect((await stateOf(shop, other.billingNo)).review_reason).toBe('chargeback');
    expect(await broken()).toEqual([]);
  });

  test('money that comes late for an erased player goes back, and no goods go out', async () => {
    const order = await placeShopOrder(shop);
    await say(shop, order, 'expired');
    expect((await eraseOf(order.player.playerId)).outcome).toBe('erased');
    await say(shop, order, 'paid', { amount: PRICE });
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'refund_due', delivery: null });
    expect(await broken()).toEqual([]);
  });

  test('the audit takes no other change', async () => {
    const change = (text: string) => expect(shop.db.query(text)).rejects.toThrow('append-only');
    await change(`update audit_entry set details = '{}'`);
    await change(`update audit_entry set actor = 'somebody'`);
    await change('delete from audit_entry');
    const { player } = await placeDelivered(shop);
    await change(
      `do $$ begin perform set_config('refill.erases', '${player.playerId}', true); update audit_entry set ` +
        `details = '{"a": 1}'; end $$`,
    );
  });
});

describe('what is not had anew by erasing', () => {
  const google = { brandKey, provider: 'google', subject: 'g-again' };
  const logInAgain = async (suid: string) => {
    const playerId = await ensurePlayer(shop.db, { ...google, suid, username: 'again' });
    if (!playerId) throw new Error('no player');
    return playerId;
  };
  const carried = async (playerId: PlayerId, subject: string, product = '', game = '', period = 'ever') => {
    const { rows } = await shop.db.query<{ used: number }>('select carried_uses($1, $2, $3, $4, $5) as used', [
      playerId,
      game,
      product,
      subject,
      period,
    ]);
    return rows[0]?.used;
  };

  test('limits, bonuses, codes, offers, rewards, the age of a minor and a pause come along with the account', async () => {
    const { player } = await placeDelivered(shop);
    await addIdentity(shop.db, google, player.playerId);
    const year = new Date().getUTCFullYear() - 12;
    const values = [player.playerId];
    // A daily reward is claimed on its own day (I42).
    const today = new Date().toISOString().slice(0, 10);
    for (const text of [
      `insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap) values
        ($1, 'starlane', 'star_980', 'role:70021//s1/r1', 'ever', 0, 1)`,
      `insert into reward (player_id, account_id, reward_no, issue_key, brand_key, game_id, client_id, server_id, area_id, role_id,
         role_name, suid, product_id, gifts, title, basis, state, receipt_id)
       values ($1, $1, 'RW-00000000000000000000000001', 'event/starlane/daily/${today}', 'watt',
         'starlane', '70021', 's1', '', 'r1',
         'x', 'u', 'p', '[]', '{}', '{"kind": "daily", "day": "${today}", "streak": 1, "time_zone": "UTC"}',
         'rejected', null)`,
      `insert into age_declaration (player_id, birth_year, birth_month, has_consent) values ($1, ${year}, 12, true)`,
      `insert into spending_pause (player_id, paused_until) values ($1, now() + interval '20 days')`,
    ])
      await shop.db.query(text, values);
    expect((await eraseOf(player.playerId)).outcome).toBe('erased');
    const again = await logInAgain('g-again');
    expect(again).not.toBe(player.playerId);
    expect(await carried(again, 'purchase')).toBe(1);
    // Uses that were released, or refused by the game, are free again.
    expect(await carried(again, 'role:70021//s1/r1', 'star_980', 'starlane')).toBe(0);
    expect(await carried(again, 'reward', `event/starlane/daily/${today}`)).toBe(0);
    const { rows } = await shop.db.query(
      `select d.birth_year, d.birth_month, p.paused_until > now() + interval '19 days' as is_paused
       from age_declaration d join spending_pause p using (player_id) where player_id = $1`,
      [again],
    );
    expect(rows).toEqual([{ birth_year: year, birth_month: 12, is_paused: true }]);
    const { rows: spent } = await shop.db.query<{ used: string }>(
      `select l.used_minor::integer as used
         from spending_limits($1, jsonb_build_object('age_caps', jsonb_build_object('currency', 'USD',
         'time_zone', 'UTC', 'tiers', '[{"under": 18, "cap_minor": 5000}]'::jsonb), 'time_zone', 'UTC'),
         'USD', now(), null) l
       where l.kind = 'age'`,
      [again],
    );
    expect(spent).toEqual([{ used: PRICE.amountMinor }]);
    // Nothing is left for a third player, and erased again it is kept again.
    expect(
      (
        await shop.db.query('select from account_guard g where g.account_hash = guard_account_hash($1, $2, $3)', [
          brandKey,
          'google',
          'g-again',
        ])
      ).rowCount,
    ).toBe(0);
    expect((await eraseOf(again)).outcome).toBe('erased');
    expect(await carried(await logInAgain('g-again'), 'purchase')).toBe(1);
  });

  test('own caps come along, with what was spent of them: the lower of two, and a higher one to come is asked anew', async () => {
    const { player } = await placeDelivered(shop);
    await addIdentity(shop.db, { ...google, subject: 'g-caps' }, player.playerId);
    await shop.db.query(
      `insert into spending_cap (player_id, currency, period, cap_minor, next_cap_minor, next_at) values
         ($1, 'USD', 'day', 500, 9000, now() + interval '1 hour'), ($1, 'USD', 'week', 2000, null, null),
         ($1, 'USD', 'month', 9000, 3000, now() - interval '1 hour'),
         ($1, 'JPY', 'day', null, null, null)`,
      [player.playerId],
    );
    expect((await eraseOf(player.playerId)).outcome).toBe('erased');
    const made = { ...google, subject: 'g-caps', suid: 'g-caps', username: 'again' };
    const again = (await ensurePlayer(shop.db, made)) as PlayerId;
    const capsOf = async (playerId: PlayerId) =>
      (
        await shop.db.query(
          `select currency, period, cap_minor::integer as cap, next_at from spending_cap where player_id = $1
            order by period`,
          [playerId],
        )
      ).rows;
    const kept = [
      { currency: 'USD', period: 'day', cap: 500, next_at: null },
      { currency: 'USD', period: 'month', cap: 3000, next_at: null },
      { currency: 'USD', period: 'week', cap: 2000, next_at: null },
    ];
    expect(await capsOf(again)).toEqual(kept);
    const { rows } = await shop.db.query(
      `select kind, used_minor::integer as used from spending_limits($1, '{"age_caps": null, "time_zone": "UTC"}',
         'USD', now(), null) order by 1`,
      [again],
    );
    expect(rows).toEqual(['day', 'month', 'week'].map((kind) => ({ kind, used: PRICE.amountMinor })));
    const refused = await shop.db.query<{ outcome: string }>(
      `select cap_refusal($1, '{"age_caps": null, "time_zone": "UTC"}', 'USD', $2, now(), 'x') ->> 'outcome' as outcome`,
      [again, 500 - PRICE.amountMinor + 1],
    );
    expect(refused.rows).toEqual([{ outcome: 'cap_reached' }]);
    // A player who is there already keeps the lower of both.
    expect((await eraseOf(again)).outcome).toBe('erased');
    const other = await makePlayer(shop.db);
    await shop.db.query(
      `insert into spending_cap (player_id, currency, period, cap_minor) values
         ($1, 'USD', 'day', 100), ($1, 'USD', 'week', 90000)`,
      [other],
    );
    await addIdentity(shop.db, { ...google, subject: 'g-caps' }, other);
    expect((await capsOf(other)).map(({ cap }) => cap)).toEqual([100, 3000, 2000]);
    expect(await broken()).toEqual([]);
  });

  test('they come along by an identity whose link was taken away or set aside before the erasing, too', async () => {
    const aside = await placeDelivered(shop);
    await addIdentity(shop.db, { ...google, provider: 'google~gone', subject: 'g-aside' }, aside.player.playerId);
    const unlinked = await placeDelivered(shop);
    await shop.db.query(`update player set suid = 'google-g-unlinked' where player_id = $1`, [
      unlinked.player.playerId,
    ]);
    for (const { player } of [aside, unlinked]) expect((await eraseOf(player.playerId)).outcome).toBe('erased');
    for (const subject of ['g-aside', 'g-unlinked', 'g-never']) {
      const identity = { ...google, subject, suid: `google-${subject}`, username: 'again' };
      const again = (await ensurePlayer(shop.db, identity)) as PlayerId;
      expect(await carried(again, 'purchase')).toBe(subject === 'g-never' ? 0 : 1);
    }
  });

  test('a limit, a promo code and a first-purchase bonus that were used up are not there for the account that came back', async () => {
    const { db } = shop;
    const identity = { brandKey, provider: 'google', subject: 'g-limit' };
    const first = await makePlayer(db);
    await addIdentity(db, identity, first);
    const terms = {
      limit: { times: 1, days: null, subject: 'role:70021//s1/r1' },
      first_bonus: {
        season: 's1',
        gifts: [{ id: 'crystals', name: 'Crystals', count: 60, isCurrency: true }],
        is_told: true,
      },
      promo: promoOf({ code: 'ONCE', off_minor: 50, per_player: 1 }),
    };
    const order = await placeTestOrder(db, placeInput(first, terms));
    await report(db, order, { amount: { amountMinor: 449, currency: 'USD' } });
    await deliver(shop, DONE);
    expect((await eraseOf(first)).outcome).toBe('erased');
    const again = await ensurePlayer(db, { ...identity, suid: 'u-limit', username: 'again' });
    if (!again) throw new Error('no player');
    await db.query(
      `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
       values ($1, '70021', 's1', '', 'r1', 'Kestrel_07', 42, 'S1')`,
      [again],
    );
    const place = async (input: Partial<typeof terms>) => (await placeOrder(db, placeInput(again, input))).outcome;
    expect(await place({ limit: terms.limit })).toBe('limit_reached');
    expect(await place({ first_bonus: terms.first_bonus })).toBe('bonus_gone');
    expect(await place({ promo: terms.promo })).toBe('promo_refused');
    expect(await place({})).toBe('placed');
    expect(await broken()).toEqual([]);
  });
});

describe('a wish of the player', () => {
  const wish = (playerId: PlayerId, no: string, waitDays: number) =>
    askErasure(shop.db, { playerId, erasureNo: `ER-${no.repeat(26)}`, givesUpBalance: false, waitDays });

  test('is carried out when its time has come, once, and its number says so afterwards', async () => {
    const { player } = await placeDelivered(shop);
    const asked = await wish(player.playerId, 'D', 0);
    expect((await wish(player.playerId, 'E', 0)).erasure_no).toBe(asked.erasure_no);
    const { log } = shop.services;
    const [one, other] = await Promise.all([eraseDue({ db: shop.db, log }), eraseDue({ db: shop.db, log })]);
    expect(one + other).toBe(1);
    expect(await findErasure(shop.db, brandKey, asked.erasure_no)).toMatchObject({ state: 'done' });
    expect(await findErasure(shop.db, 'joynet' as BrandKey, asked.erasure_no)).toBeNull();
  });

  test('waits as long as something stands in the way, and says what', async () => {
    const { player } = await placeDelivered(shop);
    const asked = await wish(player.playerId, 'F', 0);
    await giveTestBalance(shop.db, player.playerId, 100);
    expect(await eraseDue({ db: shop.db, log: shop.services.log })).toBe(0);
    expect(await findErasure(shop.db, brandKey, asked.erasure_no)).toMatchObject({
      state: 'waiting',
      refusals: [{ reason: 'balance', billing_no: 'USD' }],
    });
    expect(await leaseErasures(shop.db, 10, 60)).toEqual([]);
  });

  test('is taken back by a login to the shop', async () => {
    const { player } = await placeDelivered(shop);
    await wish(player.playerId, 'G', 0);
    const open = (kind: 'sdk' | 'web') =>
      openSession(shop.db, { playerId: player.playerId, brandKey, kind, authMethod: 'password', replaces: null });
    await open('sdk');
    expect(await findLastErasure(shop.db, player.playerId)).toMatchObject({ state: 'waiting' });
    await open('web');
    expect(await eraseDue({ db: shop.db, log: shop.services.log })).toBe(0);
    expect(await findLastErasure(shop.db, player.playerId)).toMatchObject({ state: 'withdrawn' });
  });
});

describe('an export', () => {
  const read = async (playerId: PlayerId) => {
    let text = '';
    for await (const piece of exportPerson(shop.db, playerId, new Date(0))) text += piece;
    return {
      text,
      document: JSON.parse(text) as { parts: { table: string }[]; data: Record<string, Record<string, unknown>[]> },
    };
  };

  test('holds every column of the table of personal data but secrets, for every table', async () => {
    const { player } = await placePaid(shop);
    const { document } = await read(player.playerId);
    expect(Object.keys(document.data)).toEqual(EXPORTED.map(([table]) => table));
    expect(document.parts.map(({ table }) => table)).toEqual(Object.keys(document.data));
    const bytes = await shop.db.query<{ at: string }>(
      `select attrelid::regclass || '.' || attname as at from pg_attribute
        where atttypid = 'bytea'::regtype and attnum > 0`,
    );
    const inBytes = new Set(bytes.rows.map(({ at }) => at));
    const orders = document.data.orders?.[0] ?? {};
    for (const [table, one] of EXPORTED) {
      const columns = exportedColumns(one).filter((column) => !inBytes.has(`${table}.${column}`));
      for (const row of document.data[table] ?? []) expect(Object.keys(row).toSorted()).toEqual(columns.toSorted());
      for (const row of document.data[table] ?? [])
        for (const secret of secretsOf(one)) expect(Object.keys(row)).not.toContain(secret);
    }
    expect(orders).toMatchObject({ player_id: player.playerId, state: 'paid' });
    expect(document.data.session).toHaveLength(1);
  });

  test('holds no token, no hash and nobody else', async () => {
    const { rows } = await shop.db.query<{ player_id: PlayerId }>(
      'select player_id from player order by created_at limit 12',
    );
    const secret = /rf1_|rt1_|rh1_|\$argon2|\\\\x[0-9a-f]{20}|https:\/\/pay\.example/;
    for (const { player_id: playerId } of rows) {
      const { text, document } = await read(playerId);
      expect(secret.exec(text)?.[0]).toBeUndefined();
      const owners = Object.values(document.data).flatMap((list) => list.map((row) => row.player_id ?? playerId));
      expect(new Set(owners)).toEqual(new Set([playerId]));
    }
  }, 60_000);

  test('whoever stops reading gives the connection back', async () => {
    const { player } = await placePaid(shop);
    const before = shop.db.totalCount;
    for await (const piece of exportPerson(shop.db, player.playerId, new Date(0))) {
      expect(piece).toContain('refill-person-1');
      break;
    }
    expect(shop.db.totalCount).toBeLessThanOrEqual(before);
    expect(shop.db.waitingCount).toBe(0);
  });
});

test('a plan with a way or a column that is not known is refused, and nothing is erased', async () => {
  const { player } = await placeDelivered(shop);
  const call = (plan: object[]) =>
    shop.db.query('select erase_person($1, $2::jsonb, false, $3)', [player.playerId, JSON.stringify(plan), 'anna']);
  await expect(call([])).rejects.toThrow('no plan');
  await expect(
    call([{ table: 'session', ways: [{ by: 'browser', column: 'device' }], deletes: true }]),
  ).rejects.toThrow('no way');
  await expect(call([{ table: 'session', ways: [], deletes: true }])).rejects.toThrow('no way');
  await expect(
    call([{ table: 'orders', ways: [{ by: 'player', column: 'player_id' }], sets: { nothing: 'empty' } }]),
  ).rejects.toThrow('a column of orders is not known');
  expect(
    (await shop.db.query('select from player where player_id = $1 and erased_at is null', [player.playerId])).rowCount,
  ).toBe(1);
  expect(makeErasePlan().length).toBeGreaterThan(15);
});
