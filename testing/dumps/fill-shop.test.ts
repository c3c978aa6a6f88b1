// The filled shop that a release stores has something of everything that this version can write.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WITH_TENDERS } from '#testing/cards.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { MAY_BE_EMPTY, fillShop, listEmptyTables, listMissingValues } from './fill-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
  await fillShop(shop);
}, 120_000);
afterAll(() => shop.close());

test('every table has rows, but for those that may be empty', async () => {
  const empty = await listEmptyTables(shop.db);
  expect(empty.filter((table) => !(table in MAY_BE_EMPTY))).toEqual([]);
  // A reason that is none any more goes.
  expect(Object.keys(MAY_BE_EMPTY).filter((table) => !empty.includes(table))).toEqual([]);
});

test('every state and kind that a column may have is there', async () => {
  expect(await listMissingValues(shop.db)).toEqual([]);
});
