// Test 24: one of two servers has a wrong clock: ten minutes ahead, then suddenly an hour behind. It takes
// the time of the database and says so: no order expires early, no call is made twice at a time, the game believes what
// it signs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '#server/platform/database/db.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { buyForSure, buyMany } from './kit/buy.ts';
import { type Borrowed, type Finding, toFinding } from './kit/finding.ts';
import { makePlayers } from './kit/players.ts';
import { type ChaosShop, makeFolder, startChaosShop } from './kit/shop.ts';
import { judge, readGame, readLongestWait } from './kit/verdict.ts';

const SHIFT = new URL('./kit/shift-clock.ts', import.meta.url).href;
/** Ten minutes ahead, then an hour behind: more than any signature allows. @source docs/reliability.md, test 24 */
const AHEAD_MS = 600_000;
const BEHIND_MS = -3_600_000;

export function shiftClock(load: { orders: number; players: number }, borrowed: Borrowed): Promise<Finding> {
  return withCleanup(async (defer) => {
    const { root } = await makeFolder(defer);
    const clock = join(root, 'clock');
    await writeFile(clock, String(AHEAD_MS));
    const shop = await startChaosShop(defer, {
      servers: 2,
      isForgetful: true,
      ...borrowed,
      environment: (slot): Record<string, string> =>
        slot === 0 ? {} : { NODE_OPTIONS: `--import ${SHIFT}`, CHAOS_CLOCK: clock },
    });
    const players = await makePlayers(shop, load.players);
    let isBehind = false;
    const { billingNos, troubles } = await buyMany(
      load.orders,
      players,
      (player) => buyForSure(shop, player),
      (begun) => {
        if (isBehind || begun < load.orders / 2) return;
        isBehind = true;
        void writeFile(clock, String(BEHIND_MS));
      },
    );
    if (billingNos.length !== load.orders)
      troubles.push(`${billingNos.length} of ${load.orders} orders came to their end`);
    const refused = await readTimes(shop, troubles);
    if (refused > 0) troubles.push(`the game refused ${refused} grants`);
    const tellers = shop.slots.map((slot) => slot.troubles.some((line) => line.includes('"alert":"clock"')));
    if (tellers[0] || !tellers[1]) troubles.push('the server with the wrong clock, and only that, has to say so');
    const { repeated } = await readGame(shop);
    if (repeated > 0) troubles.push(`${repeated} grants were called twice`);
    return toFinding(
      await judge(shop, billingNos),
      billingNos.length,
      `${billingNos.length} delivered, none closed early, none called twice, none refused; worst wait ` +
        `${(await readLongestWait(shop)).toFixed(1)} s`,
      troubles,
    );
  });
}

/** Tells what closed early or has times of another clock; counts the calls that the game did not take. */
async function readTimes(shop: ChaosShop, troubles: string[]): Promise<number> {
  const [seen] = await query<{ closed: number; odd: number; refused: number }>(
    shop.db,
    'chaos_clock',
    `select (select count(*)::integer from orders where state in ('expired', 'cancelled', 'failed')) as closed,
       (select count(*)::integer from orders where created_at not between now() - interval '9 minutes' and now()
          or paid_at < created_at or delivered_at < paid_at or paid_at > now() or delivered_at > now()) as odd,
       sum(tries - 1)::integer as refused from delivery`,
  );
  if (seen?.closed) troubles.push(`${seen.closed} orders were closed early`);
  if (seen?.odd) troubles.push(`${seen.odd} orders have times of another clock than the database's`);
  return seen?.refused ?? 0;
}
