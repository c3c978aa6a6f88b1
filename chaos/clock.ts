// Test 24: one of two servers has a wrong clock: ten minutes ahead, then suddenly an hour behind. Leases, limits and expiry are counted
// by the database, so no order expires early and no call is made twice at a time; what that server signs is refused by the game.
import { query } from '#server/platform/db.ts';
import { withCleanup } from '../bench/kit/cleanup.ts';
import { buyForSure, buyMany } from './kit/buy.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { makePlayers } from './kit/players.ts';
import { startChaosShop } from './kit/shop.ts';
import { judge, readGame, readLongestWait } from './kit/verdict.ts';

const SHIFT = new URL('./kit/shift-clock.ts', import.meta.url).href;

/** @param load.clock what CHAOS_CLOCK of the second server says */
export function shiftClock(load: { orders: number; players: number; clock: string }): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, {
      servers: 2,
      isForgetful: true,
      environment: (slot): Record<string, string> =>
        slot === 0 ? {} : { NODE_OPTIONS: `--import ${SHIFT}`, CHAOS_CLOCK: load.clock },
    });
    const players = await makePlayers(shop, load.players);
    const { billingNos, troubles } = await buyMany(load.orders, players, (player) => buyForSure(shop, player));
    const closed = await query<{ state: string }>(
      shop.db,
      'chaos_closed_early',
      `select state from orders where state in ('expired', 'cancelled')`,
    );
    if (closed.length > 0) troubles.push(`${closed.length} orders were closed early`);
    const [seen] = await query<{ tries: number; wrong: number }>(
      shop.db,
      'chaos_clock_tries',
      `select max(tries) as tries, (select count(*)::integer from orders where abs(extract(epoch from paid_at - created_at)) > 300) as wrong from delivery`,
    );
    if (seen?.wrong) troubles.push(`${seen.wrong} orders have times that nobody's clock told`);
    const { repeated } = await readGame(shop);
    if (repeated > 0) troubles.push(`${repeated} grants were called twice`);
    return toFinding(
      await judge(shop, billingNos),
      billingNos.length,
      `${billingNos.length} delivered, none closed early, none called twice; ${seen?.tries} tries at most because the game refuses what the wrong clock signs, worst wait ${(await readLongestWait(shop)).toFixed(1)} s`,
      troubles,
    );
  });
}
