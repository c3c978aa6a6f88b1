import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveTestBalance } from '#testing/balances.ts';
import { withoutTransitionLaw } from '#testing/orders.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
});
afterAll(() => shop.close());

const refill = (...args: string[]): Promise<Run> => runCommand(['wallet', ...args], { DATABASE_URL: shop.databaseUrl });
const whose = () => ['--brand', 'watt', '--player', player.suid];

test('money is given once under one id, shown, and counted by brand', async () => {
  expect((await refill('show', ...whose())).out).toBe('There never was a balance.\n');
  const credit = ['credit', ...whose(), '--amount', 'USD=12.50', '--reason', 'sorry', '--external-id', 'T-1'];
  expect(await refill(...credit, '--by', 'anna')).toEqual({
    code: 0,
    err: '',
    out: 'Credited: the free balance is now 12.50 USD.\n',
  });
  expect((await refill(...credit)).out).toBe('That was credited before: the free balance was then 12.50 USD.\n');
  expect(await refill(...credit, '--amount', 'USD=13')).toMatchObject({ code: 3 });
  expect((await refill('credit', ...whose(), '--amount', 'JPY=500', '--kind', 'paid', '--reason', 'bank')).code).toBe(
    0,
  );
  const shown = JSON.parse((await refill('show', ...whose(), '--json')).out);
  expect(shown.balances).toEqual([
    { currency: 'JPY', paid_minor: 500, free_minor: 0 },
    { currency: 'USD', paid_minor: 0, free_minor: 1250 },
  ]);
  expect(shown.txns).toMatchObject([
    { type: 'credit', reason: 'bank' },
    { actor: 'operator anna', entries: { free: 1250, bonus: -1250 } },
  ]);
  expect((await refill('show', ...whose())).out).toContain('sorry');
  expect((await refill('report')).out).toContain('12.50 USD');
  const { rows } = await shop.db.query(`select actor from audit_entry where act = 'wallet-credit' order by id`);
  expect(rows[0]).toEqual({ actor: 'anna' });
  expect(rows).toHaveLength(2);
  expect((await shop.db.query('select * from invariant_breach where breaches > 0')).rows).toEqual([]);
});

test.each([
  [['--amount', 'USD=0'], '--amount: it must be above zero'],
  [['--amount', 'USD=1', '--kind', 'sales'], '--kind "sales"'],
])('%j says what is wrong', async (more, sentence) => {
  const run = await refill('credit', ...whose(), '--reason', 'r', ...more);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});

test('the report of a base date counts what was left at its end in Tokyo, and tells the line of ten million yen', async () => {
  const saver = await shop.logIn({ brand: 'acenetJp' });
  const give = async (minor: number, kind: 'paid' | 'free', at: string) => {
    const externalId = `base-${minor}`;
    await giveTestBalance(shop.db, saver.playerId, minor, { currency: 'JPY', kind, external_id: externalId });
    const find = 'select txn_id from wallet_credit_reference where external_id = $2';
    await withoutTransitionLaw(shop.db, `update wallet_txn set created_at = $1 where txn_id = (${find})`, [
      at,
      externalId,
    ]);
  };
  await give(10_000_000, 'paid', '2025-03-31T14:59:59Z');
  await give(777, 'free', '2025-03-31T14:59:59Z');
  await give(1, 'paid', '2025-03-31T15:00:00Z');
  const on = async (day: string) => JSON.parse((await refill('report', '--on', day, '--json')).out).balances;
  expect(await on('2025-03-30')).toEqual([]);
  const row = { brand_key: 'acenetJp', currency: 'JPY', free_minor: 777, players: 1 };
  expect(await on('2025-03-31')).toEqual([{ ...row, paid_minor: 10_000_000, is_above_line: false }]);
  expect(await on('2025-04-01')).toEqual([{ ...row, paid_minor: 10_000_001, is_above_line: true }]);
  expect((await refill('report', '--on', '2025-04-01')).out).toContain(
    'acenetJp: the paid balance is above 10000000 JPY',
  );
  expect((await refill('report', '--on', '2025-03-31')).out).not.toContain('above');
  expect(await refill('report', '--on', '2025-02-30')).toMatchObject({ code: 1, err: expect.stringContaining('--on') });
});
