// Test 21 and its harder sister: PostgreSQL is stopped, or killed, while orders flow. The shop says so at
// once, keeps what it confirmed, and heals by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { buyForSure, buyMany, callPay, nextBody, payAtProvider, placeForSure, waitUntilDelivered } from './kit/buy.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { get, measureHealing } from './kit/health.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';

/** @source docs/reliability.md, test 21 */
const HEALED_SECONDS = 5;
const REFUSED_MS = 1000;

/** Test 21: PostgreSQL is stopped for a while; payments made meanwhile arrive by callbacks that are sent again. */
export function stopDatabase(load: { seconds: number; orders: number; players: number }): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer);
    // Adyen, which takes money without a word of the shop; Xsolla asks the shop first, and
    // takes none while it is silent.
    const players = await makePlayers(shop, load.players, { providers: ['adyen'] });
    const faults: string[] = [];
    const placed: { player: Player; billingNo: string }[] = [];
    await buyMany(load.orders, players, async (player) => {
      const billingNo = await placeForSure(shop, player, `stop-${Math.random()}`, nextBody(player));
      placed.push({ player, billingNo });
      return billingNo;
    });

    await shop.postgres.stop();
    const stopped = performance.now();
    // The payers pay while the shop has no database; the attempt's number is known to be the first.
    for (const { player, billingNo } of placed) await payAtProvider(shop, player, billingNo);
    const slowest: number[] = [];
    while (performance.now() - stopped < load.seconds * 1000) {
      const [ready, alive] = [await get(shop, '/readyz'), await get(shop, '/healthz')];
      if (ready.status !== 503) faults.push(`without database /readyz says ${ready.status}`);
      if (alive.status !== 200) faults.push(`without database /healthz says ${alive.status}`);
      const player = players[0];
      const pay = player && (await callPay(shop, player, nextBody(player), `down-${Math.random()}`));
      if (pay?.status !== 503) faults.push(`without database pay says ${pay?.status}`);
      slowest.push(ready.ms, pay?.ms ?? Infinity);
      await sleep(500);
    }
    const callbacks = await readCallbacks(shop);
    if (callbacks.length === 0 || callbacks.some((status) => status !== 503))
      faults.push(`callbacks got ${[...new Set(callbacks)].join(', ') || 'no answer'} instead of 503`);
    const pid = shop.slots[0]?.pid();

    await shop.postgres.start();
    const healed = await measureHealing(shop, players);
    const up = performance.now();
    for (const { player, billingNo } of placed)
      await waitUntilDelivered(shop, player, billingNo).catch((error: Error) => faults.push(error.message));
    const caughtUp = (performance.now() - up) / 1000;
    if (healed > HEALED_SECONDS) faults.push(`healed after ${healed.toFixed(1)} s`);
    if (shop.slots[0]?.pid() !== pid) faults.push('the server did not live through it');
    const worst = percentile(slowest, 100);
    if (worst > REFUSED_MS) faults.push(`a refusal took ${worst.toFixed(0)} ms`);
    const verdict = await judge(
      shop,
      placed.map((one) => one.billingNo),
    );
    return toFinding(
      verdict,
      placed.length,
      `${load.seconds} s without PostgreSQL: not ready and 503 within ${worst.toFixed(0)} ms, ` +
        `${callbacks.length} callbacks sent again, healed in ${healed.toFixed(1)} s without restart, all delivered ` +
        `${caughtUp.toFixed(1)} s later`,
      faults,
    );
  });
}

/** Last answers that the waiting callbacks of all providers got. */
async function readCallbacks(shop: ChaosShop): Promise<(number | string | undefined)[]> {
  const all: (number | string | undefined)[] = [];
  for (const name of ['adyen', 'xsolla']) {
    const answer = await shop.simulators.request({ method: 'GET', path: `/control/${name}?limit=100000` });
    const { pendingCallbacks } = (await answer.body.json()) as { pendingCallbacks: { lastStatus?: number | string }[] };
    all.push(...pendingCallbacks.map((callback) => callback.lastStatus));
  }
  return all;
}

/** kill -9 of PostgreSQL under load, and its recovery; no order that was confirmed is lost. */
export function killDatabase(load: { orders: number; kills: number; players: number }): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer);
    const players = await makePlayers(shop, load.players);
    let begun = 0;
    const buying = buyMany(
      load.orders,
      players,
      (player) => buyForSure(shop, player),
      (count) => void (begun = count),
    );
    const outages: number[] = [];
    for (let kill = 1; kill <= load.kills; kill += 1) {
      while (begun < (load.orders * kill) / (load.kills + 1)) await sleep(2);
      await sleep(Math.random() * 50);
      const killed = performance.now();
      await shop.postgres.kill();
      await shop.postgres.start();
      outages.push((performance.now() - killed) / 1000);
    }
    const { billingNos, troubles } = await buying;
    if (billingNos.length !== load.orders)
      troubles.push(`${billingNos.length} of ${load.orders} orders came to their end`);
    const verdict = await judge(shop, billingNos);
    return toFinding(
      verdict,
      billingNos.length,
      `${billingNos.length} delivered over ${load.kills} kills of PostgreSQL, away for ` +
        `${percentile(outages, 100).toFixed(1)} s at most`,
      troubles,
    );
  });
}
