// `refill callbacks`: what lies on the disk is listed without a database, and handed on to one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCallbackRecord } from '#server/modules/orders/record/callback-record.ts';
import { createLog } from '#server/platform/log.ts';
import { openRecordFolder } from '#server/platform/record/record-folder.ts';
import { reportOn } from '#testing/fake-payments.ts';
import { PRICE } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let folder: string;
beforeAll(async () => {
  shop = await createTestShop();
  folder = await mkdtemp(join(tmpdir(), 'refill-callbacks-'));
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({
  DATABASE_URL: shop.databaseUrl,
  REFILL_CALLBACK_RECORD: folder,
  REFILL_PAYPAL_DEMO_CLIENT_ID: 'a-client',
  REFILL_PAYPAL_DEMO_CLIENT_SECRET: 'a-secret-of-the-test',
  REFILL_PAYPAL_DEMO_WEBHOOK_ID: 'a-webhook',
});
const recordOf = () => {
  const path = join(folder, `demo-${new URL(shop.databaseUrl).pathname.slice(1)}`);
  const log = createLog('silent');
  return createCallbackRecord({ folder: openRecordFolder(path), capBytes: 1e6, now: Date.now, log });
};

test('nothing is there, then a callback that a process holds, then one that it left', async () => {
  expect(await runCommand(['callbacks', 'list'], environment())).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^No callback waits in .+demo-/),
  });
  const record = recordOf();
  const reference = '01ARZ3NDEKTSV4RRFFQ69G5FAV-1';
  const report = reportOn({ reference, amount: PRICE }, 'refunded');
  const stored = { headers: {}, body: 'the body, which is not shown' };
  expect(await record.keepProven('paypal', [{ dedupKey: 'kept-1', report }], stored)).toBe(true);

  // The database of this address is away, and nobody asks for it.
  const away = { ...environment(), DATABASE_URL: shop.databaseUrl.replace(/:\d+\//, ':9/') };
  const listed = await runCommand(['callbacks', 'list'], away);
  expect(listed.out).toMatch(/paypal +yes +refunded 01ARZ3NDEKTSV4RRFFQ69G5FAV-1/);
  expect(listed.out).not.toContain('the body');
  expect(JSON.parse((await runCommand(['callbacks', 'list', '--json'], away)).out)).toMatchObject({
    files: [{ state: 'held' }],
    callbacks: [
      {
        provider: 'paypal',
        is_proven: true,
        reports: [{ status: 'refunded', reference, amount_minor: 99, currency: 'USD' }],
      },
    ],
  });

  const held = await runCommand(['callbacks', 'replay'], environment());
  expect(held).toMatchObject({ code: 3, out: '0 callbacks were applied, 0 still wait.\n' });
  expect(held.err).toContain('1 files are held by a process that runs');
  await record.proven.release();
  const done = await runCommand(['callbacks', 'replay', '--json'], environment());
  expect([done.code, JSON.parse(done.out)]).toEqual([0, { ok: true, replayed: 1, waiting: 0, files_held: 0 }]);
  const { rows } = await shop.db.query(`select outcome from callback_inbox where dedup_key = 'kept-1'`);
  expect(rows).toEqual([{ outcome: 'unknown_order' }]);
});

test('what cannot be handed on is left for the next one, with exit code 3', async () => {
  const record = recordOf();
  const report = reportOn({ reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1', amount: PRICE }, 'refunded');
  // No credentials of that provider.
  await record.keepProven('xsolla', [{ dedupKey: 'kept-2', report }], { headers: {}, body: '' });
  await record.proven.release();
  expect(await runCommand(['callbacks', 'replay'], environment())).toMatchObject({
    code: 3,
    out: '0 callbacks were applied, 1 still wait.\n',
    err: '',
  });
  const { out } = await runCommand(['callbacks', 'list', '--json'], environment());
  expect(JSON.parse(out)).toMatchObject({ files: [{ state: 'left' }], callbacks: [{ provider: 'xsolla' }] });
});
