// Whole evenings of play in worlds drawn from a number: faults, kills and people by chance, and the
// same again for the same number.
// What must be true at the end is in sim/verdict.ts.
import { createShopDatabase } from '#testing/database.ts';
import {
  type ChaosContext,
  type ChaosTest,
  type Outcome,
  type Size,
  addOutcomes,
  isFlawless,
} from './kit/chaos-test.ts';
import { sharingOf } from './kit/sharing.ts';
import { runSeed } from './sim/run-seed.ts';
import { openVirtualTime } from './sim/virtual-time.ts';
import { readShop } from './sim/world.ts';

const SEEDS: Record<Size, number> = { short: 8, full: 1000 };
/** A world waits for the database most of the time: two of them fill two cores. */
const LANES: Record<Size, number> = { short: 1, full: 2 };

const countOf = (size: Size, options: ChaosContext['options']) =>
  options['seed'] ? 1 : Math.min(1_000_000, Number(options['seeds'] ?? SEEDS[size]));

export const seeds: ChaosTest = {
  number: '10a',
  name: 'seeds',
  about: 'worlds drawn from a number, all faults at once',
  load: (size, options) => (options['seed'] ? `seed ${options['seed']}` : `${countOf(size, options)} seeds`),
  run: async (size, context) => {
    const count = countOf(size, context.options);
    const first = Number(context.options['seed'] ?? 1);
    let next = first;
    const take = () => (next < first + count ? next++ : null);
    const lanes = Array.from({ length: Math.min(count, LANES[size]) }, () => runLane(context, take));
    return addOutcomes((await Promise.all(lanes)).flat());
  },
};

async function runLane(context: ChaosContext, take: () => number | null): Promise<Outcome[]> {
  const database = await createShopDatabase(await context.template());
  const client = await openVirtualTime(database.url);
  const outcomes: Outcome[] = [];
  try {
    const configuration = await readShop(database.url);
    for (let seed = take(); seed !== null; seed = take()) {
      const { verdict, trace, profile, isSharing } = await runSeed(client, configuration, seed, sharingOf(context));
      const isNamed = context.options['seed'] !== undefined;
      if (isNamed)
        context.say([...trace, JSON.stringify({ ...profile, isSharing }), JSON.stringify(verdict.states)].join('\n'));
      const mark = (line: string) => `seed ${seed}: ${line}`;
      const { orders, lost, doubled, breaches, faults } = verdict;
      const outcome = {
        orders,
        lost: lost.map(mark),
        doubled: doubled.map(mark),
        breaches: breaches.map(mark),
        faults: faults.map(mark),
      };
      if (!isFlawless(outcome))
        context.say(
          `seed ${seed} fails; see it again with: npm run chaos -- seeds --seed ${seed} --sharing ` +
            `${isSharing ? 'on' : 'off'}`,
        );
      outcomes.push(outcome);
    }
  } finally {
    await client.end();
    await database.drop();
  }
  return outcomes;
}
