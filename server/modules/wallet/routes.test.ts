// The balance a player sees, and the operator's credit call: proven, fresh, once.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Balance } from '#contracts/wallet.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { WITH_TENDERS } from '#testing/cards.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { signCall } from './signature.ts';

const KEY = 'credit-key-for-tests-0123456789';
const PATH = '/internal/wallet/credit';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());
beforeEach(async () => {
  player = await shop.logIn();
});
afterEach(async () => {
  const broken = await shop.db.query('select * from invariant_breach where breaches > 0');
  if (broken.rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken.rows)}`);
});

const bodyOf = (over: object = {}) => ({
  external_id: randomUUID(),
  user_id: player.suid,
  currency: 'USD',
  amount_minor: 500,
  kind: 'paid',
  reason: 'test',
  ...over,
});

type Signed = {
  signedHost?: string;
  key?: string;
  at?: number;
  nonce?: string;
  signature?: string;
  host?: string;
  path?: string;
};
async function credit(body: object | string, signed: Signed = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = String(signed.at ?? Math.floor(Date.now() / 1000));
  const nonce = signed.nonce ?? randomUUID();
  const path = signed.path ?? PATH;
  const signature =
    signed.signature ??
    signCall(signed.key ?? KEY, {
      method: 'POST',
      host: signed.signedHost ?? signed.host ?? 'watt.demo.localhost',
      path,
      timestamp,
      nonce,
      body: Buffer.from(text),
    });
  const response = await shop.app.inject({
    method: 'POST',
    url: path,
    payload: text,
    headers: {
      host: signed.host ?? 'watt.demo.localhost',
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    },
  });
  return {
    status: response.statusCode,
    text: response.body,
    body: response.headers['content-type']?.includes('json') ? response.json() : null,
  };
}
const balance = async (who = player) =>
  (await shop.get<{ list: Balance[] }>('/api/pay/balance', { session: who })).content.list;

test('a credit arrives, of either kind, and is shown together', async () => {
  expect(await balance()).toEqual([]);
  expect(await credit(bodyOf())).toEqual({
    status: 200,
    text: expect.any(String),
    body: { txn_id: expect.any(String), balance_minor: 500 },
  });
  // By our own id as well.
  expect(
    (await credit(bodyOf({ kind: 'free', amount_minor: 99, user_id: undefined, player_id: player.playerId }))).body,
  ).toMatchObject({ balance_minor: 99 });
  await credit(bodyOf({ currency: 'JPY', amount_minor: 1200 }));
  expect(await balance()).toEqual([
    { currency: 'JPY', paid_minor: 1200, free_minor: 0, total_minor: 1200, total_shown: '¥1,200.00' },
    { currency: 'USD', paid_minor: 500, free_minor: 99, total_minor: 599, total_shown: '$5.99' },
  ]);
  expect((await shop.get('/api/pay/balance')).code).toBe(-600);
});

test('the same external id is credited once, by however many calls at once; another content under it is refused', async () => {
  const body = bodyOf();
  const answers = await Promise.all(Array.from({ length: 20 }, () => credit(body)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  await credit(bodyOf());
  // The first answer comes again, whatever the balance is now.
  expect((await credit(body)).body).toEqual(answers[0]?.body);
  for (const over of [
    { amount_minor: 501 },
    { kind: 'free' },
    { currency: 'EUR' },
    { user_id: (await shop.logIn()).suid },
  ])
    expect(await credit({ ...body, ...over })).toMatchObject({ status: 409, body: { error: 'external_id' } });
  expect((await balance())[0]).toMatchObject({ paid_minor: 1000 });
});

test.each([
  ['another key', { key: 'wrong' }],
  ['no signature', { signature: '' }],
  ['a call from five minutes ago', { at: Math.floor(Date.now() / 1000) - 310 }],
  // Far ahead: the table is made long before its rows are played.
  ['a call from the future', { at: Math.floor(Date.now() / 1000) + 900 }],
  ['a nonce that is too short', { nonce: 'abc' }],
  ['a call that was signed for another brand', { signedHost: 'joynet.demo.localhost' }],
])('%s is not believed', async (_name, signed) => {
  expect(await credit(bodyOf(), signed)).toMatchObject({ status: 401, body: { error: 'signature' } });
  expect(await balance()).toEqual([]);
  expect((await shop.db.query('select from wallet_nonce where nonce = $1', ['abc'])).rowCount).toBe(0);
});

test('a nonce is good once', async () => {
  const nonce = randomUUID();
  const answers = await Promise.all(Array.from({ length: 5 }, () => credit(bodyOf(), { nonce })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
  await shop.db.query(`update wallet_nonce set at = now() - interval '16 minutes'`);
  await credit(bodyOf());
  expect((await shop.db.query('select from wallet_nonce where nonce = $1', [nonce])).rowCount).toBe(0);
});

test.each([
  ['no JSON', '{', 400],
  ['nothing', '', 400],
  ['an amount below one', { amount_minor: 0 }, 400],
  ['a broken amount', { amount_minor: 1.5 }, 400],
  ['an unknown currency', { currency: 'ZZZ' }, 400],
  ['another kind', { kind: 'sales' }, 400],
  ['no reason', { reason: '' }, 400],
  ['nobody', { user_id: 'nobody' }, 404],
  ['nobody by player id', { user_id: undefined, player_id: randomUUID() }, 404],
  ['no player at all', { user_id: undefined }, 400],
  ['two players', { login: 'x' }, 400],
  ['a name of the old form', { user_id: undefined, account: 'x' }, 400],
] as const)('%s is refused', async (_name, over, status) => {
  expect((await credit(typeof over === 'string' ? over : bodyOf(over))).status).toBe(status);
  expect(await balance()).toEqual([]);
});

test('a player of another brand is nobody here, and there is no such address where credits are off', async () => {
  expect((await credit(bodyOf(), { host: 'dragon.demo.localhost' })).status).toBe(404);
  // A host of the other environment is nobody's, like one that nobody has.
  expect((await credit(bodyOf(), { host: 'pay.watt.example' })).text).toBe('Not Found');
  expect((await credit(bodyOf(), { host: 'nobody.example' })).text).toBe('Not Found');
});

describe('a nickname', () => {
  test('neither receives the credit of the user id that it looks like, nor keeps it from its owner', async () => {
    const userId = `91795${Math.floor(Math.random() * 1e9)}`;
    await shop.db.query('update player set username = $2 where player_id = $1', [player.playerId, userId]);
    expect(await credit(bodyOf({ user_id: userId }))).toMatchObject({ status: 404, body: { error: 'player' } });
    expect(await credit(bodyOf({ user_id: undefined, login: userId }))).toMatchObject({ status: 404 });
    const owner = await shop.logIn();
    await shop.db.query('update player set suid = $2 where player_id = $1', [owner.playerId, userId]);
    expect((await credit(bodyOf({ user_id: userId, amount_minor: 777 }))).status).toBe(200);
    expect([await balance(), (await balance(owner))[0]?.paid_minor]).toEqual([[], 777]);
  });

  test('is no login: that is the name of an account which the shop keeps', async () => {
    const account = { brandKey: 'watt' as BrandKey, username: 'Kept Here', suid: `kept-${randomUUID()}`, password: 'correct horse' };
    const playerId = await shop.services.accounts.saveAccount(account);
    await shop.db.query(`update player set username = 'kept here' where player_id = $1`, [player.playerId]);
    expect((await credit(bodyOf({ user_id: undefined, login: ' KEPT here' }))).status).toBe(200);
    const { rows } = await shop.db.query(`select player_id from wallet_account where kind = 'paid' and balance_minor > 0 and player_id = any ($1)`, [[playerId, player.playerId]]);
    expect(rows).toEqual([{ player_id: playerId }]);
  });

  test('user ids that two games gave to different players are refused', async () => {
    const [one, two] = [await shop.logIn(), await shop.logIn()];
    await shop.db.query('update player set suid = $2 where player_id = any ($1)', [[one.playerId, two.playerId], `twin-${one.suid}`]);
    expect(await credit(bodyOf({ user_id: `twin-${one.suid}` }))).toMatchObject({ status: 409, body: { error: 'player_not_unique' } });
  });
}); /* a row a line */ // prettier-ignore

const CALLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wallet_credit: {
    p_player_id: ':player',
    p_external_id: `gen_random_uuid()::text`,
    p_currency: `'USD'`,
    p_amount_minor: '100',
    p_kind: `'paid'`,
    p_reason: `'r'`,
    p_actor: `'a'`,
  },
  wallet_post: {
    p_player_id: ':player',
    p_type: `'debit'`,
    p_idempotency_key: `gen_random_uuid()::text`,
    p_currency: `'USD'`,
    p_amount_minor: '100',
    p_billing_no: `'b'`,
    p_spends: `'free_first'`,
    p_reason: `'r'`,
    p_actor: `'a'`,
    p_sides: `'{"sales": 100, "cash_in": -100}'`,
  },
  wallet_refund: {
    p_player_id: ':player',
    p_billing_no: `'b'`,
    p_amount_minor: '1',
    p_idempotency_key: `gen_random_uuid()::text`,
    p_reason: `'r'`,
    p_actor: `'a'`,
  },
};
/** Inside a transaction that is rolled back: there is no order to these movements. */
async function callSql(name: string, values: Readonly<Record<string, string>>): Promise<unknown> {
  const given = Object.entries(values).map(
    ([key, value]) => `${key} => ${value.replace(':player', `'${player.playerId}'`)}`,
  );
  const client = await shop.db.connect();
  try {
    await client.query('begin');
    return (await client.query(`select ${name}(${given.join(', ')}) as came`)).rows[0].came;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe.each(Object.keys(CALLS))('%s', (name) => {
  test.each(Object.keys(CALLS[name] ?? {}))('without %s moves nothing', async (missing) => {
    await expect(callSql(name, { ...CALLS[name], [missing]: 'null' })).rejects.toMatchObject({ code: '22004' });
    expect((await shop.db.query('select from wallet_txn where player_id = $1', [player.playerId])).rowCount).toBe(0);
  });

  test('with all of them answers', async () => {
    await expect(callSql(name, CALLS[name] ?? {})).resolves.toBeTruthy();
  });
});

test.each([
  ['sides that do not sum to zero', `'{"sales": 100, "cash_in": -99}'`],
  ['a kind that is none', `'{"sales": 100, "gifts": -100}'`],
  ['a side without a number', `'{"sales": 100, "cash_in": null}'`],
  ['an array', `'[1]'`],
  ['no sides', `'{}'`],
])('wallet_post refuses %s', async (_name, sides) => {
  await expect(callSql('wallet_post', { ...CALLS.wallet_post, p_sides: sides })).rejects.toMatchObject({
    code: '22023',
  });
});

test('entries are never changed, and a transaction that does not sum to zero is refused', async () => {
  await credit(bodyOf());
  for (const text of ['update wallet_entry set amount_minor = 1', 'delete from wallet_txn', 'truncate wallet_entry'])
    await expect(shop.db.query(text)).rejects.toThrow('append-only');
  await expect(
    shop.db.query(
      `insert into wallet_entry (player_id, txn_id, kind, amount_minor, balance_after) values ($1, 'x', 'paid', 5, 5)`,
      [player.playerId],
    ),
  ).rejects.toThrow('do not sum to zero');
  await expect(
    shop.db.query(`update wallet_account set balance_minor = -1 where kind = 'paid' and player_id = $1`, [
      player.playerId,
    ]),
  ).rejects.toThrow('check constraint');
});
