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

test('sorting does not depend on the host', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const client = await connect(database.url);
  const { rows } = await client.query(
    'SELECT datlocprovider, datlocale FROM pg_database WHERE datname = current_database()',
  );
  if (process.env['DATABASE_URL'] === undefined) expect(rows).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8' }]);
  expect(
    (
      await client.query(
        "SELECT string_agg(w, '' ORDER BY w COLLATE \"C\") AS sorted FROM unnest(ARRAY['b','a','B']) w",
      )
    ).rows,
  ).toEqual([{ sorted: 'Bab' }]);
});
