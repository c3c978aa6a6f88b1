import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveTestCoupon } from '#testing/coupons.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
});
afterAll(() => shop.close());

const refill = (...args: string[]) => runCommand(args, { DATABASE_URL: shop.databaseUrl });
const whose = () => ['--brand', 'watt', '--player', player.suid];

test('points are given and taken with the name of who did it, and never below none', async () => {
  const reason = ['--reason', 'sorry', '--by', 'anna'];
  expect(await refill('vip', 'points', ...whose(), '--give', '520', ...reason)).toEqual({
    code: 0,
    err: '',
    out: 'The player has 520 points now.\n',
  });
  const taken = await refill('vip', 'points', ...whose(), '--take', '20', ...reason, '--json');
  expect(JSON.parse(taken.out)).toEqual({ isDone: true, points: 500 });
  expect(await refill('vip', 'points', ...whose(), '--take', '501', ...reason)).toMatchObject({ code: 3, out: '' });
  const shown = JSON.parse((await refill('vip', 'show', ...whose(), '--json')).out);
  expect(shown).toMatchObject({ points: 500, level: 'gold', entries: [{ points: -20 }, { points: 520 }] });
  expect((await refill('vip', 'show', ...whose())).out).toContain('500 points, level gold.');
  const { rows } = await shop.db.query(`select actor, details from audit_entry where act = 'vip-points' order by id`);
  expect(rows).toMatchObject([
    { actor: 'anna', details: { points: 520, reason: 'sorry' } },
    { actor: 'anna', details: { points: -20 } },
  ]);
});

test('the levels of a brand are listed with what they need and give', async () => {
  const { levels } = JSON.parse((await refill('vip', 'levels', '--brand', 'watt', '--json')).out);
  expect(levels.map(({ needPoints }: { needPoints: number }) => needPoints)).toEqual([0, 50, 500, 3000]);
  expect((await refill('vip', 'levels', '--brand', 'watt')).out).toContain('silver-week (week, 0.95)');
});

test('a player is shown with points, level and coupons', async () => {
  const code = await giveTestCoupon(shop.db, player.playerId);
  const shown = JSON.parse((await refill('player', 'show', ...whose(), '--json')).out);
  expect(shown).toMatchObject({ user_id: player.suid, points: 500, level: 'gold', coupons: [{ code, state: 'free' }] });
  expect((await refill('player', 'show', ...whose())).out).toContain(code);
  const other = await shop.logIn({ brand: 'ssgame' });
  const none = await refill('player', 'show', '--brand', 'ssgame', '--player', other.suid);
  expect(none.out).toContain('0 points, no VIP programme.');
});

test.each([
  [['vip', 'levels', '--brand', 'ssgame'], 'it has no VIP programme'],
  [['vip', 'points', '--brand', 'watt', '--player', 'x', '--reason', 'r'], 'either --give or --take'],
  [['vip', 'points', '--brand', 'watt', '--player', 'x', '--reason', 'r', '--give', '1', '--take', '1'], 'either'],
  [['vip', 'points', '--brand', 'watt', '--player', 'x', '--reason', 'r', '--give', '1.5'], '--give "1.5"'],
])('%j says what is wrong', async (args, sentence) => {
  expect(await refill(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});
