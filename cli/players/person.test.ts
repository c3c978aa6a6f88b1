import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveTestBalance } from '#testing/balances.ts';
import { placeOrder } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
let folder: string;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
  folder = await mkdtemp(join(tmpdir(), 'refill-person-'));
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const refill = (args: string[], answer?: boolean): Promise<Run> =>
  runCommand(['person', ...args], { DATABASE_URL: shop.databaseUrl, REFILL_CALLBACK_RECORD: folder }, answer);
const whose = (one: TestPlayer) => [`user_id:${one.suid}`, '--brand', 'watt', '--by', 'anna'];

test('an export is a file for one pair of eyes, never written over', async () => {
  const out = join(folder, 'person.json');
  const run = await refill(['export', ...whose(player), '--out', out]);
  expect(run).toMatchObject({ code: 0, err: '' });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const document = JSON.parse(await readFile(out, 'utf8'));
  expect(document.data.player).toMatchObject([{ suid: player.suid, username: player.username }]);
  const again = await refill(['export', ...whose(player), '--out', out]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('(EEXIST: it is there already)') });
});

test('erasing shows what goes and what stays, asks, and is done once', async () => {
  const no = await refill(['erase', ...whose(player)], false);
  expect(no).toMatchObject({ code: 1, err: expect.stringContaining('nothing was erased') });
  expect(no.out).toMatch(/session +1 +goes/);
  expect(no.out).toMatch(/orders +0 +role_id: pseudonym/);
  expect(await refill(['erase', ...whose(player)])).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect(await refill(['erase', ...whose(player), '--json'])).toMatchObject({ code: 1 });
  expect(await refill(['erase', ...whose(player)], true)).toMatchObject({ code: 0, err: '' });
  const again = await refill(['erase', `player_id:${player.playerId}`, '--brand', 'watt', '--yes']);
  expect(again).toMatchObject({ code: 3, err: expect.stringContaining('was erased on') });
  const { rows } = await shop.db.query('select actor, act, details from audit_entry order by id');
  expect(rows).toEqual([
    { actor: 'anna', act: 'person-export', details: { player: player.playerId } },
    { actor: 'anna', act: 'person-erase', details: { player: player.playerId } },
  ]);
});

test('what stands in the way is told with what to do', async () => {
  const order = await placeOrder(shop);
  await giveTestBalance(shop.db, order.player.playerId, 100);
  const run = await refill(['erase', ...whose(order.player), '--yes']);
  expect(run.code).toBe(3);
  expect(run.err).toContain(`Order ${order.billingNo} is not paid yet`);
  expect(run.err).toContain('--give-up-balance');
  const printed = await refill(['erase', ...whose(order.player), '--yes', '--json', '--give-up-balance']);
  expect(JSON.parse(printed.out)).toMatchObject({
    ok: false,
    outcome: 'refused',
    refusals: [{ reason: 'open_order' }],
  });
});
