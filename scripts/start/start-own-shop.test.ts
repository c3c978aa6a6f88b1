// `npm start -- --shop`: which games are simulated, who can log in, and that nothing untrue is printed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '#cli/test-run.ts';
import { locateData, withShopSettings } from '#server/platform/settings/shop-folder.ts';
import { makeWorlds, rolesOf } from '#simulators/gameserver-world.ts';
import { readOwnShop } from './start-own-shop.ts';
import { describeWelcome } from './start-print.ts';

let scratch: string;
let shop: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'refill-own-'));
  shop = join(scratch, 'fjord');
  await runCommand(['new', shop, '--game', 'skald'], {});
});
afterAll(() => rm(scratch, { recursive: true }));

const welcome = {
  port: 8080,
  brands: ['fjord'],
  accounts: [],
  cards: [],
  inbox: 'http://localhost:8081/game',
  logs: 'logs',
};
const URL_NAME = 'REFILL_GAME_SKALD_DEMO_URL';

test('plays a game that has no address, with characters for everybody', async () => {
  const own = await readOwnShop(shop, {});
  expect(own).toMatchObject({ folder: shop, host: 'fjord.demo.localhost', ownGames: [], hasDemoAccounts: true });
  const world = makeWorlds(own.simulatedGames).get('skald')!;
  expect(rolesOf(world, '10001', 'kestrel')?.map(({ name }) => name)).toEqual(['Kestrel', '星野ひかり']);
  expect(rolesOf(world, '10001', 'anybody')?.length).toBeGreaterThan(0);
  expect(rolesOf(world, '999', 'kestrel')).toBeUndefined();
  const printed = describeWelcome({ ...welcome, own });
  expect(printed).toContain(`Your shop, ${shop}\n  fjord  http://fjord.demo.localhost:8080\n`);
  expect(printed).toContain('Goods arrive in the simulated game');
  expect(printed).not.toContain('/sample-game');
});

test('leaves a game with an address to its own server, whose accounts are its own', async () => {
  const own = await readOwnShop(shop, { [URL_NAME]: 'http://127.0.0.1:9300/v1' });
  expect(own).toMatchObject({ simulatedGames: [], hasDemoAccounts: false });
  const printed = describeWelcome({ ...welcome, own });
  expect(printed).toContain('  skald  http://127.0.0.1:9300/v1');
  expect(printed).not.toMatch(/simulated game|Demo accounts/);
});

test('says every fault of the files', async () => {
  await writeFile(join(shop, 'messages', 'de.json'), '{"none": "x"}');
  await expect(readOwnShop(shop, {})).rejects.toThrow(/^messages\/de\.json:1: none: the shop has no such text/);
  await rm(join(shop, 'messages', 'de.json'));
});

test("a shop's .env is weaker than what is set, and its data lie in its folder", async () => {
  await writeFile(join(shop, '.env'), `A=file\nB=file\nC="two words"\n`);
  const read = withShopSettings({ A: 'set', B: '', D: undefined }, shop);
  expect(read).toMatchObject({ A: 'set', B: 'file', C: 'two words', REFILL_SHOP: shop });
  expect(locateData(read)).toBe(join(shop, '.data'));
  expect(locateData({ ...read, REFILL_DATA: scratch })).toBe(scratch);
  expect(withShopSettings({ A: 'set' })).toEqual({ A: 'set' });
  expect(() => withShopSettings({}, join(scratch, 'none'))).toThrow(
    /^There is no folder .*none: name the folder of your shop/,
  );
});
