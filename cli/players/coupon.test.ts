import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOrder } from '#server/modules/orders/store.ts';
import { makePlayer, placeInput } from '#testing/orders.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
});
afterAll(() => shop.close());

const refill = (...args: string[]): Promise<Run> => runCommand(['coupon', ...args], { DATABASE_URL: shop.databaseUrl });
const whose = () => ['--brand', 'watt', '--player', player.suid];
const terms = ['--rate', '0.75', '--name', 'Spring'];

test('is given, shown and withdrawn, each with the name of who did it', async () => {
  const given = await refill('issue', ...whose(), ...terms, '--min', 'USD=9.99', '--game', 'starlane', '--by', 'anna');
  expect(given).toMatchObject({ code: 0, err: '' });
  const code = /^Coupon (\w{12}) is given\.\n$/.exec(given.out)?.[1] ?? '';
  const listed = JSON.parse((await refill('list', ...whose(), '--json')).out);
  expect(listed.coupons).toMatchObject([
    {
      code,
      state: 'free',
      name: { en: 'Spring' },
      discount_rate: '0.750000',
      min_spend: { USD: 999 },
      games: ['starlane'],
      source: 'operator anna',
    },
  ]);
  expect((await refill('list', ...whose())).out).toContain(code);
  expect(await refill('withdraw', code, ...whose(), '--by', 'ben')).toMatchObject({
    code: 0,
    out: `Coupon ${code} is withdrawn.\n`,
  });
  expect((await refill('withdraw', code, ...whose())).code).toBe(3);
  const { rows } = await shop.db.query(`select actor, act from audit_entry where act like 'coupon-%' order by id`);
  expect(rows).toEqual([
    { actor: 'anna', act: 'coupon-issue' },
    { actor: 'ben', act: 'coupon-withdraw' },
  ]);
});

test('one of a brand without coupons is given with a warning', async () => {
  const whom = await shop.logIn({ brand: 'joyage' });
  const given = await refill('issue', '--brand', 'joyage', '--player', whom.suid, ...terms);
  expect(given).toMatchObject({ code: 0, err: expect.stringMatching(/^warning: no page of joyage shows this coupon/) });
});

test('L72 its name may be given in several languages, one each, English among them', async () => {
  const names = ['--name', 'Spring', '--name', 'ja=春', '--name', 'zh-tw=春季 = 新'];
  const issue = (...more: string[]) => refill('issue', ...whose(), '--rate', '0.5', ...more, '--json');
  const { codes } = JSON.parse((await issue(...names)).out);
  const { rows } = await shop.db.query('select name from coupon where code = $1', [codes[0]]);
  expect(rows).toEqual([{ name: { en: 'Spring', ja: '春', 'zh-tw': '春季 = 新' } }]);
  expect((await issue('--name', 'ja=春')).err).toContain('none in English');
  expect((await issue(...names, '--name', 'Summer')).err).toContain('en has a name already');
  const withdrawn = await refill('withdraw', codes[0], ...whose(), '--json');
  expect(JSON.parse(withdrawn.out)).toEqual({ code: codes[0], withdrawn: true });
  const again = await refill('withdraw', codes[0], ...whose(), '--json');
  expect([again.code, JSON.parse(again.out)]).toEqual([3, { code: codes[0], withdrawn: false }]);
});

test('an English name may have an equals sign; a language is known in any case of its region', async () => {
  const names = ['--name', 'en=xx=A fifth', '--name', 'zh-TW=春季'];
  const { codes } = JSON.parse((await refill('issue', ...whose(), '--rate', '0.5', ...names, '--json')).out);
  const { rows } = await shop.db.query('select name from coupon where code = $1', [codes[0]]);
  expect(rows).toEqual([{ name: { en: 'xx=A fifth', 'zh-tw': '春季' } }]);
});

test('one that an order holds stays', async () => {
  const holder = await makePlayer(shop.db);
  const { rows } = await shop.db.query('select suid from player where player_id = $1', [holder]);
  const named = ['--brand', 'watt', '--player', rows[0].suid];
  const { codes } = JSON.parse((await refill('issue', ...named, ...terms, '--json')).out);
  await placeOrder(
    shop.db,
    placeInput(holder, { coupon: { code: codes[0], min_charge_minor: 1, quoted_minor: null } }),
  );
  expect((await refill('withdraw', codes[0], ...named)).code).toBe(3);
});

test('everybody gets one, once', async () => {
  await shop.logIn();
  const all = ['--brand', 'watt', '--all', ...terms, '--once', 'spring', '--json'];
  const first = JSON.parse((await refill('issue', ...all)).out);
  expect(first.given).toBeGreaterThanOrEqual(2);
  expect(JSON.parse((await refill('issue', ...all)).out).given).toBe(0);
});

test.each([
  [['issue', '--brand', 'nobody', '--player', 'x', ...terms], 'there is no such brand'],
  [['issue', '--brand', 'watt', '--player', 'nobody', ...terms], 'no player of watt has this id'],
  [['issue', '--brand', 'watt', ...terms], 'either --player or --all'],
  [['issue', '--brand', 'watt', '--all', '--rate', '1.2', '--name', 'x'], '--rate "1.2"'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--min', 'USD'], '--min "USD"'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--product', 'star_50'], 'no product of watt that takes coupons'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--game', 'chess'], 'watt does not sell it'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--days', '0'], '--days "0"'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--name', 'jp=春'], 'jp is no language; known are ar, de, en'],
  [['issue', '--brand', 'watt', '--all', '--rate', '0.5', '--name', 'xx=A fifth'], 'Write "en=xx=A fifth"'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--name', 'zh-HK=春'], 'zh-HK is no language'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--name', 'fil=Tagsibol'], 'fil is no language'],
  [['issue', '--brand', 'watt', '--all', ...terms, '--name', 'ja= '], 'no text behind ja='],
])('%j says what is wrong', async (args, sentence) => {
  const run = await refill(...args);
  expect(run.code).toBe(1);
  expect(run.err).toContain(sentence);
});
