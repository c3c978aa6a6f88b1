// First-purchase bonuses that a character may still have.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameId } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { type PlaceChanges, deliverAll, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { readUsedBonuses } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

const SEASON = '1';
const BONUS: PlaceChanges = {
  first_bonus: { season: SEASON, gifts: [{ id: 'gem', name: 'Gem', count: 5 }], is_told: true },
};

test('an unpaid order keeps its own bonus for its character, and gives back none that was used up', async () => {
  const player = await makePlayer(db);
  const place = (changes: PlaceChanges) => placeTestOrder(db, placeInput(player, changes));
  const receiver = { client_id: '70021', server_id: 's1', area_id: '', role_id: 'r1' };
  const used = (of = receiver) =>
    readUsedBonuses(db, {
      playerId: player,
      gameId: 'starlane' as GameId,
      products: ['star_60', 'star_300'].map((product_id) => ({ product_id, season: SEASON })),
      receiver: of,
    });

  const held = await place({ ...BONUS, product_id: 'star_300' });
  expect(await used()).toEqual([]);
  expect(await used({ ...receiver, role_id: 'r2' })).toEqual(['star_300']);

  await report(db, await place(BONUS));
  await deliverAll(db);
  expect(await used()).toEqual(['star_60']);
  // Unpaid and without a bonus of its own, beside the order that holds one.
  await place({});
  expect(await used()).toEqual(['star_60']);
  await report(db, held);
  expect((await used()).toSorted()).toEqual(['star_300', 'star_60']);
});
