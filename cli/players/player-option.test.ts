// Tests the meaning of `--player`: an id, and a shown name only when a person says so.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BrandKey } from '#kernel/ids.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  await shop.services.accounts.saveAccount({
    brandKey: 'watt' as BrandKey,
    username: 'Merlin',
    suid: 'm-1',
    password: 'correct horse',
  });
});
afterAll(() => shop.close());
beforeEach(async () => {
  player = await shop.logIn();
});

const give = (whom: string, answer?: boolean, ...more: string[]): Promise<Run> =>
  runCommand(
    ['coupon', 'issue', '--brand', 'watt', '--player', whom, '--rate', '0.8', '--name', 'x', ...more],
    { DATABASE_URL: shop.databaseUrl },
    answer,
  );
const couponsOf = async (playerId: string) =>
  (await shop.db.query('select from coupon where player_id = $1', [playerId])).rowCount;

test.each([
  ['the user id', () => player.suid],
  ['the user id by name', () => `user_id:${player.suid}`],
  ['our own id', () => player.playerId.toUpperCase()],
  ['our own id by name', () => `player_id:${player.playerId}`],
])('%s is enough', async (_name, whom) => {
  expect((await give(whom())).code).toBe(0);
  expect(await couponsOf(player.playerId)).toBe(1);
});

test('the login of an account that the shop keeps is an id as well, in any case', async () => {
  for (const whom of ['MERLIN', 'login:merlin', 'user_id:m-1']) expect((await give(whom)).code).toBe(0);
});

test.each([
  ['in a script', undefined, []],
  ['for a program', true, ['--json']],
])('a shown name is refused %s, with the id that would do', async (_name, answer, more) => {
  const run = await give(player.username, answer, ...more);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining(`--player user_id:${player.suid}`) });
  expect(await couponsOf(player.playerId)).toBe(0);
});

test('a person is shown whose name it is, and asked', async () => {
  const no = await give(player.username, false);
  expect([no.code, no.out]).toEqual([1, expect.stringContaining(player.playerId)]);
  expect(await couponsOf(player.playerId)).toBe(0);
  expect((await give(player.username, true)).code).toBe(0);
  expect(await couponsOf(player.playerId)).toBe(1);
});

test('a nickname that looks like the id of somebody else neither gets the coupon nor keeps it away', async () => {
  const thief = await shop.logIn();
  await shop.db.query('update player set username = $2 where player_id = $1', [thief.playerId, player.suid]);
  expect((await give(player.suid)).code).toBe(0);
  expect([await couponsOf(player.playerId), await couponsOf(thief.playerId)]).toEqual([1, 0]);
  // The id of nobody, as a nickname: only a person could mean that player.
  await shop.db.query(`update player set username = '917953001' where player_id = $1`, [thief.playerId]);
  expect((await give('917953001')).code).toBe(1);
  expect((await give('user_id:917953001', true)).code).toBe(1);
});

test('a name that two have, and an id that is a login of another', async () => {
  const twin = await shop.logIn();
  await shop.db.query(`update player set username = 'Twins' where player_id = any ($1)`, [
    [player.playerId, twin.playerId],
  ]);
  expect((await give('twins', true)).err).toContain('several players are shown by this name');
  await shop.db.query(`update player set suid = 'merlin' where player_id = $1`, [twin.playerId]);
  expect((await give('merlin', true)).err).toContain('several players have this id');
  expect((await give('login:merlin')).code).toBe(0);
  await shop.db.query(`update player set suid = 'twin' where player_id = $1`, [twin.playerId]);
});

test.each([
  ['order refund', ['01ARZ3NDEKTSV4RRFFQ69G5FAV']],
  ['order acknowledge', ['adyen', 'some-key']],
  ['replenish open', ['--client', '70021', '--amount', 'USD=1']],
  ['wallet credit', ['--amount', 'USD=1']],
  ['vip points', ['--give', '1']],
  ['player age', ['--erase']],
  ['player real-name', ['--erase']],
])('a reason of `%s` has the bound of the admin API', async (command, more) => {
  const whose = command.startsWith('order') ? [] : ['--brand', 'watt', '--player', `user_id:${player.suid}`];
  const run = (reason: string) =>
    runCommand([...command.split(' '), ...more, ...whose, '--reason', reason], { DATABASE_URL: shop.databaseUrl });
  for (const wrong of ['x'.repeat(201), 'x'.repeat(5000), ' '])
    expect(await run(wrong)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--reason: it must have 1 to 200'),
    });
  expect((await run('\u{1F600}'.repeat(200))).err).not.toContain('--reason');
});
