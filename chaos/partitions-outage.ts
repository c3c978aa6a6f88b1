// Test 16: the games are down for an hour while players pay. Nothing is given up, nothing is delivered
// twice, and when the games are back they are not run over by all that waited.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { orderRoutes } from '#contracts/orders.ts';
import { query } from '#server/platform/database/db.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { buyMany, control, nextBody, payAtProvider, placeForSure } from './kit/buy.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';

/** Calls of one game at once. @source server/modules/orders/deliveries/deliver.ts, SLOTS_PER_GAME */
const SLOTS_PER_GAME = 32;
/** A game takes this long for one grant: slow enough that calls overlap. */
const GRANT_MS = 40;
const TIMEOUT_MS = 120_000;

export function outage(load: { orders: number; players: number }): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, { isForgetful: true });
    const players = await makePlayers(shop, load.players, { providers: ['adyen'] });
    const games = Object.values(shop.links.games);
    // A game that is down takes no orders, for it is asked before any money: these were placed in time, and are paid
    // now.
    const playerOf = new Map<string, Player>();
    const { billingNos, troubles } = await buyMany(load.orders, players, async (player) => {
      const billingNo = await placeForSure(shop, player, randomUUID(), nextBody(player));
      playerOf.set(billingNo, player);
      return billingNo;
    });
    await control(shop, '/control/game/faults', { kind: 'down' });
    for (const [billingNo, player] of playerOf)
      if (!(await payAtProvider(shop, player, billingNo))) troubles.push(`${billingNo} cannot be paid`);
    await waitFor(shop, `state in ('paid', 'delivering')`, billingNos.length);
    const page = players[0] && (await readStage(shop, players[0]));
    if (page?.status !== -1 || !['paid', 'delivering'].includes(page.stage))
      troubles.push(`the order's page says ${JSON.stringify(page)}`);

    // An hour goes by: everything is due, at once.
    await query(
      shop.db,
      'chaos_hour',
      `update delivery set next_at = least(next_at, now() + interval '1 hour') - interval '1 hour',
        created_at = created_at - interval '1 hour' where state <> 'done'`,
    );
    await sleep(1500);
    for (const link of games) {
      link.breakAll();
      link.resetPeak();
    }
    // Calls of the last moment are answered as well, before everything is due.
    await sleep(500);
    await shop.simulators.request({ method: 'DELETE', path: '/control/game/faults' }).then(({ body }) => body.dump());
    await control(shop, '/control/game/faults', { kind: 'latency', ms: GRANT_MS });
    await query(shop.db, 'chaos_due', `update delivery set next_at = now() where state = 'unknown'`);
    const back = performance.now();
    await waitFor(shop, `state = 'delivered'`, billingNos.length);
    const seconds = (performance.now() - back) / 1000;
    const peak = Math.max(...games.map((link) => link.peak()));
    if (peak > SLOTS_PER_GAME) troubles.push(`${peak} calls of one game at once`);
    const [tries] = await query<{ most: number }>(shop.db, 'chaos_tries', 'select max(tries) as most from delivery');
    return toFinding(
      await judge(shop, billingNos),
      billingNos.length,
      `${billingNos.length} paid while the games were down, all delivered ${seconds.toFixed(1)} s after they ` +
        `were back (${(billingNos.length / seconds).toFixed(0)} a second), at most ${peak} calls of one game at ` +
        `once, ${tries?.most} tries at most`,
      troubles,
    );
  });
}

async function waitFor(shop: ChaosShop, condition: string, count: number): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const rows = await query(shop.db, `chaos_count_${condition}`, `select from orders where ${condition}`);
    if (rows.length >= count) return;
    if (performance.now() > deadline) throw new Error(`${rows.length} of ${count} orders are ${condition}`);
    await sleep(25);
  }
}

/** Reads the newest order as the player's page shows it. */
async function readStage(shop: ChaosShop, player: Player): Promise<{ status: number; stage: string } | undefined> {
  const answer = await shop.server.request({
    method: 'GET',
    path: orderRoutes.history.path,
    headers: { ...player.headers },
  });
  const { content } = (await answer.body.json()) as { content: { list: { status: number; stage: string }[] } | null };
  const [newest] = content?.list ?? [];
  return newest && { status: newest.status, stage: newest.stage };
}
