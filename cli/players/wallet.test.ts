import { afterAll, beforeAll, expect, test } from 'vitest';
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
