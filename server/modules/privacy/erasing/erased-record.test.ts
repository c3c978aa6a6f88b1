// Tests erasing after a backup: noted outside of the database, erased again where a backup brought a person back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlayerId } from '#kernel/ids.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { createLog } from '#server/platform/log.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { createTestDatabase, openTestDatabase } from '#testing/database.ts';
import { createMemoryFolder } from '#testing/memory-folder.ts';
import { makePlayer } from '#testing/orders.ts';
import { askErasure } from './erasure-store.ts';
import { eraseAgain } from './erase-again.ts';
import { createErasedRecord, readErased } from './erased-record.ts';
import { erase, eraseDue } from './erasures.ts';

const log = createLog('silent');
const now = Date.now;
const ends: (() => Promise<void>)[] = [];
/** The database that was lost, and the one that a backup brought back. */
let [lost, here] = [] as unknown as [Db, Db];
let players: PlayerId[];

beforeAll(async () => {
  const base = await openTestDatabase(2);
  players = [await makePlayer(base.db), await makePlayer(base.db), await makePlayer(base.db)];
  await base.db.end();
  const open = async () => {
    const { url, drop } = await createTestDatabase(base.url);
    const db = openDb(url, { max: 2, onError: () => undefined });
    ends.push(async () => {
      await db.end();
      await drop();
    });
    return db;
  };
  [lost, here] = [await open(), await open()];
  ends.push(() => base.drop().catch(() => undefined));
});
afterAll(async () => {
  for (const end of ends) await end();
});

const isErased = async (db: Db, playerId: PlayerId) =>
  (await db.query('select erased_at is not null as is from player where player_id = $1', [playerId])).rows[0].is;
const deps = (isActing: boolean) => ({ db: here, by: 'anna', isActing });

test('an operator’s erasing and a wish that is carried out are noted, and done again after a backup', async () => {
  const memory = createMemoryFolder();
  const since = new Date();
  const record = createErasedRecord({ folder: memory.folder, now, log });
  const [one, other, rich] = players as [PlayerId, PlayerId, PlayerId];
  await erase(lost, { playerId: one, givesUpBalance: false, by: 'anna', record });
  await askErasure(lost, { playerId: other, erasureNo: `ER-${'0'.repeat(26)}`, givesUpBalance: false, waitDays: 0 });
  expect(await eraseDue({ db: lost, log, record })).toBe(1);
  await erase(lost, { playerId: rich, givesUpBalance: true, by: 'anna', record });
  await record.close();

  const erased = await readErased([memory.folder], since);
  expect(erased.map((person) => person.player_id)).toEqual([one, other, rich]);
  // Nothing but the number is kept of a person.
  expect(Object.keys(erased[0] ?? {}).toSorted()).toEqual(['at', 'gave_up_balance', 'id', 'player_id']);
  expect(await readErased([memory.folder], new Date(Date.now() + 1000))).toEqual([]);

  await giveTestBalance(here, rich, 100);
  await giveTestBalance(here, other, 100);
  const planned = await eraseAgain(deps(false), erased);
  expect(planned).toEqual([
    { player_id: one, outcome: 'erased', reasons: [] },
    { player_id: other, outcome: 'refused', reasons: ['balance USD'] },
    { player_id: rich, outcome: 'erased', reasons: [] },
  ]);
  expect(await isErased(here, one)).toBe(false);
  expect(await eraseAgain(deps(true), erased)).toEqual(planned);
  expect([await isErased(here, one), await isErased(here, other), await isErased(here, rich)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(await eraseAgain(deps(true), erased)).toEqual([planned[1]]);
});

test('a disk that fails erases nobody less, and says so', async () => {
  const lines: string[] = [];
  const memory = createMemoryFolder({ before: () => Promise.reject(new Error('no space')) });
  const loud = createLog('error', { write: (line) => void lines.push(line) });
  const record = createErasedRecord({ folder: memory.folder, now, log: loud });
  const playerId = await makePlayer(lost);
  expect(await erase(lost, { playerId, givesUpBalance: false, by: 'anna', record })).toMatchObject({
    outcome: 'erased',
  });
  expect(lines.join('')).toContain('erased_record');
});
