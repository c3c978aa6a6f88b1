// Eight worlds in every run of the tests; a thousand with `npm run chaos -- seeds`. And that a seed is a whole world:
// told again, the same things happen in the same order.
import { expect, inject, test } from 'vitest';
import { createShopDatabase } from '#testing/database.ts';
import { testShortForm } from './kit/in-vitest.ts';
import { seeds } from './seeds.ts';
import { runSeed } from './sim/run-seed.ts';
import { openVirtualTime } from './sim/virtual-time.ts';
import { readShop } from './sim/world.ts';

testShortForm(seeds, 300_000);

test('a seed tells the same story twice', async () => {
  // Each in a database of its own: rows that are due at the same moment come in the order in which they lie there.
  const tell = async (seed: number) => {
    const database = await createShopDatabase(inject('templateDatabaseUrl'));
    const client = await openVirtualTime(database.url);
    try {
      const configuration = await readShop(database.url);
      return (await runSeed(client, configuration, seed)).trace;
    } finally {
      await client.end();
      await database.drop();
    }
  };
  const first = await tell(7);
  expect(await tell(7)).toEqual(first);
  expect(await tell(8)).not.toEqual(first);
}, 300_000);

test('a world leaves nothing behind that the next one would meet', async () => {
  const database = await createShopDatabase(inject('templateDatabaseUrl'));
  const client = await openVirtualTime(database.url);
  try {
    const configuration = await readShop(database.url);
    const tell = async (seed: number) => (await runSeed(client, configuration, seed)).trace;
    const alone = await tell(7);
    await tell(8);
    expect(await tell(7)).toEqual(alone);
  } finally {
    await client.end();
    await database.drop();
  }
}, 300_000);
