import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportRoutes } from '#contracts/reports.ts';
import { runCommand } from '#cli/test-run.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
  const report = {
    kind: 'network',
    path: '/api/pay/getServerList',
    code: 502,
    page: '/my',
    language: 'de',
    build: 'main-a1',
    time: 1,
  };
  await shop.post(reportRoutes.send.path, { ...report, reference: 'AAAA-0001', note: 'It stood\nstill \u001b[31m' });
  await shop.post(
    reportRoutes.send.path,
    { ...report, reference: 'AAAA-0002', note: '', request: 'ab'.repeat(16) },
    { brand: 'ko' },
  );
  await shop.db.query("update error_report set received_at = '2026-01-02T10:00:00Z' where brand_key = 'ko'");
});
afterAll(() => shop.close());

const errors = (...args: string[]) => runCommand(['report', 'errors', ...args], { DATABASE_URL: shop.databaseUrl });

test('L194 errors are listed, the newest first, of one brand or a span, without control characters', async () => {
  const all = await errors();
  expect(all.out.indexOf('AAAA-0001')).toBeLessThan(all.out.indexOf('AAAA-0002'));
  expect(all.out).toContain('/api/pay/getServerList');
  expect(all.out).toContain('It stood still');
  expect(all.out).not.toContain('\u001b');
  expect((await errors('--brand', 'ko')).out).not.toContain('AAAA-0001');
  expect((await errors('--brand', 'ko')).out).toContain('ab'.repeat(16));
  const json = JSON.parse((await errors('--json', '--until', '2026-02-01')).out) as {
    reports: { reference: string }[];
  };
  expect(json.reports.map(({ reference }) => reference)).toEqual(['AAAA-0002']);
  expect((await errors('--until', '2025-01-01')).out).toBe('No reports.\n');
});

test('what cannot be read is told', async () => {
  expect(await errors('--brand', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('no such brand') });
  expect(await errors('--limit', '0')).toMatchObject({ code: 1, err: expect.stringContaining('--limit') });
});
