// `refill doctor` on a shop that is well, and on the same shop with one thing wrong at a time.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { zoneOffset } from '#kernel/time.ts';
import { applyConfiguration, type Configuration } from '#server/modules/configuration/service.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { newDataFolder } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer } from '#testing/orders.ts';
import type { Db } from '#server/platform/database/db.ts';
import { createProgram } from '#cli/program.ts';
import { recordBackup } from '#server/platform/database/backup-record.ts';
import { ENDS } from '#server/modules/privacy/ends.ts';
import type { Look } from './look.ts';
import { judgeCompiling, lookAtBackup, lookAtEnds, lookAtErasures, lookAtRecovery } from './look-at-database.ts';
import { lookAtAccounts } from './look-at-accounts.ts';
import { lookAtConnections } from './look-at-connections.ts';
import { lookAtZones } from './look-at-zones.ts';

const root = join(import.meta.dirname, '..', '..');
let db: Db;
let url: string;
let simulators: Simulators;
let wall: Server;

beforeAll(async () => {
  const database = await openTestDatabase(3);
  ({ db, url } = database);
  await applyConfiguration(db, root, { providers: shopProviders });
  await db.query('update invariant_check set checked_at = now(), full_at = now()');
  await db.query('insert into retention_end (what, done_at) select unnest($1::text[]), now()', [
    ENDS.map(({ what }) => what),
  ]);
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: 'http://127.0.0.1:9' });
  wall = createServer((_, response) => response.writeHead(401).end('{}'));
  await new Promise<void>((listening) => wall.listen(0, '127.0.0.1', listening));
  return async () => {
    wall.close();
    await simulators.close();
    await database.drop();
  };
});

const settings = (over: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: url,
  REFILL_ENVIRONMENT: 'demo',
  ...simulators.environment,
  REFILL_WALLET_DEMO_CREDIT_KEY: 'a-key-of-the-test-that-is-long-enough',
  REFILL_CARD_DEMO_PEPPER: 'a-pepper-that-nobody-may-ever-see',
  ...over,
});

async function run(environment: Record<string, string>, ...args: string[]): Promise<{ out: string; code: number }> {
  const printed: string[] = [];
  let code = 0;
  const print = (text: string) => printed.push(text);
  const program = createProgram({
    environment,
    out: print,
    err: print,
    setExitCode: (exit) => (code = exit),
    ask: null,
  });
  await program.parseAsync(['node', 'refill', 'doctor', ...args]);
  return { out: printed.join('\n'), code };
}

async function examine(over: Record<string, string> = {}): Promise<{ code: number; ill: string[]; looks: Look[] }> {
  const { out, code } = await run(settings(over), '--json');
  const { looks } = JSON.parse(out) as { looks: Look[] };
  const ill = looks
    .filter(({ state }) => state !== 'ok')
    .map(({ state, name, said, remedy }) => `${state}: ${name} ${said}: ${remedy}`);
  return { code, ill, looks };
}

test('of a shop that is well every area is looked at, and nothing is wrong', async () => {
  const { code, ill, looks } = await examine();
  // Built pages and a free disk depend on this machine.
  expect(ill.filter((line) => !/storefront|the disk/.test(line))).toEqual([]);
  const areas = ['settings', 'storefront', 'machine', 'database', 'clock', 'games', 'providers', 'work'];
  expect(new Set(looks.map(({ area }) => area))).toEqual(new Set(areas));
  expect(looks.filter(({ area }) => area === 'games').map(({ name }) => name)).toEqual([
    'game emberfall',
    'game pocket-pitch',
    'game starlane',
  ]);
  expect(code).toBe(ill.some((line) => line.startsWith('fault')) ? 1 : 0);
});

test.each<[string, () => Record<string, string>, RegExp]>([
  [
    'a misspelt setting',
    () => ({ REFILL_POOOL: '5' }),
    /^fault: REFILL_POOOL is no setting: did you mean REFILL_POOL\?$/,
  ],
  [
    'a setting by its name of before',
    () => ({ REFILL_HEALTH_PORT: '9091' }),
    /^warning: REFILL_HEALTH_PORT is deprecated since 0\.2\.0 and gone with 0\.3\.0: name it REFILL_OPERATOR_PORT$/,
  ],
  ['a value that cannot be used', () => ({ REFILL_POOL: 'many' }), /^fault: REFILL_POOL /],
  [
    'a game that is not there',
    () => ({ REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:9' }),
    /^fault: game starlane cannot sell: .+: see that the game runs at REFILL_GAME_STARLANE_DEMO_URL; `refill game check starlane`/,
  ],
  [
    'a game with another secret',
    () => ({ REFILL_GAME_STARLANE_DEMO_URL: `http://127.0.0.1:${(wall.address() as AddressInfo).port}` }),
    /^fault: game starlane cannot sell: the game answered 401 .+: compare REFILL_GAME_STARLANE_DEMO_SECRETS/,
  ],
  [
    'a Valkey that is away',
    () => ({ REDIS_URL: 'redis://user:SECRET-4711@127.0.0.1:9' }),
    /^warning: REDIS_URL leads to no Valkey \(ECONNREFUSED\): each process counts limits by itself meanwhile: start it/,
  ],
  [
    'more connections than there are',
    () => ({ REFILL_POOL: '200' }),
    /^warning: connections of one process of the shop and commands may be 203, beside \d+ of others; PostgreSQL takes \d+: raise max_/,
  ],
  [
    'a replica that is away',
    () => ({ DATABASE_READ_URL: 'postgres://user:SECRET-4712@127.0.0.1:9/refill' }),
    /^warning: DATABASE_READ_URL leads to no database: .*ECONNREFUSED.*; the primary is read meanwhile: start it/,
  ],
  [
    'a primary in the place of a replica',
    () => ({ DATABASE_READ_URL: settings()['DATABASE_URL'] ?? '' }),
    /^fault: DATABASE_READ_URL leads to a primary, and not to a replica: name a streaming replica of DATABASE_URL/,
  ],
  ['no address of a replica', () => ({ DATABASE_READ_URL: 'replica-1' }), /^fault: DATABASE_READ_URL is no address /],
  [
    'a folder for callbacks that cannot be written',
    () => ({ REFILL_CALLBACK_RECORD: join(root, 'package.json', 'callbacks') }),
    /^warning: REFILL_CALLBACK_RECORD cannot be written: .+: name a folder that /,
  ],
  [
    'a disk without room for callbacks',
    () => ({ REFILL_CALLBACK_RECORD_MB: '1000000' }),
    /^warning: REFILL_CALLBACK_RECORD may take 1000000 MB, and \d+ MB are free: make room /,
  ],
])('%s is told with what to do', async (_, over, expected) => {
  expect((await examine(over())).ill).toContainEqual(expect.stringMatching(expected));
});

test('work that is stuck, books that are wrong or old, and what waits for a person are told', async () => {
  await db.query(`update invariant_check set breaches = '[{"invariant":"I1","breaches":1,"example":null}]'`);
  expect((await examine()).ill).toContainEqual(
    expect.stringMatching(/^fault: the books break I1: see `refill invariants`/),
  );
  await db.query(`update invariant_check set breaches = '[]', checked_at = now() - interval '5 hours'`);
  expect((await examine()).ill).toContainEqual(
    expect.stringMatching(/^warning: the books were last looked at 5 hours ago/),
  );
  await db.query('update invariant_check set checked_at = now(), full_at = now()');
});

test('books that were not looked at as a whole for days are told, however well the hourly look is', async () => {
  await db.query(`update invariant_check set full_at = now() - interval '100 hours'`);
  expect((await examine()).ill).toContainEqual(
    expect.stringMatching(
      /^warning: the books were last looked at as a whole 4 days ago: run a worker, or `refill inv/,
    ),
  );
  await db.query('update invariant_check set full_at = now()');
});

test('the connections of all processes that run are summed, and of none that is gone', async () => {
  const connections = () => lookAtConnections(db, { poolSize: 5 });
  const add = (count: number, seenAgo: string) =>
    db.query(
      `insert into running_process (process_id, role, host, connections, seen_at)
       select gen_random_uuid(), 'web', 'h', 40, now() - $2::interval from generate_series(1, $1::integer)`,
      [count, seenAgo],
    );
  await add(100, '2 minutes');
  expect(await connections()).toMatchObject({
    state: 'ok',
    said: expect.stringMatching(/^of one process of the shop and commands may be 8, beside \d+ of others; PostgreSQL /),
  });
  await add(1, '10 seconds');
  expect(await connections()).toMatchObject({
    state: 'ok',
    said: expect.stringMatching(/^of 1 process of the shop and commands may be 42, /),
  });
  await add(9, '10 seconds');
  expect(await connections()).toMatchObject({
    state: 'warning',
    said: expect.stringMatching(/^of 10 processes of the shop and commands may be 402, /),
  });
  await db.query('delete from running_process');
});

test('data about persons that is kept for too long is told, kind by kind', async () => {
  await db.query(`update retention_end set done_at = now() - interval '40 hours' where what in ('visits', 'sessions')`);
  expect(await lookAtEnds(db)).toMatchObject({
    state: 'warning',
    said: 'is kept for too long: sessions, visits were gone through 40 hours ago',
  });
  await db.query('update retention_end set done_at = now()');
  expect(await lookAtEnds(db)).toMatchObject({ state: 'ok' });
});

test('players who asked to be erased and are not are told, with what stands in the way', async () => {
  expect(await lookAtErasures(db)).toMatchObject({ state: 'ok' });
  const playerId = await makePlayer(db);
  await db.query(
    `insert into erasure (player_id, erasure_no, gives_up_balance, due_at, next_at)
     values ($1, $2, false, now() - interval '2 hours', now())`,
    [playerId, `ER-${'0'.repeat(26)}`],
  );
  expect(await lookAtErasures(db)).toMatchObject({ state: 'ok' });
  await db.query(`update erasure set due_at = now() - interval '5 hours'`);
  expect(await lookAtErasures(db)).toMatchObject({
    state: 'warning',
    said: 'is overdue for 1 players, by 5 hours, and nothing stands in the way',
    remedy: 'run a worker',
  });
  await db.query(
    `update erasure set refusals = '[{"reason":"review","billing_no":"B"},{"reason":"balance","billing_no":"USD"}]'`,
  );
  expect(await lookAtErasures(db)).toMatchObject({
    said: 'is overdue for 1 players, by 5 hours, because of balance, review',
    remedy: expect.stringContaining('RefillErasuresLate'),
  });
  await db.query('delete from erasure');
});

test('two accounts with one user id of a game are told, and neither erased, blocked, beta nor other games count', async () => {
  const add = async (provider: string, subject: string) => {
    const playerId = await makePlayer(db);
    await db.query(`update player set suid = 'twin' where player_id = $1`, [playerId]);
    await db.query(
      `insert into player_identity (brand_key, provider, subject, player_id) values ('watt', $1, $2, $3)`,
      [provider, subject, playerId],
    );
    return playerId;
  };
  const first = await add('game', 'starlane/twin');
  await add('game', 'emberfall/twin');
  await add('game~beta', 'starlane/twin');
  expect(await lookAtAccounts(db)).toMatchObject({ state: 'ok', said: 'are none' });
  const second = await add('google', 'starlane/4711');
  await db.query(`update player_identity set provider = 'game' where player_id = $1`, [second]);
  expect(await lookAtAccounts(db)).toMatchObject({
    state: 'warning',
    said: `are 1, e.g. twin of watt: player_id:${first} and player_id:${second} (the older one first)`,
    remedy: expect.stringContaining('refill account disable'),
  });
  await db.query('update player set disabled_at = now() where player_id = $1', [second]);
  expect(await lookAtAccounts(db)).toMatchObject({ state: 'ok' });
  await db.query(`delete from player_identity where brand_key = 'watt'`);
  await db.query(`delete from player where suid = 'twin'`);
});

test('time zones that this program and the database know otherwise are told from when on', async () => {
  const brands = (...zones: string[]) => ({
    brands: new Map(zones.map((timeZone) => [timeZone, { file: { timeZone } }])) as unknown as Configuration['brands'],
    games: new Map([['g', { file: { timeZone: 'Europe/Paris' } }]]) as unknown as Configuration['games'],
  });
  const begin = Date.parse('2026-12-01T12:00:00Z');
  const configuration = brands('Asia/Tokyo', 'America/New_York', 'UTC');
  expect(await lookAtZones(db, configuration, begin)).toMatchObject({
    state: 'ok',
    said: expect.stringMatching(/ in the database for a year: America\/New_York, Asia\/Tokyo, Europe\/Paris, UTC$/),
  });
  const newLaw = (at: number, zone: string) =>
    zoneOffset(at, zone) + (zone === 'Asia/Tokyo' && at > Date.parse('2027-04-01T00:00:00Z') ? 60 : 0);
  expect(await lookAtZones(db, configuration, begin, newLaw)).toMatchObject({
    state: 'warning',
    said: expect.stringMatching(/: Asia\/Tokyo from 2027-04-06 on$/),
    remedy: expect.stringContaining('tzdata'),
  });
  expect((await lookAtZones(db, brands('Mars/Base'), begin)).said).toMatch(/the database does not know Mars\/Base$/);
});

test('a backup that is old, or none, is told with what to do', async () => {
  expect(await lookAtBackup(db)).toMatchObject({ state: 'warning', said: 'is none that this database knows of' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await recordBackup(db, { takenAt: hoursAgo(27.5), kind: 'dump', bytes: 3 * 1024 ** 2 });
  expect(await lookAtBackup(db)).toMatchObject({
    state: 'warning',
    said: 'is 27 hours old (dump, 3.0 MB)',
    remedy: expect.stringContaining('refill -- backup'),
  });
  await recordBackup(db, { takenAt: hoursAgo(3.5), kind: 'dump', bytes: 3 * 1024 ** 2 });
  expect(await lookAtBackup(db)).toMatchObject({ state: 'ok', said: 'is 3 hours old (dump, 3.0 MB)' });
});

test.each([
  [true, 170_004, 'warning', expect.stringContaining('set jit = off')],
  [false, 170_004, 'ok', null],
  [true, 180_000, 'ok', null],
])('compiling: on is %s, PostgreSQL %d: %s', (isOn, version, state, remedy) => {
  const look = judgeCompiling(isOn, version);
  expect(look.state).toBe(state);
  expect(look.remedy).toEqual(remedy);
});

test('compiling is asked of the database', async () => {
  const look = (await examine()).looks.find(({ name }) => name === 'compiling (jit)');
  expect(look?.said).toMatch(/^is (on|off)/);
});

test('a database that is away is a line among the others, and so is one without tables', async () => {
  const away = await examine({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
  expect(away.code).toBe(1);
  expect(away.ill).toContainEqual(
    expect.stringMatching(/^fault: The database at 127.0.0.1:9 cannot be reached \(.+\)/),
  );
  expect(away.looks.some(({ area }) => area === 'machine')).toBe(true);
});

test('a setting with a fault has no warning of its default beside it', async () => {
  const { ill } = await examine({ REFILL_ENVIRONMENT: 'live', REFILL_TRUSTED_PROXIES: '0.0.0.0/0' });
  expect(ill.filter((line) => /^\w+: REFILL_TRUSTED_PROXIES /.test(line))).toEqual([
    expect.stringMatching(/^fault: REFILL_TRUSTED_PROXIES has "0\.0\.0\.0\/0"/),
  ]);
});

test('a database that refuses is told by the sentence of every command, with the remedy of that fault', async () => {
  const at = (change: (url: URL) => void): Record<string, string> => {
    const changed = new URL(url);
    change(changed);
    return { DATABASE_URL: changed.href };
  };
  const { ill } = await examine(at((changed) => void (changed.username = 'nouser')));
  const lines = ill.filter((line) => /database/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/ refuses the account of DATABASE_URL \(.+\): mend its name or password$/),
  ]);
  const unknown = await examine(at((changed) => void (changed.pathname = '/nosuch')));
  expect(unknown.ill).toContainEqual(
    expect.stringMatching(
      /^fault: DATABASE_URL leads to no database at \S+ \(.+\): create it, or mend the name in it$/,
    ),
  );
  await db.query(`insert into shop_environment (environment) values ('demo') on conflict do nothing`);
  const others = await examine({ REFILL_ENVIRONMENT: 'live' });
  expect(others.ill).toContainEqual(
    expect.stringMatching(/^fault: The database cannot be used: This database belongs to the demo environment .+ own$/),
  );
});

test('every setting is listed with its state and without its value', async () => {
  const own = settings({ REFILL_POOOL: '5' });
  const { out } = await run(own, '--settings');
  expect(out).not.toContain('a-pepper-that-nobody-may-ever-see');
  expect(out).toMatch(/REFILL_POOOL +unknown +did you mean REFILL_POOL\?/);
  expect(out).toMatch(/DATABASE_URL +set /);
  expect(out).toMatch(/REFILL_POOL +default /);
  expect(out).toMatch(/REFILL_CARD_DEMO_PEPPER +set /);
  expect(out).toMatch(/REFILL_GAME_STARLANE_DEMO_SECRETS +set /);
});

test('a line of the shop that sets nothing is told by file and line', async () => {
  const shop = await mkdtemp(join(tmpdir(), 'refill-stray-'));
  onTestFinished(() => rm(shop, { recursive: true }));
  await writeFile(join(shop, '.env'), 'REFILL_LOG=warn\nSECRET 4711\n');
  const own = { REFILL_SHOP: shop };
  const { out } = await run(settings(own), '--settings');
  const line = out.split('\n').find((one) => one.includes('.env'));
  expect(line?.replaceAll(/ {2,}/g, ' ')).toMatch(/^\S+\/\.env:2 unknown sets nothing: write NAME=value, /);
  const { ill } = await examine(own);
  expect(ill).toContainEqual(expect.stringMatching(/^warning: \S+\/\.env:2 sets nothing: /));
  expect(out + ill.join('')).not.toContain('4711');
});

test('a shop whose games keep no texts of its orders is told', () => {
  expect(lookAtRecovery({ keySecrets: [] })).toMatchObject({ state: 'warning', area: 'database' });
  expect(lookAtRecovery({ keySecrets: ['a-key-secret-of-the-shop-0123456789'] })).toMatchObject({ state: 'ok' });
});
