// The test database itself: migrated, private to its test, fast enough to have one per file.
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from './database.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

test('two clones are migrated and do not see each other', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  onTestFinished(async () => {
    await Promise.all([one.drop(), two.drop()]);
  });
  const first = await connect(one.url);
  const second = await connect(two.url);
  await first.query('CREATE TABLE only_here (id int)');
  expect((await first.query("SELECT to_regclass('only_here') AS found")).rows).toEqual([{ found: 'only_here' }]);
  expect(
    (await second.query("SELECT to_regclass('only_here') AS found, to_regclass('schema_migration') AS kept")).rows,
  ).toEqual([{ found: null, kept: 'schema_migration' }]);
});

test('drop removes the database even while a connection is open', async () => {
  const database = await createTestDatabase();
  await connect(database.url);
  await database.drop();
  await expect(connect(database.url)).rejects.toMatchObject({ code: '3D000' });
});
