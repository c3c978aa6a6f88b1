import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import { deliver } from '#testing/events.ts';
import { placeInput, placeTestOrder, promoOf, report } from '#testing/orders.ts';
import { showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
  await showRoles(shop, player);
  const promo = promoOf({ code: 'KESTREL', rate: '0.95', creator: 'kestrel', share_bp: 500 });
  const first_bonus = { season: 'ever', gifts: [{ id: 'g', name: 'Gems', count: 5 }], is_told: false };
  const order = await placeTestOrder(shop.db, placeInput(player.playerId, { promo, first_bonus, amount_minor: 1000 }));
  const amount = money(950, 'USD');
  await report(shop.db, order, { amount });
  await deliver(shop.db, { playerId: player.playerId, ...order, amount });
  await report(shop.db, order, { status: 'refunded', amount: money(475, 'USD') });
});
afterAll(() => shop.close());

const refill = (...args: string[]) => runCommand(args, { DATABASE_URL: shop.databaseUrl });

test('codes are listed with their limits and uses', async () => {
  const { codes } = JSON.parse((await refill('code', 'list', '--brand', 'watt', '--json')).out);
  expect(codes.find(({ code }: { code: string }) => code === 'KESTREL')).toMatchObject({
    off: 'pays 0.95',
    used: 1,
    total: null,
    with_coupon: true,
    creator: 'kestrel',
    share_bp: 500,
  });
  expect((await refill('code', 'list', '--brand', 'watt')).out).toMatch(/KESTREL +pays 0.95 +1 +any/);
  expect((await refill('code', 'list', '--brand', 'ssgame')).out).toBe('No codes.\n');
});

test('the report tells what a creator earned, by month and currency, less what went back', async () => {
  const month = new Date().toISOString().slice(0, 7);
  const row = {
    creator: 'kestrel',
    month,
    currency: 'USD',
    orders: 1,
    earned: '0.47',
    taken_back: '-0.24',
    share: '0.23',
  };
  const printed = await refill('code', 'report', '--brand', 'watt', '--creator', 'kestrel', '--json');
  expect(JSON.parse(printed.out)).toEqual({ creators: [row] });
  expect((await refill('code', 'report', '--brand', 'watt', '--csv')).out).toBe(
    `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`,
  );
  expect((await refill('code', 'report', '--brand', 'watt', '--until', '2020-01-01')).out).toBe(
    'Nothing was earned.\n',
  );
  expect((await refill('code', 'report', '--brand', 'watt', '--creator', 'nobody')).out).toBe('Nothing was earned.\n');
});

test('a player is shown with codes and first-purchase bonuses', async () => {
  const whose = ['--brand', 'watt', '--player', player.suid];
  const shown = JSON.parse((await refill('player', 'show', ...whose, '--json')).out);
  expect(shown.codes).toMatchObject([
    { code: 'KESTREL', creator: 'kestrel', state: 'delivered', discount: '0.50', currency: 'USD' },
  ]);
  expect(shown.first_bonuses).toMatchObject([{ product: 'star_60', season: 'ever', state: 'used' }]);
  const { out } = await refill('player', 'show', ...whose);
  expect(out).toContain('KESTREL');
  expect(out).toContain('star_60');
});

test.each([
  [['code', 'list', '--brand', 'nowhere'], 'there is no such brand'],
  [['code', 'report', '--brand', 'watt', '--since', 'soon'], '--since "soon"'],
  [['code', 'report', '--brand', 'watt', '--csv', '--json'], 'choose one of them'],
])('%j says what is wrong', async (args, sentence) => {
  expect(await refill(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});
