// Random sequences of what can happen to orders, done to the database and to a small model of it; after each
// command both must look alike.
// A sequence that fails is cut down to the shortest that still does, and told with the seed that makes it again.
import fc from 'fast-check';
import { createTestDatabase } from '#testing/database.ts';
import { makePlayer } from '#testing/orders.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type ChaosTest, FLAWLESS, type Size } from './kit/chaos-test.ts';
import { type Real, commandSequences } from './model/commands.ts';
import { BEGINNING, beginAnew, openVirtualTime, setTime } from './sim/virtual-time.ts';

const RUNS: Record<Size, number> = { short: 60, full: 1500 };
const LENGTH: Record<Size, number> = { short: 30, full: 60 };

export const modelCheck: ChaosTest = {
  number: '10e',
  name: 'model',
  about: 'random commands on orders, compared with a model after each',
  load: (size) => `${RUNS[size]} sequences of up to ${LENGTH[size]}`,
  run: async (size, context) => {
    const database = await createTestDatabase(await context.template());
    const client = await openVirtualTime(database.url);
    let orders = 0;
    try {
      await client.query(`insert into product_stock (game_id, product_id, total) values ('starlane', 'stocked', 2)`);
      const seed = Number(context.options['seed'] ?? 1);
      const result = await fc.check(
        fc.asyncProperty(commandSequences(LENGTH[size]), async (commands) => {
          await beginAnew(client);
          let now = BEGINNING;
          const real: Real = {
            client,
            player: await makePlayer(client as unknown as Db),
            numbers: [],
            events: 0,
            tick: () => setTime(client, (now += 1000)),
          };
          await fc.asyncModelRun(() => ({ model: [], real }), commands);
          orders += real.numbers.length;
        }),
        { numRuns: RUNS[size], seed },
      );
      if (!result.failed) return { ...FLAWLESS, orders };
      const story = `${String(result.counterexample?.[0])}\n${(result.errorInstance as Error | null)?.message ?? ''}`;
      return { ...FLAWLESS, orders, faults: [`seed ${result.seed}, cut down ${result.numShrinks} times: ${story}`] };
    } finally {
      await client.end();
      await database.drop();
    }
  },
};
