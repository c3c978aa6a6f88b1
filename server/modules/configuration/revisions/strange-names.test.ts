// A table that the shop may write names folders: what it names never leads out of the folder that is written.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openDb, type Db } from '#server/platform/database/db.ts';
import { createTestDatabase } from '#testing/database.ts';
import { loadConfiguration, planRollback, readRevision, writeFiles } from '#server/modules/configuration/service.ts';

let db: Db;
let folder: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = openDb(database.url, { max: 2, onError: () => undefined });
  return async () => {
    await db.end();
    await database.drop();
  };
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-names-'));
  await db.query('truncate configuration_history, configuration_file');
  return () => rm(folder, { recursive: true });
});

const CHANNELS = { kind: 'channels', key: 'channels', body: { channels: [] } };
const STRANGE: [string, object][] = [
  ['a brand', { kind: 'brand', key: '../../x', body: {} }],
  ['a game', { kind: 'game', key: '/etc', body: {} }],
  ['a language', { kind: 'channels', key: 'messages', body: { '../../../x': { a: 'b' } } }],
];

test.each(STRANGE)('%s of another form is not read out of a revision', async (_what, file) => {
  await db.query(
    `insert into configuration_history (revision, applied_by, summary, files) values (7, 'x', '{}', $1::json)`,
    [JSON.stringify([file, CHANNELS])],
  );
  const refused = { ok: false, reasons: [expect.stringContaining('no name of a brand, a game or a language')] };
  expect(await readRevision(db, 7)).toMatchObject(refused);
  expect(await planRollback(db, folder, 7, {})).toMatchObject(refused);
});

test('a shop does not take it up either', async () => {
  await db.query(`insert into configuration (revision, applied_by) values (1, 'x')`);
  await db.query(`insert into configuration_file (kind, key, body) values ('brand', '../x', '{}')`);
  await expect(loadConfiguration(db)).rejects.toThrow(RangeError);
});

test('writing looks at each path once more', async () => {
  const files = { brands: new Map([['../../x', {}]]), games: new Map(), channels: { channels: [] }, regions: {} };
  await expect(writeFiles(join(folder, 'out'), files as never)).rejects.toThrow(RangeError);
  expect(await readdir(folder)).toEqual([]);
});
