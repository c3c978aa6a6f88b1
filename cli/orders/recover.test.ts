// `refill recover` and `refill order adopt` as a person types them, where no game and no provider can be asked.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo } from '#kernel/ids.ts';
import { openErasedRecord } from '#server/modules/privacy/service.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { type Run, runCommand } from '#cli/test-run.ts';
import { createLog } from '#server/platform/log.ts';
import { report } from '#testing/orders.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

const SINCE = new Date(Date.now() - 60_000).toISOString();
const REFERENCE = '01JD3Y8Q5R7T9V1X3Z5B7D9F1H-1';

let shop: TestShop;
let player: TestPlayer;
let environment: Record<string, string>;
let folder: string;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
  folder = await mkdtemp(join(tmpdir(), 'refill-recover-'));
  environment = { DATABASE_URL: shop.databaseUrl, REFILL_CALLBACK_RECORD: folder };
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const refill = (...args: string[]): Promise<Run> => runCommand([...args, '--by', 'anna'], environment);
const recover = (...args: string[]) => refill('recover', '--since', SINCE, ...args);
const isErased = async () =>
  (await shop.db.query('select erased_at is not null as is from player where player_id = $1', [player.playerId]))
    .rows[0].is;

test.each([
  ['2026-02-30', 'write 2026-11-21 or'],
  ['2026-11-21 08:30', 'write 2026-11-21 or'],
  ['2999-01-01', 'it must be in the past'],
])('a backup of "%s" is none', async (since, words) => {
  const run = await refill('recover', '--since', since);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining(`--since "${since}": ${words}`) });
});

test('who was erased since the backup is erased again, once, and a plan erases nobody', async () => {
  const config = readCommandConfig({ REFILL_ENVIRONMENT: 'demo', ...environment }, shop.databaseUrl);
  const record = openErasedRecord({ config, now: Date.now, log: createLog('silent') });
  await record?.note(player.playerId, false);
  await record?.close();
  const plan = await recover();
  expect(plan).toMatchObject({ code: 0, err: '' });
  expect(plan.out).toContain(player.playerId);
  expect(await isErased()).toBe(false);
  const done = await recover('--yes', '--json');
  expect(JSON.parse(done.out)).toMatchObject({
    ok: true,
    erased: [{ player_id: player.playerId, outcome: 'erased', reasons: [] }],
  });
  expect(await isErased()).toBe(true);
  expect(JSON.parse((await recover('--yes', '--json')).out)).toMatchObject({ ok: true, erased: [] });
});

test('money of an order that nobody knows is told with the command for it', async () => {
  await report(shop.db, { billingNo: REFERENCE.slice(0, -2) as BillingNo, attemptNo: 1 }, { provider: 'adyen' });
  const plan = await recover();
  expect(plan.code).toBe(1);
  expect(plan.out).toContain(`refill order adopt ${REFERENCE} --provider adyen --amount USD=4.99 --brand <key>`);
});

test('a payment is adopted only as its provider says, and what is wrong is said in one sentence', async () => {
  const buyer = await shop.logIn();
  const adopt = (over: Record<string, string | null> = {}, reference = REFERENCE) => {
    const options = {
      provider: 'adyen', amount: 'USD=4.99', brand: 'watt', player: `player_id:${buyer.playerId}`, client: '70021',
      product: 'star_260', server: 's1', role: 'r1', ...over,
    }; /* a row a line */ // prettier-ignore
    const args = Object.entries(options).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]));
    return refill('order', 'adopt', reference, ...args);
  };
  expect(await adopt()).toMatchObject({ code: 3, err: expect.stringContaining('adyen is not on here') });
  expect((await adopt({ role: null })).err).toContain('--server and --role: say which character gets the goods');
  expect((await adopt({ product: 'nothing' })).err).toContain('--product "nothing": starlane has no such goods');
  expect((await adopt({ client: '1' })).err).toContain('--client "1": no game has this client id');
  expect((await adopt({ country: 'XX' })).err).toContain('--country "XX": the region of this client has ');
  expect(await adopt({ country: 'us' })).toMatchObject({
    code: 3,
    err: expect.stringContaining('adyen is not on here'),
  });
  expect((await adopt({ amount: '4.99' })).err).toContain('--amount "4.99"');
  expect((await adopt({}, 'what')).err).toContain('"what" is no reference of a payment');
  expect((await shop.db.query('select from orders where billing_no = $1', [REFERENCE.slice(0, -2)])).rowCount).toBe(0);
});
