// One round: the whole path at full load, at a steady rate, placing alone, and the bare function, right
// after one another, so that what else the machine does falls on all of them.
import { type Db, query } from '#server/platform/database/db.ts';
import type { BenchShop } from '../kit/shop.ts';
import { machineCpuMs, treeCpuMs, usageOf } from '../kit/usage.ts';
import { measureBarePlace, readLikeness } from './bare-place.ts';
import { type Delays, readDelays } from './books.ts';
import { type Drive, type Driver, buy, driveInParallel, driveSteadily, place } from './drive.ts';

/** @source docs/benchmarks.md: what a busy shop may see at a launch */
export const STEADY_RATE = 200;

/**
 * Processor time an order, milliseconds. `driver`: this process, with the simulators. `others` is everything on
 * the machine that is not ours.
 */
export type Costs = Readonly<Record<'server' | 'postgres' | 'driver' | 'others', number>>;

export type Round = {
  readonly full: Drive & { readonly delays: Delays; readonly costs: Costs };
  readonly steady: Drive & { readonly delays: Delays; readonly costs: Costs };
  readonly placed: Drive & { readonly costs: Costs };
  readonly barePerSecond: number;
  /** Processor microseconds of this process for one prepared one-row query: tells how disturbed the machine was. */
  readonly yardstickUs: number;
};

export async function runRound(
  shop: BenchShop,
  driver: Driver,
  db: Db,
  options: { players: number; seconds: number },
): Promise<Round> {
  const { players, seconds } = options;
  const { buyers } = driver.market;
  const withCosts = async (drive: () => Promise<Drive>) => {
    const before = readCosts(shop);
    const done = await drive();
    return { ...done, costs: costsOf(before, readCosts(shop), done.orders.length) };
  };
  const withDelays = async <Done extends Drive>(done: Done) => ({
    ...done,
    delays: await readDelays(
      db,
      done.orders.map((order) => order.billingNo),
    ),
  });
  const whole = (buyer: Parameters<typeof buy>[1]) => buy(driver, buyer);
  const alone = (buyer: Parameters<typeof buy>[1]) => place(driver, buyer);
  const shorter = Math.min(PLACING_SECONDS, Math.max(1, Math.round(seconds / 2)));

  const yardstickUs = await measureYardstick(db);
  const full = await withDelays(await withCosts(() => driveInParallel(seconds, players, whole, buyers)));
  const steady = await withDelays(await withCosts(() => driveSteadily(seconds, STEADY_RATE, whole, buyers)));
  const placed = await withCosts(() => driveInParallel(shorter, players, alone, buyers));
  const like = await readLikeness(db);
  const barePerSecond = await measureBarePlace(db, { connections: players, seconds: shorter, like });
  await callOffUnpaid(db);
  return { full, steady, placed, barePerSecond, yardstickUs };
}

/** Our choice: what an account holds unpaid it cannot buy again until it is called off, so not for long. */
const PLACING_SECONDS = 4;

/**
 * Calls off whatever is unpaid, so that the next round finds the shop as this one did: else the accounts fill up, and
 * half a minute later each of these orders is asked about at the provider.
 */
async function callOffUnpaid(db: Db): Promise<void> {
  for (;;) {
    const rows = await query<{ outcome: string }>(
      db,
      'bench_call_off',
      `select cancel_order(player_id, billing_no, array[1]) as outcome
        from (select player_id, billing_no from orders where is_unpaid limit 1000) unpaid`,
    );
    if (rows.length === 0) return;
    const other = rows.find(({ outcome }) => outcome !== 'cancelled');
    if (other) throw new Error(`an order that was only placed could not be called off: ${other.outcome}`);
  }
}

/** Neighbours on the same processors empty their caches, so that the same work costs more processor time. */
async function measureYardstick(db: Db): Promise<number> {
  const queries = 2000;
  const before = process.cpuUsage();
  for (let count = 0; count < queries; count += 1) await query(db, 'bench_yardstick', 'select 1 as one');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / queries;
}

export function readCosts(shop: BenchShop): Costs {
  const { user, system } = process.cpuUsage();
  return {
    server: shop.pids.servers.reduce((sum, pid) => sum + usageOf(pid).cpuMs, 0),
    postgres: shop.pids.postgres.reduce((sum, pid) => sum + treeCpuMs(pid), 0),
    driver: (user + system) / 1000,
    others: machineCpuMs(),
  };
}

export function costsOf(before: Costs, after: Costs, orders: number): Costs {
  const per = (name: keyof Costs) => (after[name] - before[name]) / orders;
  const own = {
    server: per('server'),
    postgres: per('postgres'),
    driver: per('driver'),
  };
  const total = per('others');
  return { ...own, others: total - own.server - own.postgres - own.driver };
}
