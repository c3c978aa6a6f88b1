import { afterAll, beforeAll, expect, test } from 'vitest';
import { WITH_TENDERS } from '#testing/cards.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { payReplenish } from '#testing/replenish.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
  player = await shop.logIn();
});
afterAll(() => shop.close());

const refill = (...args: string[]) => runCommand(['replenish', ...args], { DATABASE_URL: shop.databaseUrl });
const open = (...more: string[]) =>
  refill('open', '--brand', 'watt', '--client', '70021', '--player', `user_id:${player.suid}`, '--amount', 'USD=12.50', '--reason', 'chargeback', '--by', 'anna', ...more); /* a row a line */ // prettier-ignore

test('open prints the link of the brand, once for a reference, and leaves an audit line', async () => {
  const run = await open('--reference', 'case-7', '--hours', '24', '--json');
  expect(run).toMatchObject({ code: 0, err: '' });
  const { replenish, link } = JSON.parse(run.out);
  expect(link).toBe(`http://watt.demo.localhost:8080/replenishGoods?replenish_id=${replenish}`);
  expect(JSON.parse((await open('--reference', 'case-7', '--json')).out).replenish).toBe(replenish);
  expect((await open('--reference', 'case-7', '--amount', 'USD=1')).err).toContain('it was opened for another account');
  const { rows } = await shop.db.query(`select actor from audit_entry where act = 'replenish-open' limit 1`);
  expect(rows).toEqual([{ actor: 'anna' }]);
});

test('list, report and close tell where it stands', async () => {
  await giveTestBalance(shop.db, player.playerId, 1250);
  const id = JSON.parse((await open('--json')).out).replenish as string;
  expect((await payReplenish(shop, player, id, { path: '/api/pay/platform_pay' })).code).toBe(1);
  expect(await refill('close', id)).toMatchObject({ code: 3, out: '' });
  const other = JSON.parse((await open('--json')).out).replenish as string;
  expect(await refill('close', other)).toMatchObject({ code: 0, out: `${other} is closed.\n` });
  const listed = JSON.parse((await refill('list', '--json')).out).replenish as {
    replenish_id: string;
    standing: string;
  }[];
  expect(listed.find((one) => one.replenish_id === id)?.standing).toBe('paid');
  expect(listed.find((one) => one.replenish_id === other)?.standing).toBe('closed');
  expect((await refill('list')).out).toContain('12.50 USD');
  const [line] = JSON.parse((await refill('report', '--json')).out).lines;
  expect(line).toMatchObject({ brand_key: 'watt', currency: 'USD', paid: 1, closed: 1, paid_minor: 1250 });
  expect((await refill('report', '--csv')).out.split('\n')[0]).toContain('brand,currency,opened');
});

test.each([
  [['--amount', 'USD'], '--amount "USD"'],
  [['--client', '99'], 'has no game with this client id'],
  [['--amount', 'XXX=1'], '--amount "XXX=1"'],
  [['--hours', '0'], '--hours "0"'],
])('%j says what is wrong, and opens nothing', async (more, sentence) => {
  const before = (await shop.db.query('select from replenish')).rowCount;
  const run = await open(...more);
  expect(run.code).toBe(1);
  expect(run.err).toContain(sentence);
  expect((await shop.db.query('select from replenish')).rowCount).toBe(before);
});

test('a number that is none', async () => {
  expect((await refill('close', '7')).err).toContain('is no number of a make-up payment');
  expect((await refill('close', 'RP-00000000000000000000000000')).err).toContain('There is no make-up payment');
});
