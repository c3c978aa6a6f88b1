// Filled databases of versions before are migrated by this one, and the shop goes on with them. New: `npm run dump --
// filled`.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readChangelog } from '#scripts/release/changelog.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { dumpRows, dumpSchema } from '#server/platform/database/schema/schema-dump.ts';
import { readVersion, readVersioned } from '#server/platform/database/schema/sql-files.ts';
import { listSignatures } from './called-functions.ts';
import { type TestDatabase, createEmptyDatabase, openTestDatabase } from '#testing/database.ts';
import { listMissingValues } from './fill-shop.ts';
import { type StoredDump, listDumps, restoreDump } from './stored-dumps.ts';
import { tradeAfterUpgrade } from './upgrade.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const dumps = await listDumps();
const newest = dumps.at(-1) as StoredDump;

let fresh: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db: fresh, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

async function restore(dump: StoredDump): Promise<TestDatabase & { db: Db }> {
  const database = await createEmptyDatabase();
  const db = openDb(database.url, { max: 2, onError: () => undefined });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
  });
  await restoreDump(database.url, dump);
  return { ...database, db };
}

/** A checkout of now with one migration more. */
async function makeCheckout(name: string, sql: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'refill-upgrade-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const part of ['package.json', 'migrations', 'server/modules'])
    await cp(join(ROOT, part), join(root, part), { recursive: true });
  await writeFile(join(root, 'migrations', name), sql);
  return root;
}

test('the version before the newest migration is stored', async () => {
  const names = (await readVersioned(ROOT)).map(({ name }) => name.replace(/\.sql$/, ''));
  const before = names.at(-2) ?? names.at(-1);
  expect(
    dumps.map(({ name }) => name),
    `store it with npm run dump -- filled, before ${names.at(-1)}`,
  ).toContain(before);
});

// docs/releases.md: who forgets one ends the upgrade tests of that version.
test('the database of every released version is stored, and the program is the newest of them', async () => {
  const { released } = readChangelog(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  const stored = new Set(dumps.map(({ name }) => name));
  expect(released.filter(({ migration }) => migration === null || !stored.has(migration))).toEqual([]);
  expect(released[0]?.version).toBe(await readVersion(ROOT));
});

test.each(dumps)('$name: migrated, it is what a new database is, and the shop goes on with it', async (dump) => {
  const { db, url } = await restore(dump);
  // The dump is filled: no list of states was left out.
  expect(await listMissingValues(db)).toEqual([]);
  await migrate(url);
  expect(await dumpSchema(db)).toBe(await dumpSchema(fresh));
  const { carriedOn, delivered } = await tradeAfterUpgrade({ url, drop: async () => undefined });
  expect(carriedOn).toBeGreaterThan(3);
  expect(delivered).toBeGreaterThan(10);
});

test('functions that servers of the version before call are still there, with the same parameters', async () => {
  const now = new Set([...(await listSignatures(fresh)).values()].flat());
  expect(newest.called.length).toBeGreaterThan(20);
  expect(newest.called.filter((signature) => !now.has(signature))).toEqual([]);
});

test('a migration that only an empty table bears is refused, and leaves everything as it was', async () => {
  const { db, url } = await restore(newest);
  await migrate(url);
  const before = (await dumpSchema(db)) + (await dumpRows(db));
  const root = await makeCheckout('9999-required.sql', 'alter table player add column note text not null;');
  await expect(migrate(url, root)).rejects.toThrow(
    'migrations/9999-required.sql failed and all was rolled back: column "note" of relation "player" contains null values',
  );
  expect((await dumpSchema(db)) + (await dumpRows(db))).toBe(before);
});

test('a migration that spoils rows is found by the invariants', async () => {
  const { db, url } = await restore(newest);
  const spoil = `update payment_attempt set amount_minor = amount_minor + 1 where state = 'succeeded';`;
  await migrate(url, await makeCheckout('9999-spoil.sql', spoil));
  const broken = (await checkInvariants(db)).filter(({ breaches }) => breaches > 0);
  expect(broken.map(({ invariant }) => invariant)).toContain('I2');
});
