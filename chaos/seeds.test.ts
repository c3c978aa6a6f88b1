// Twelve worlds in every run of the tests; a thousand with `npm run chaos -- seeds`. And that a seed is a whole world: told again, the
// same things happen in the same order.
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { testShortForm } from './kit/in-vitest.ts';
import { seeds } from './seeds.ts';
import { runSeed } from './sim/run-seed.ts';
import { openVirtualTime } from './sim/virtual-time.ts';
import { prepareShop } from './sim/world.ts';

testShortForm(seeds, 300_000);

test('a seed tells the same story twice', async () => {
  const database = await createTestDatabase(inject('templateDatabaseUrl'));
  const client = await openVirtualTime(database.url);
  try {
    const configuration = await prepareShop(database.url);
    const tell = async (seed: number) => (await runSeed(client, configuration, seed)).trace.map(withoutChance);
    const first = await tell(7);
    expect(await tell(7)).toEqual(first);
    expect(await tell(8)).not.toEqual(first);
  } finally {
    await client.end();
    await database.drop();
  }
});

/** The random half of an order number is not ours to choose. */
const withoutChance = (line: string) => line.replaceAll(/(01[0-9A-Z]{8})[0-9A-Z]{16}/g, '$1');
