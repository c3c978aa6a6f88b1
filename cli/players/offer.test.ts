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

const refill = (...args: string[]): Promise<Run> => runCommand(args, { DATABASE_URL: shop.databaseUrl });
const whose = () => ['--brand', 'watt', '--player', player.suid];
const give = (...more: string[]) =>
  refill('offer', 'give', ...whose(), '--game', 'emberfall', '--product', 'ember_pass', '--hours', '2', ...more);

test('the offers of the files, where they are open, and what became of them', async () => {
  const { offers } = JSON.parse((await refill('offer', 'list', '--json')).out);
  expect(offers).toMatchObject([
    { game: 'emberfall', offer: 'daily_keys', product: 'ember_keys', kind: 'for everybody', times: 1, taken: 0 },
    { game: 'emberfall', offer: 'one_more', product: 'ember_320', kind: 'after a purchase, 30 minutes' },
  ]);
  expect(offers[0].open.length).toBeGreaterThan(0);
  expect((await refill('offer', 'list')).out).toContain('daily_keys');
  expect((await refill('offer', 'show', 'emberfall/daily_keys')).out).toContain('USD 2.79');
  expect((await refill('offer', 'show', 'emberfall/none')).code).toBe(3);
});

test('one is given once, shown with its player, and withdrawn, each with the name of who did it', async () => {
  const given = await give('--price', 'USD=0.50', '--id', 'sorry', '--by', 'anna');
  expect(given).toMatchObject({ code: 0, out: 'The offer offer:emberfall/@sorry is given.\n' });
  expect((await give('--price', 'USD=0.50', '--id', 'sorry')).code).toBe(3);
  const shown = JSON.parse((await refill('player', 'show', ...whose(), '--json')).out);
  expect(shown.offers).toMatchObject([{ code: 'offer:emberfall/@sorry', state: 'open', source: 'operator anna' }]);
  expect(shown.coupons).toEqual([]);
  expect((await refill('player', 'show', ...whose())).out).toContain('offer:emberfall/@sorry');
  expect((await refill('offer', 'show', 'emberfall/@sorry')).out).toContain('open');
  const withdrawn = await refill('offer', 'withdraw', 'offer:emberfall/@sorry', ...whose(), '--by', 'ben', '--json');
  expect(JSON.parse(withdrawn.out)).toEqual({ offer: 'offer:emberfall/@sorry', withdrawn: true });
  expect((await refill('offer', 'withdraw', 'offer:emberfall/@sorry', ...whose())).code).toBe(3);
  const { rows } = await shop.db.query(`select actor, act from audit_entry where act like 'offer-%' order by id`);
  expect(rows).toEqual([
    { actor: 'anna', act: 'offer-give' },
    { actor: 'ben', act: 'offer-withdraw' },
  ]);
});

test.each([
  [['--price', 'USD=99', '--id', 'a'], 'below the price'],
  [['--price', 'XYZ=1', '--id', 'a'], 'write a currency'],
  [['--price', 'USD=0.5', '--id', '@a'], 'write letters'],
])('%s is refused with a reason', async (more, reason) => {
  expect((await give(...more)).err).toContain(reason);
});
