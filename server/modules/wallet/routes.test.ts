// The balance a player sees, and the operator's credit call: proven, fresh, once.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Balance } from '#contracts/wallet.ts';
import { IN_PLACE } from '#testing/cards.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { signCall } from './signature.ts';

const KEY = 'credit-key-for-tests-0123456789';
const PATH = '/internal/wallet/credit';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop(IN_PLACE);
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
  external_id: randomUUID(), account: player.suid, currency: 'USD', amount_minor: 500, kind: 'paid', reason: 'test', ...over,
}); // prettier-ignore

type Signed = { key?: string; at?: number; nonce?: string; signature?: string; host?: string; path?: string };
async function credit(body: object | string, signed: Signed = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = String(signed.at ?? Math.floor(Date.now() / 1000));
  const nonce = signed.nonce ?? randomUUID();
  const path = signed.path ?? PATH;
  const signature = signed.signature ?? signCall(signed.key ?? KEY, { method: 'POST', path, timestamp, nonce, body: Buffer.from(text) }); // prettier-ignore
  const response = await shop.app.inject({
    method: 'POST', url: path, payload: text,
    headers: { host: signed.host ?? 'watt.demo.localhost', 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature },
  }); // prettier-ignore
  return { status: response.statusCode, text: response.body, body: response.headers['content-type']?.includes('json') ? response.json() : null }; // prettier-ignore
}
const balance = async (who = player) =>
  (await shop.get<{ list: Balance[] }>('/api/pay/balance', { session: who })).content.list;

test('a credit arrives, of either kind, and is shown together', async () => {
  expect(await balance()).toEqual([]);
  expect(await credit(bodyOf())).toEqual({ status: 200, text: expect.any(String), body: { txn_id: expect.any(String), balance_minor: 500 } }); // prettier-ignore
  // By the login name, in any case.
  expect((await credit(bodyOf({ kind: 'free', amount_minor: 99, account: player.username.toUpperCase() }))).body).toMatchObject({ balance_minor: 99 }); // prettier-ignore
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
  for (const over of [{ amount_minor: 501 }, { kind: 'free' }, { currency: 'EUR' }, { account: (await shop.logIn()).suid }])
    expect(await credit({ ...body, ...over })).toMatchObject({ status: 409, body: { error: 'external_id' } });
  expect((await balance())[0]).toMatchObject({ paid_minor: 1000 });
}); // prettier-ignore

test.each([
  ['another key', { key: 'wrong' }],
  ['no signature', { signature: '' }],
  ['a call from five minutes ago', { at: Math.floor(Date.now() / 1000) - 310 }],
  // Far ahead: the table is made long before its rows are played.
  ['a call from the future', { at: Math.floor(Date.now() / 1000) + 900 }],
  ['a nonce that is too short', { nonce: 'abc' }],
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
  ['no JSON', '{', 400], ['nothing', '', 400], ['an amount below one', { amount_minor: 0 }, 400], ['a broken amount', { amount_minor: 1.5 }, 400],
  ['an unknown currency', { currency: 'ZZZ' }, 400], ['another kind', { kind: 'sales' }, 400], ['no reason', { reason: '' }, 400],
  ['nobody', { account: 'nobody' }, 404],
] as const)('%s is refused', async (_name, over, status) => {
  expect((await credit(typeof over === 'string' ? over : bodyOf(over))).status).toBe(status);
  expect(await balance()).toEqual([]);
}); // prettier-ignore

test('a player of another brand is nobody here, and there is no such address where credits are off', async () => {
  expect((await credit(bodyOf(), { host: 'dragon.demo.localhost' })).status).toBe(404);
  // A host of the other environment is nobody's, like one that nobody has.
  expect((await credit(bodyOf(), { host: 'pay.watt.example' })).text).toBe('Not Found');
  expect((await credit(bodyOf(), { host: 'nobody.example' })).text).toBe('Not Found');
});

test('entries are never changed, and a transaction that does not sum to zero is refused', async () => {
  await credit(bodyOf());
  for (const text of ['update wallet_entry set amount_minor = 1', 'delete from wallet_txn', 'truncate wallet_entry'])
    await expect(shop.db.query(text)).rejects.toThrow('append-only');
  await expect(
    shop.db.query(`insert into wallet_entry (player_id, txn_id, kind, amount_minor, balance_after) values ($1, 'x', 'paid', 5, 5)`, [player.playerId]), // prettier-ignore
  ).rejects.toThrow('do not sum to zero');
  await expect(
    shop.db.query(`update wallet_account set balance_minor = -1 where kind = 'paid' and player_id = $1`, [player.playerId]), // prettier-ignore
  ).rejects.toThrow('check constraint');
});
