import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CardWorth } from '#contracts/giftcards.ts';
import { WITH_TENDERS, TEST_PEPPER, cardInfo } from '#testing/cards.ts';
import { showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { DEMO_SETTINGS } from '#server/platform/settings/published.ts';
import { type Run, runCommand } from '#cli/test-run.ts';
import { readPepper } from './card.ts';

let shop: TestShop;
let player: TestPlayer;
let folder: string;
let files = 0;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
  player = await shop.logIn();
  folder = await mkdtemp(join(tmpdir(), 'refill-cards-'));
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
});

const refill = (args: string[], environment: Record<string, string> = {}): Promise<Run> =>
  runCommand(['card', ...args], {
    DATABASE_URL: shop.databaseUrl,
    REFILL_CARD_DEMO_PEPPER: TEST_PEPPER,
    ...environment,
  });
const terms = ['--count', '3', '--value', 'USD=9.99'];
async function issue(...more: string[]) {
  files += 1;
  const out = join(folder, `${files}.csv`);
  const run = await refill(['issue', ...terms, '--out', out, '--json', ...more]);
  expect(run).toMatchObject({ code: 0, err: '' });
  const [head, ...lines] = (await readFile(out, 'utf8')).trim().split('\n');
  expect(head).toBe('number,password,value,currency,valid_until');
  return {
    batch: JSON.parse(run.out).batch as string,
    out,
    cards: lines.map((line) => line.split(',') as [string, string]),
  };
}
const check = ([number, password]: [string, string], session: TestPlayer = player, remoteAddress = '127.0.0.1') =>
  shop.post<CardWorth>(
    '/api/pay/card_info',
    { client_id: '70021', card_info: cardInfo(number, password) },
    { session, remoteAddress },
  );

test('cards come out once, in a file for nobody else, and work as they are printed', async () => {
  const { batch, out, cards } = await issue('--game', 'starlane', '--product', 'star_540', '--extra', '54', '--by', 'anna');
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(cards).toHaveLength(3);
  for (const card of cards) expect(card[1]).toMatch(/^(?:[A-HJ-KM-NP-Z2-9]{4}-){5}[A-HJ-KM-NP-Z2-9]{4}$/);
  expect((await check(cards[0]!)).content).toMatchObject({ price: '$9.99', gems_number: 540, extra_gems_number: 54, can_confirm: true });
  const { rows } = await shop.db.query(`select actor, act, details from audit_entry where act = 'card-issue' order by id desc limit 1`);
  expect(rows).toMatchObject([{ actor: 'anna', details: { batch, count: 3 } }]);
  const again = await refill(['issue', ...terms, '--out', out]);
  expect(again.code).toBe(1);
  expect(again.err).toContain('EEXIST');
  expect((await shop.db.query('select from gift_card where batch_id <> $1', [batch])).rowCount).toBe(0);
  expect((await readFile(out, 'utf8')).split('\n')).toHaveLength(5);
}); /* a row a line */ // prettier-ignore

test('are activated, voided, counted and shown', async () => {
  const { batch, cards } = await issue('--inactive');
  expect((await check(cards[0]!)).code).toBe(-1031);
  expect(await refill(['activate', '--batch', batch])).toMatchObject({ code: 0, out: '3 cards are active now.\n' });
  expect(await refill(['activate', '--batch', batch])).toMatchObject({ code: 3, out: '' });
  expect((await check(cards[0]!)).code).toBe(1);
  expect((await refill(['void', '--card', cards[0]![0]])).code).toBe(0);
  expect((await check(cards[0]!)).code).toBe(-1031);
  const { batches } = JSON.parse((await refill(['list', '--json'])).out);
  expect(batches.find((one: { batch_id: string }) => one.batch_id === batch)).toMatchObject({
    active: 2,
    void: 1,
    spent: 0,
    owed_minor: 1998,
  });
  expect((await refill(['list'])).out).toContain('19.98 USD');
  const shown = JSON.parse((await refill(['show', cards[0]![0].toLowerCase(), '--json'])).out);
  expect(shown).toMatchObject({
    card: { state: 'void' },
    tries: [{ outcome: 'void' }, { outcome: 'ok' }, { outcome: 'created' }],
  });
  expect((await refill(['show', cards[0]![0]])).out).toContain('created');
});

test('one that is locked out is unlocked by support, with an audit line; any other is left alone', async () => {
  const { cards } = await issue();
  const [number, password] = cards[0]!;
  const cardId = number.replaceAll('-', '');
  // Each by somebody else: an account has five tries.
  for (let n = 0; n < 10; n += 1) await check([number, `WRONG${n}`], await shop.logIn(), `192.0.2.${n}`);
  const good = async () => (await check([number, password], await shop.logIn(), '192.0.2.99')).code;
  expect(await good()).toBe(-1031);
  expect(JSON.parse((await refill(['show', number, '--json'])).out)).toMatchObject({
    card: { is_locked_out: true, failed_attempts: 10 },
    tries: [
      { outcome: 'card_locked_out' },
      { outcome: 'wrong' },
      ...Array.from({ length: 9 }, () => ({ outcome: 'wrong' })),
    ],
  });
  expect(await refill(['unlock', number.toLowerCase(), '--by', 'anna'])).toEqual({
    code: 0,
    out: `Card ${number} can be used again.\n`,
    err: '',
  });
  expect(await good()).toBe(1);
  const { rows } = await shop.db.query(`select actor, details from audit_entry where act = 'card-unlock'`);
  expect(rows).toEqual([{ actor: 'anna', details: { cardId } }]);

  expect(await refill(['unlock', number])).toEqual({ code: 3, out: '', err: `Card ${number} is not locked out.\n` });
  const json = await refill(['unlock', number, '--json']);
  expect([json.code, JSON.parse(json.out)]).toEqual([3, { ok: false, card: cardId }]);
  expect(await refill(['unlock', 'NOSUCHCARD22'])).toEqual({
    code: 1,
    out: '',
    err: 'refill: There is no card NOSUCHCARD22.\n',
  });
  expect((await shop.db.query(`select from audit_entry where act = 'card-unlock'`)).rowCount).toBe(1);
});

test('one that is issued to a player opens the account', async () => {
  const { cards } = await issue('--brand', 'watt', '--player', `user_id:${player.suid}`);
  const [number, password] = cards[0]!;
  const owner = await shop.services.giftCards.findOwner({
    brandKey: 'watt' as never,
    cardNumber: number,
    password,
    ip: '192.0.2.9',
  });
  expect(owner).toBe(player.playerId);
});

test.each([
  [['activate', '--batch', 'nope'], '--batch "nope": there is no such batch; `refill card list` has them.'],
  [['void', '--batch', 'nope'], '--batch "nope": there is no such batch; `refill card list` has them.'],
  [['void', '--card', 'NOSUCHCARD22'], 'There is no card NOSUCHCARD22.'],
])('%j names what is not there', async (args, sentence) => {
  expect(await refill(args)).toEqual({ code: 1, out: '', err: `refill: ${sentence}\n` });
});

test('the file has values as plain decimals, as every other file of commas has them', async () => {
  const { out } = await issue('--value', 'USD=1500');
  expect((await readFile(out, 'utf8')).split('\n')[1]).toMatch(/^[\w-]+,[\w-]+,1500\.00,USD,\d{4}-\d\d-\d\d$/);
});

test.each([
  [['--value', 'USD'], '--value "USD"'],
  [['--count', '0'], '--count "0"'],
  [['--kind', 'card44'], '--kind "card44"'],
  [['--game', 'chess'], 'there is no such game'],
  [['--product', 'star_540'], 'name a product of --game'],
  [['--player', 'x'], 'name the --brand'],
])('%j says what is wrong, and makes nothing', async (more, sentence) => {
  const before = (await shop.db.query('select from gift_card')).rowCount;
  const run = await refill(['issue', ...terms, '--out', join(folder, 'never.csv'), ...more]);
  expect(run.code).toBe(1);
  expect(run.err).toContain(sentence);
  await expect(stat(join(folder, 'never.csv'))).rejects.toThrow('ENOENT');
  expect((await shop.db.query('select from gift_card')).rowCount).toBe(before);
});

test('extend makes a batch good for longer, with an audit; not for shorter', async () => {
  const { batch, cards } = await issue('--days', '1');
  await shop.db.query(
    `update gift_card_batch set valid_from = now() - interval '3 days', valid_to = now() - interval '1 day'
      where batch_id = $1`,
    [batch],
  );
  expect((await check(cards[0]!)).code).toBe(-1031);
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  expect(await refill(['extend', '--batch', batch, '--until', until, '--by', 'anna'])).toMatchObject({
    code: 0,
    err: '',
  });
  expect((await check(cards[0]!)).content.valid_end_time).toBe(Date.parse(until));
  expect(await refill(['extend', '--batch', batch, '--until', until])).toMatchObject({ code: 3, out: '' });
  expect((await refill(['extend', '--batch', 'none', '--until', until])).err).toContain('there is no such batch');
  expect((await refill(['extend', '--batch', batch, '--until', '2020-01-01'])).err).toContain('must be in the future');
  const { rows } = await shop.db.query(`select actor, details from audit_entry where act = 'card-extend'`);
  expect(rows).toMatchObject([{ actor: 'anna', details: { batch } }]);
});

test('report: sold is used, expired and outstanding money; by batch, brand and currency', async () => {
  const { batch, cards } = await issue('--brand', 'watt', '--game', 'starlane', '--product', 'star_540');
  const old = await issue('--brand', 'watt', '--inactive');
  await refill(['void', '--card', cards[2]![0]]);
  await showRoles(shop, player);
  const [number, password] = cards[0]!;
  const body = { client_id: '70021', server_id: 's1', role_id: 'r1', card_info: cardInfo(number, password) };
  expect((await shop.post('/api/pay/card_confirm', body, { session: player })).code).toBe(1);
  const lines = JSON.parse((await refill(['report', '--json'])).out).lines as Record<string, unknown>[];
  expect(lines.find((line) => line['batch_id'] === batch)).toMatchObject({
    brand_key: 'watt',
    currency: 'USD',
    cards: 3,
    inactive: 0,
    void: 1,
    sold_minor: 1998,
    used_minor: 999,
    balance_minor: 0,
    expired_minor: 0,
    outstanding_minor: 999,
  });
  expect(lines.find((line) => line['batch_id'] === old.batch)).toMatchObject({ inactive: 3, sold_minor: 0 });
  await shop.db.query(
    `update gift_card_batch set valid_from = now() - interval '3 days', valid_to = now() - interval '1 day'
      where batch_id = $1`,
    [batch],
  );
  const csv = (await refill(['report', '--by', 'batch', '--csv'])).out;
  expect(csv.split('\n')[0]).toBe('batch,brand,currency,cards,inactive,void,sold,used,balance,expired,outstanding');
  expect(csv).toContain(`${batch},watt,USD,3,0,1,19.98,9.99,0.00,9.99,0.00`);
  const [total] = JSON.parse((await refill(['report', '--by', 'currency', '--json'])).out).lines;
  expect(total).toMatchObject({ batch_id: null, brand_key: null, currency: 'USD' });
  expect(total.sold_minor).toBe(total.used_minor + total.expired_minor + total.outstanding_minor);
  expect((await refill(['report', '--by', 'month'])).err).toContain('--by "month"');
  expect((await refill(['report', '--csv', '--json'])).err).toContain('choose one of them');
});

test('the demonstration of `npm start` has its pepper, an own database needs one', async () => {
  const own = await runCommand(['card', 'issue', ...terms, '--out', join(folder, 'none.csv')], {
    DATABASE_URL: shop.databaseUrl,
    REFILL_ENVIRONMENT: 'demo',
  });
  expect([own.code, own.err]).toEqual([1, expect.stringContaining('REFILL_CARD_DEMO_PEPPER')]);
  expect(readPepper({ environment: {} })).toBe(DEMO_SETTINGS.REFILL_CARD_DEMO_PEPPER);
  expect(readPepper({ environment: { REFILL_CARD_DEMO_PEPPER: TEST_PEPPER } })).toBe(TEST_PEPPER);
});
