// One seed: a world drawn from it, an evening of play in it, calm until nothing moves, an operator who
// clears the table, and the verdict.
import type pg from 'pg';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { operate, passBy, playAround, sleep, takeMoneyBack } from './players.ts';
import { type Profile, drawProfile } from './profile.ts';
import { createRandom } from './random.ts';
import { isFlawless } from '../kit/chaos-test.ts';
import { type Verdict, judge } from './verdict.ts';
import { BEGINNING } from './virtual-time.ts';
import { type World, createWorld } from './world.ts';

const HOUR = 3_600_000;
/** Payment status polling lasts seven days, a refund is asked about for a week: after this nothing is left to come. */
const REST_HOURS = 24 * 9;

export type SeedRun = {
  readonly seed: number;
  readonly verdict: Verdict;
  readonly trace: readonly string[];
  readonly profile: Profile;
  readonly isSharing: boolean;
};

/** @param isSharing steps of several orders may share a transaction; left out, they may in every second world */
export async function runSeed(
  client: pg.Client,
  configuration: Configuration,
  seed: number,
  isSharing = seed % 2 === 0,
): Promise<SeedRun> {
  const profile = drawProfile(createRandom(seed ^ 0x5eed));
  const world = await createWorld({ client, configuration, seed, profile, isSharing });
  const { random, stepper } = world;
  await world.setStock('star_flagship', random.between(1, 3));
  const crowd = profile.isRush ? random.between(4, 8) : random.between(1, 4);
  for (let count = crowd; count > 0; count -= 1) playAround(world, await world.addPlayer(`p${count}`));
  takeMoneyBack(world);
  passBy(world);
  stepper.later(random.between(60_000, HOUR), 'the game is back', () => {
    world.profile().game.isDown = false;
  });
  await stepper.run(BEGINNING + 5 * HOUR);
  world.calmDown();
  await stepper.run(BEGINNING + REST_HOURS * HOUR);
  const evening = await judge(world);
  const isWell = isFlawless(evening);
  if (isWell) await clearTheTable(world);
  return { seed, profile, isSharing, trace: stepper.trace, verdict: isWell ? await judge(world) : evening };
}

/**
 * Decides everything that waits for manual review, some of it more than once and at cross purposes; then everything
 * comes to rest again.
 */
async function clearTheTable(world: World): Promise<void> {
  const { client, random, stepper, game } = world;
  const { rows } = await client.query<{ billing_no: string; state: string; delivered_at: Date | null }>(
    `select billing_no, state, delivered_at from orders
      where state in ('review', 'refund_due') or delivered_at is not null order by billing_no`,
  );
  if (rows.length === 0) return;
  game.forgive();
  const start = stepper.now();
  for (const order of rows) {
    stepper.later(random.between(0, HOUR), 'operator', () => void operate(world, order));
    if (random.chance(0.5)) stepper.later(random.between(0, HOUR), 'operator', () => void operate(world, order));
  }
  await sleepUntilIdle(world, start + REST_HOURS * HOUR);
}

async function sleepUntilIdle(world: World, until: number): Promise<void> {
  void sleep(world, 0);
  await world.stepper.run(until);
}
