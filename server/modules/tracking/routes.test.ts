// Tests the tracking calls of pages: named as the specification does, bounded in size and number, and handed out again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOT_PATH, MOMENTS, MAX_EVENTS, VISIT_PATH } from '#contracts/tracking.ts';
import { writeMetrics } from '#server/platform/metrics/metrics.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { exportEvents } from './service.ts';

let shop: TestShop;
beforeAll(async () => {
  // The clock of the budget stands: a minute must not end in the middle of a test.
  const now = Date.now();
  shop = await createTestShop({ now: () => now });
});
afterAll(() => shop.close());

const WHO = {
  uuid: 'b1',
  did: 'd1',
  session_id: 's1',
  session_time: 1_700_000_000_000,
  traffic_source: 'utm_source=x',
};
const CHOSEN = {
  event: 'goods_choose',
  id: 'WEBPAY-201-010',
  data: { product_id: 'star_260' },
  time: 1_700_000_001_000,
};

let network = 0;
/** As a beacon of the brand's own page: plain text, without our header; each from a network of its own. */
function tell(
  path: string,
  body: unknown,
  over: { headers?: Record<string, string>; brand?: string; remoteAddress?: string } = {},
) {
  network += 1;
  const headers = { 'content-type': 'text/plain;charset=UTF-8', 'x-refill': undefined, ...over.headers };
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return shop.post<{ taken: number } | null>(path, payload, {
    remoteAddress: `10.0.${network >> 8}.${network & 255}`,
    ...over,
    headers,
  });
}

async function stored(brand = 'watt') {
  const all = [];
  for await (const page of exportEvents(shop.db, brand, { since: null, until: null })) all.push(...page);
  return all;
}
const lastStored = async (brand?: string) => (await stored(brand)).at(-1);

test('L85 every id has one name and one moment', () => {
  const dots = (from: number, to: number, group: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `WEBPAY-${group}-${String(from + index).padStart(3, '0')}`);
  const all = [...dots(1, 19, 201), ...dots(1, 2, 210), ...dots(1, 2, 220)];
  expect(Object.values(MOMENTS).map(({ id }) => id)).toEqual(all);
  expect(new Set(Object.values(MOMENTS).map(({ moment }) => moment)).size).toBe(23);
});

test('L85 each of the 23 ids is taken under its name, and under no other', async () => {
  const list = Object.entries(MOMENTS).map(([event, { id }]) => ({ event, id }));
  expect((await tell(DOT_PATH, { ...WHO, list }, { brand: 'ko' })).content).toEqual({ taken: 23 });
  expect((await stored('ko')).map(({ event, id }) => ({ event, id }))).toEqual(list);
  expect((await tell(DOT_PATH, { event: 'shop_open', id: 'WEBPAY-201-002' })).code).toBe(-1001);
  expect((await tell(DOT_PATH, { event: 'constructor', id: 'WEBPAY-201-002' })).code).toBe(-1001);
});

test('L179 dot.php takes event name, id and data; the brand names who measures', async () => {
  expect(await tell(DOT_PATH, { ...CHOSEN, ...WHO })).toMatchObject({ status: 200, code: 1, content: { taken: 1 } });
  expect(await lastStored()).toMatchObject({
    brand_key: 'watt',
    event: 'goods_choose',
    id: 'WEBPAY-201-010',
    data: { product_id: 'star_260' },
    app_id: 'watt-web',
    event_id: 'WEBPAY',
    uuid: 'b1',
    did: 'd1',
    session_id: 's1',
    traffic_source: 'utm_source=x',
    session_time: new Date(1_700_000_000_000),
    at: '2023-11-14T22:13:21.000Z',
  });
});

test('L179 dot.php takes a form as well, as a page of the old kind sends it', async () => {
  const form = new URLSearchParams({
    event: 'login_open',
    id: 'WEBPAY-201-002',
    data: '{}',
    session_time: '1700000000000',
  });
  const answer = await tell(DOT_PATH, form.toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.content).toEqual({ taken: 1 });
  expect(await lastStored()).toMatchObject({ event: 'login_open', session_time: new Date(1_700_000_000_000) });
});

test('L179 api.php takes event 18, and no other', async () => {
  expect((await tell(VISIT_PATH, { event: 18, ...WHO, data: { page: '/selectGoods' } })).content).toEqual({ taken: 1 });
  expect(await lastStored()).toMatchObject({ event: 'visit', id: '18', data: { page: '/selectGoods' }, uuid: 'b1' });
  expect((await tell(VISIT_PATH, { event: 17, ...WHO })).status).toBe(400);
});

test('keeps no word but those of the table: what else a page sends goes no further', async () => {
  const data = { product_id: 'star_260', username: 'somebody', email: 'a@b.example' };
  expect((await tell(DOT_PATH, { ...CHOSEN, data, username: 'somebody' })).code).toBe(1);
  const kept = await lastStored();
  expect(kept?.data).toEqual({ product_id: 'star_260' });
  expect(JSON.stringify(kept)).not.toContain('somebody');
  expect((await tell(VISIT_PATH, { event: 18, data: { page: '/my', username: 'somebody' } })).code).toBe(1);
  expect((await lastStored())?.data).toEqual({ page: '/my' });
});

test.each([
  ['no body', ''],
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no id', { event: 'shop_open' }],
  ['data of many keys', { ...CHOSEN, data: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, 1])) }],
  ['a long value', { ...CHOSEN, data: { product_id: 'x'.repeat(129) } }],
  ['data inside data', { ...CHOSEN, data: { product_id: {} } }],
  ['too many events', { list: Array.from({ length: MAX_EVENTS + 1 }, () => CHOSEN) }],
  ['no events', { list: [] }],
  ['a time beyond all dates', { ...CHOSEN, time: 1e18 }],
  ['a time beyond the year 9999', { ...CHOSEN, time: 253_402_300_800_000 }],
])('refuses %s and keeps nothing', async (_what, body) => {
  const before = (await stored()).length;
  expect((await tell(DOT_PATH, body)).status).toBe(400);
  expect((await stored()).length).toBe(before);
});

test('refuses a body of more than 16 kB', async () => {
  expect((await tell(DOT_PATH, { ...CHOSEN, spec_lang: 'x'.repeat(17_000) })).status).toBe(413);
});

test('survives characters that no text of the database has', async () => {
  expect((await tell(DOT_PATH, { ...CHOSEN, uuid: 'a\0b\ud800' })).code).toBe(1);
  expect((await lastStored())?.uuid).toBe('ab\ufffd');
});

test('takes nothing from pages of others, nor by GET', async () => {
  const strange = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
  expect((await tell(DOT_PATH, CHOSEN, { headers: strange })).status).toBe(403);
  expect((await shop.get(`${DOT_PATH}?event=shop_open&id=WEBPAY-201-001`)).status).toBe(404);
});

test('takes a hundred and twenty calls of a network in a minute, and the rest of the world goes on', async () => {
  const from = (remoteAddress: string) => tell(DOT_PATH, CHOSEN, { remoteAddress });
  for (let n = 0; n < 120; n += 1) expect((await from('203.0.113.9')).code).toBe(1);
  expect((await from('203.0.113.9')).status).toBe(429);
  expect((await from('203.0.113.10')).code).toBe(1);
});

test('stores a visitor once a call, and 64 characters of each text', async () => {
  const long = 'x'.repeat(100);
  const list = Array.from({ length: MAX_EVENTS }, () => ({ ...CHOSEN, data: { product_id: long } }));
  const before = await shop.db.query('select from track_call');
  expect((await tell(DOT_PATH, { ...WHO, did: long, traffic_source: long, list })).content).toEqual({ taken: 50 });
  expect((await shop.db.query('select from track_call')).rowCount).toBe((before.rowCount ?? 0) + 1);
  const cut = 'x'.repeat(64);
  expect(await lastStored()).toMatchObject({ did: cut, traffic_source: cut, data: { product_id: cut } });
});

test('a network has its share of the day, whatever it sends, and the table has a ceiling', async () => {
  const small = await createTestShop({ environment: { REFILL_VISIT_MB_PER_DAY: '1' } });
  const dropped = async (reason: string) =>
    Number(new RegExp(`dropped_total\\{reason="${reason}"\\} (\\d+)`).exec((await writeMetrics()).text)?.[1] ?? 0);
  try {
    const list = Array.from({ length: MAX_EVENTS }, () => CHOSEN);
    const send = (remoteAddress: string) =>
      small.post<{ taken: number }>(DOT_PATH, JSON.stringify({ list }), {
        remoteAddress,
        headers: { 'content-type': 'text/plain', 'x-refill': undefined },
      });
    const before = await dropped('network');
    expect([(await send('10.9.0.1')).status, (await send('10.9.0.1')).status]).toEqual([200, 429]);
    expect(await dropped('network')).toBe(before + MAX_EVENTS);
    expect((await send('10.9.0.2')).status).toBe(200);
    await small.db.query('alter table track_call alter column call_no restart with 300000');
    expect((await send('10.9.0.3')).status).toBe(200);
    const ofTable = await dropped('table');
    expect((await send('10.9.0.4')).status).toBe(429);
    expect(await dropped('table')).toBe(ofTable + MAX_EVENTS);
    expect((await small.db.query('select from track_call')).rowCount).toBe(3);
  } finally {
    await small.close();
  }
});

test('a brand whose pages call a collector has no such place', async () => {
  const collection = { demo: 'collect.example' };
  const tracking = { appId: 'watt-web', eventId: 'WEBPAY', collection };
  const away = await createTestShop({ brands: { watt: { tracking } as never } });
  try {
    expect((await away.post(DOT_PATH, CHOSEN)).status).toBe(404);
    expect((await away.post(VISIT_PATH, { event: 18 })).status).toBe(404);
    expect((await away.db.query('select from track_call')).rowCount).toBe(0);
  } finally {
    await away.close();
  }
});

test('costs one statement a call', async () => {
  expect(await shop.countStatements(() => tell(DOT_PATH, CHOSEN))).toEqual(['track_add']);
});

test('a brand that tracks nothing has no such place', async () => {
  const quiet = await createTestShop({ brands: { watt: { tracking: undefined } as never } });
  try {
    expect((await quiet.post(DOT_PATH, CHOSEN)).status).toBe(404);
    expect((await quiet.db.query('select from track_call')).rowCount).toBe(0);
  } finally {
    await quiet.close();
  }
});
