import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOT_PATH } from '#contracts/tracking.ts';
import { runCommand } from '#cli/test-run.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());

const refill = (...args: string[]) => runCommand(['tracking', 'export', ...args], { DATABASE_URL: shop.databaseUrl });
const lines = (out: string) =>
  out
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('L85 the export writes a JSON line for each event of a brand, of the span asked for, beyond one page of the store', async () => {
  const list = Array.from({ length: 50 }, () => ({ event: 'login_open', id: 'WEBPAY-201-002' }));
  for (let n = 0; n < 6; n += 1) await shop.post(DOT_PATH, { uuid: `u${n}`, list });
  await shop.db.query(
    `insert into track_call (brand_key, app_id, event_id, uuid, did, session_id, traffic_source, events)
     select brand_key, app_id, event_id, 'u20', did, session_id, traffic_source, jsonb_build_array(events -> 0)
     from track_call, generate_series(1, 600) where uuid = 'u0'`,
  );
  await shop.post(DOT_PATH, { uuid: 'other', ...list[0] }, { brand: 'ko' });
  const all = lines((await refill('--brand', 'watt')).out);
  expect(all).toHaveLength(900);
  expect(all[0]).toMatchObject({ brand_key: 'watt', event: 'login_open', id: 'WEBPAY-201-002', uuid: 'u0' });
  expect(all.at(-1)).toMatchObject({ uuid: 'u20' });
  expect(lines((await refill('--brand', 'ko')).out).map(({ uuid }) => uuid)).toEqual(['other']);
  await shop.db.query("update track_call set received_at = '2026-01-02T10:00:00Z' where uuid = 'u3'");
  expect(lines((await refill('--brand', 'watt', '--since', '2026-01-02', '--until', '2026-01-03')).out)).toHaveLength(
    50,
  );
  expect((await refill('--brand', 'watt', '--until', '2026-01-02')).out).toBe('');
});

test('the export says what it cannot read', async () => {
  expect(await refill('--brand', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('no such brand') });
  expect(await refill('--brand', 'watt', '--since', 'soon')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--since'),
  });
});
