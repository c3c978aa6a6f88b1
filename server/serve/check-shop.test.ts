// Tests the findings of a start in the database: nothing applied, traces of a demonstration, brands that cannot sell.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { BrandKey } from '#kernel/ids.ts';
import { addAccount as addBuiltin } from '#server/modules/accounts/operate-account.ts';
import { savePassword } from '#server/modules/accounts/store.ts';
import { hashPassword } from '#server/modules/accounts/passwords/password.ts';
import { applyConfiguration, type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { inspectConfig } from '#server/platform/config.ts';
import { type Db, openDb, query } from '#server/platform/database/db.ts';
import { assignForDemonstration } from '#server/platform/database/demonstration.ts';
import { assignEnvironment } from '#server/platform/database/environment.ts';
import type { GameFault } from '#server/platform/outbound/outbound-measure.ts';
import { describeFinding } from '#server/platform/settings/finding.ts';
import { DEMO_PASSWORD } from '#server/platform/settings/published.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { createTestDatabase, openTestDatabase } from '#testing/database.ts';
import { checkEnvironment, checkTables, checkTraces } from './check-database.ts';
import { checkBrandFiles, checkBrands, listUnsellable, type Reach } from './check-brands.ts';
import { checkShop, describeFaults } from './preflight.ts';

const root = new URL('../..', import.meta.url).pathname;
const DATABASE_URL = 'postgres://shop@127.0.0.1/refill';
const GAME = { URL: 'https://game.publisher.com', SECRETS: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };

const configOf = (variables: Record<string, string>) =>
  inspectConfig({ DATABASE_URL, REFILL_ENVIRONMENT: 'live', ...variables }).config;
const parts = (variables: Record<string, string>) =>
  ({ config: configOf(variables), environment: 'live', providers: shopProviders, logins: [], now: Date.now }) as const;

let configuration: Configuration;

async function openShop() {
  const { db, drop } = await openTestDatabase(2);
  onTestFinished(drop);
  await applyConfiguration(db, root, { providers: shopProviders });
  return db;
}

beforeAll(async () => {
  const { db, drop } = await openTestDatabase(2);
  await applyConfiguration(db, root, { providers: shopProviders });
  configuration = await loadConfiguration(db);
  await drop();
});

/** A builtin account as `refill account add` makes it. */
async function addAccount(db: Db, name: string, password: string): Promise<void> {
  await addBuiltin(db, { brandKey: 'acenet' as BrandKey, username: name, suid: `id-${name}`, password });
}

test('an empty database and one without a brand are one sentence each', async () => {
  const database = await createTestDatabase();
  const db = openDb(database.url, { max: 2, onError: () => undefined });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
  });
  const nothing = await checkShop(parts({}), db);
  expect(nothing.faults.map(describeFinding)).toEqual([
    'the database has no brand yet: run `npm run refill -- apply` first.',
  ]);
  await db.query('drop schema public cascade; create schema public');
  const empty = await checkShop(parts({}), db);
  expect(empty.faults.map(describeFinding)).toEqual(['the database is empty: run `npm run refill -- apply` first.']);
  expect(describeFaults(empty.faults, [])).toBe(
    'Refill does not start: one fault.\n  - the database is empty: run `npm run refill -- apply` first.',
  );
});

test('a database of the other environment is refused, and one of nobody is left to be claimed', async () => {
  const db = await openShop();
  expect(await checkEnvironment(db, 'live')).toBeNull();
  await assignEnvironment(db, 'demo');
  expect(await checkEnvironment(db, 'demo')).toBeNull();
  const { faults } = await checkShop(parts({}), db);
  expect(faults.map(describeFinding)).toEqual([
    'REFILL_ENVIRONMENT is live, and the database belongs to the other environment: give each environment a ' +
      'database of its own.',
  ]);
});

test('a database that lacks a migration of this code is told so', async () => {
  const db = await openShop();
  expect(await checkTables(db)).toBeNull();
  await db.query("delete from schema_migration where name = '0001-baseline.sql'");
  expect(describeFinding((await checkTables(db))!)).toBe(
    'the database lacks 0001-baseline.sql of this version: run `npm run refill -- apply` first.',
  );
});

test('accounts with the published password are found by their names, whatever else they are', async () => {
  const db = await openShop();
  expect(await checkTraces(db, configuration)).toEqual([]);
  await addAccount(db, 'kestrel', DEMO_PASSWORD);
  await addAccount(db, 'sparrow', 'a-password-of-their-own');
  const [finding, ...others] = await checkTraces(db, configuration);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ name: 'brand acenet' });
  expect(finding?.reason).toContain('kestrel');
  expect(finding?.reason).not.toContain('sparrow');
  const [row] = await query<{ player_id: string }>(
    db,
    'find-kestrel',
    "select player_id from player_identity where subject = 'kestrel'",
  );
  await savePassword(db, row!.player_id as never, await hashPassword('another-password'));
  expect(await checkTraces(db, configuration)).toEqual([]);
});

test('a database that npm start made is none for a live shop', async () => {
  const database = await createTestDatabase();
  const db = openDb(database.url, { max: 2, onError: () => undefined });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
  });
  await assignForDemonstration(database.url, 'any');
  const [finding] = await checkTraces(db, configuration);
  expect(finding?.reason).toMatch(/^was made by npm start/);
});

test('games without address and secret are told with their variables and brands', () => {
  const { faults } = checkBrands(
    configOf({ REFILL_GAME_STARLANE_LIVE_URL: GAME.URL }),
    configuration,
    shopProviders,
    'live',
  );
  const games = faults.filter(({ name }) => name.startsWith('game ')).map(describeFinding);
  expect(games).toHaveLength(configuration.games.size);
  const starlane = games.find((one) => one.startsWith('game starlane'));
  expect(starlane).toContain('set REFILL_GAME_STARLANE_LIVE_SECRETS.');
  expect(games.find((one) => one.startsWith('game emberfall'))).toMatch(
    /has no address and no secret, and the brands .*watt.* cannot sell it: set REFILL_GAME_EMBERFALL_LIVE_URL and REFILL_GAME_EMBERFALL_LIVE_SECRETS\.$/,
  );
});

test('a brand without any channel is a fault, a single channel without credentials a warning', () => {
  const none = checkBrands(configOf({}), configuration, shopProviders, 'live');
  const brands = none.faults.filter(({ name }) => name.startsWith('brand '));
  expect(brands).toHaveLength(configuration.brands.size);
  expect(brands[0]).toMatchObject({ reason: 'has no payment channel that works' });
  const paypal = {
    REFILL_PAYPAL_LIVE_CLIENT_ID: 'a',
    REFILL_PAYPAL_LIVE_CLIENT_SECRET: 'b',
    REFILL_PAYPAL_LIVE_WEBHOOK_ID: 'c',
  };
  const some = checkBrands(configOf(paypal), configuration, shopProviders, 'live');
  expect(some.faults.filter(({ name }) => name.startsWith('brand ')).length).toBeLessThan(brands.length);
  expect(some.warnings.map(({ name }) => name)).not.toContain('paypal');
  const adyen = some.warnings.find(({ name }) => name === 'adyen');
  expect(describeFinding(adyen!)).toMatch(
    /^adyen is not set up, so its .* not offered: set REFILL_ADYEN_LIVE_API_KEY, /,
  );
});

const QUIET: Reach = { gameFault: () => null, isProviderDenied: () => false };

test('who cannot sell is told by brand: settings, games that answer nothing, goods without a price', () => {
  const brand = 'watt' as BrandKey;
  const games = configuration.brands.get(brand)?.file.games ?? [];
  const own = Object.fromEntries(
    [...configuration.games.keys()].flatMap((id) => {
      const name = `REFILL_GAME_${id.toUpperCase().replaceAll('-', '_')}_LIVE`;
      return [
        [`${name}_URL`, GAME.URL],
        [`${name}_SECRETS`, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      ];
    }),
  );
  const paypal = {
    REFILL_PAYPAL_LIVE_CLIENT_ID: 'a',
    REFILL_PAYPAL_LIVE_CLIENT_SECRET: 'b',
    REFILL_PAYPAL_LIVE_WEBHOOK_ID: 'c',
  };
  const tell = (settings: Record<string, string>, reach: Partial<Reach> = {}, of = configuration) => {
    const config = { ...configOf({ ...own, ...settings }), environment: 'live' as const };
    return listUnsellable(config, of, shopProviders, { ...QUIET, ...reach }).find((one) => one.brand === brand)
      ?.reasons;
  };
  expect(tell(paypal)).toBeUndefined();
  expect(tell({})).toEqual(['has no payment channel that works']);
  const gameFault = (fault: GameFault) => ({ gameFault: (game: string) => (game === games[0] ? fault : null) });
  expect(tell(paypal, gameFault('silent'))).toEqual([`game ${games[0]} answers no call`]);
  expect(tell(paypal, gameFault('denied'))).toEqual([`game ${games[0]} refuses our signature (401 or 403)`]);
  expect(tell(paypal, { isProviderDenied: (name: string) => name === 'paypal' })).toEqual([
    'has no payment channel that works',
  ]);
  const empty = new Map([...configuration.games].map(([id, game]) => [id, { ...game, products: new Map() }]));
  expect(tell(paypal, undefined, { ...configuration, games: empty })?.[0]).toBe(
    `has no goods of ${games[0]} with a price in its countries`,
  );
});

test('the shipped files are told nothing of; without channels every brand is', () => {
  expect(checkBrandFiles(configuration)).toEqual([]);
  expect(checkBrandFiles({ ...configuration, channels: [] })).toHaveLength(configuration.brands.size);
});
