// Error reports: what is kept of one, what is refused, how many are written.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportRoutes } from '#contracts/reports.ts';
import { DAY_MS } from '#kernel/time.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { listReports } from './service.ts';

let shop: TestShop;
beforeAll(async () => {
  // The clock of the budget stands: a minute must not end in the middle of a test.
  const now = Date.now();
  shop = await createTestShop({ now: () => now });
});
afterAll(() => shop.close());

const REPORT = {
  reference: 'K7Q2-9XWM',
  kind: 'network',
  path: '/api/pay/getServerList',
  code: 0,
  page: '/selectGoods',
  language: 'en',
  build: 'main-a1b2',
  note: '',
  time: 1_700_000_000_000,
};
let network = 0;
const send = (over: object = {}, sent: object = {}) => {
  network += 1;
  return shop.post(reportRoutes.send.path, { ...REPORT, ...over }, { remoteAddress: `10.1.0.${network}`, ...sent });
};
const all = (brandKey: string | null = null) => listReports(shop.db, { brandKey, since: null, until: null }, 100);

test('L194 a report is kept with path, code, time, page, language and build, and nothing of who sent it', async () => {
  const player = await shop.logIn();
  const extra = { oauth_token: 'rf1_secret', username: player.username };
  expect((await send(extra, { session: player })).code).toBe(1);
  const [kept] = await all();
  const { time, ...expected } = REPORT;
  expect(kept).toEqual({
    ...expected,
    request: '',
    brand_key: 'watt',
    at: new Date(time),
    received_at: expect.any(Date),
  });
  const everything = JSON.stringify((await shop.db.query('select * from error_report')).rows);
  for (const secret of ['rf1_secret', player.username, player.playerId]) expect(everything).not.toContain(secret);
});

test("L53 the player's words are added to their report, once, and not to another brand's", async () => {
  await send({ note: ' It stood still. ' });
  await send({ note: 'Somebody else' });
  await send({ note: 'In another shop' }, { brand: 'ko' });
  expect((await all('watt')).map(({ note }) => note)).toEqual(['It stood still.']);
  expect((await all('ko')).map(({ note }) => note)).toEqual(['In another shop']);
});

test.each([
  ['a query in the path', { path: '/api/pay/getServerList?oauth_token=x' }],
  ['a query in the page', { page: '/my?billing_no=1' }],
  ['another form of reference', { reference: 'anything' }],
  ['another kind', { kind: 'praise' }],
  ['what is no number of a call', { request: 'rf1_secret' }],
  ['a note without end', { note: 'x'.repeat(501) }],
])('refuses %s', async (_what, over) => {
  const before = (await all()).length;
  expect((await send(over)).status).toBe(400);
  expect(await all()).toHaveLength(before);
});

test('takes nothing from pages of others', async () => {
  expect((await send({ reference: 'AAAA-AAAA' }, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
});

test('writes ten of a network in a minute', async () => {
  const from = (n: number) => send({ reference: `BBBB-00${10 + n}` }, { remoteAddress: '203.0.113.20' });
  for (let n = 0; n < 10; n += 1) expect((await from(n)).code).toBe(1);
  expect((await from(11)).status).toBe(429);
});

test('a network stores 200 reports a day, however slowly it sends them', async () => {
  // One in the morning: the twenty minutes of this test must not lie on two days.
  let now = Math.floor(Date.now() / DAY_MS) * DAY_MS + 3_600_000;
  const slow = await createTestShop({ now: () => now });
  try {
    const statuses = new Map<number, number>();
    for (let n = 0; n < 210; n += 1) {
      if (n % 10 === 0) now += 61_000;
      // References have no 0 and no 1.
      const reference = `AAAA-${n
        .toString(8)
        .padStart(4, '0')
        .replaceAll(/\d/g, (digit) => String(Number(digit) + 2))}`;
      const { status } = await slow.post(
        reportRoutes.send.path,
        { ...REPORT, reference },
        { remoteAddress: '10.2.0.1' },
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [200, 200],
      [429, 10],
    ]);
  } finally {
    await slow.close();
  }
});
