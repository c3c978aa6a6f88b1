// Test 23: the shop is cut off from one side while everything else works. Calls end in their time, the
// pool of connections is not used up, other routes stay as fast as they were, and what waited is finished when the wire
// heals.
import { setTimeout as sleep } from 'node:timers/promises';
import { CODES } from '#contracts/errors.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { buyForSure, buyMany, callPay, nextBody } from './kit/buy.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { get, measureHealing } from './kit/health.ts';
import { type Player, makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';
import type { LinkFault, Proxy } from './proxy.ts';

export type PartitionLoad = { readonly seconds: number; readonly orders: number; readonly players: number };

/**
 * @source docs/reliability.md, test 23: calls to the outside 10 s; to the database 12 s, and
 * 3 s to wait for a connection
 */
const CALL_MS = 10_000;
const DATABASE_MS = 12_000 + 3000;
/** Our choice: what a busy machine adds. */
const SLACK_MS = 1500;
/** Below this no one sees a difference, and one late timer doubles a p95. */
const FAST_ENOUGH_MS = 60;
const HEALED_SECONDS = 5;

type Scene = {
  readonly name: string;
  readonly links: readonly Proxy[];
  readonly fault: LinkFault;
  /** Longest time that a call may take meanwhile. */
  readonly boundMs: number;
  /** Orders are bought during it and finished after it. */
  readonly isBuying: boolean;
  /**
   * The breaker of a provider lets nobody through for this long after. @source
   * server/platform/outbound/outbound-guard.ts
   */
  readonly pauseMs: number;
};

export function partition(load: PartitionLoad): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, { isForgetful: true });
    const players = await makePlayers(shop, load.players);
    const { games, provider, database } = shop.links;
    const toGames = Object.values(games);
    const half: LinkFault = { kind: 'half-open' };
    const scenes: Scene[] = [
      { name: 'games half-open', links: toGames, fault: half, boundMs: CALL_MS, isBuying: true, pauseMs: 0 },
      { name: 'games cut', links: toGames, fault: { kind: 'cut' }, boundMs: CALL_MS, isBuying: true, pauseMs: 0 },
      {
        name: 'providers half-open',
        links: [provider],
        fault: half,
        boundMs: CALL_MS,
        isBuying: false,
        pauseMs: 10_000,
      },
      { name: 'database half-open', links: [database], fault: half, boundMs: DATABASE_MS, isBuying: true, pauseMs: 0 },
    ];
    const bought: string[] = [];
    const faults: string[] = [];
    const figures: string[] = [];
    const normal = await probe(shop, players, Math.min(5, load.seconds));
    for (const scene of scenes) {
      // New ones each time: for whom every product is open already, no provider is called.
      const payers = await makePlayers(shop, 4);
      for (const link of scene.links) link.setFault(scene.fault);
      const buying = scene.isBuying ? buyMany(load.orders, players, (player) => buyForSure(shop, player)) : null;
      const paying = pay(shop, payers, load.seconds);
      const others = await probe(shop, players, load.seconds);
      for (const link of scene.links) link.setFault({ kind: 'pass' });
      const longest = Math.max(0, ...(await paying));
      if (scene.links[0] === provider && longest < 3000) faults.push(`${scene.name}: no call has felt it`);
      await sleep(scene.pauseMs);
      const healed = await measureHealing(shop, payers);
      const done = await buying;
      bought.push(...(done?.billingNos ?? []));
      faults.push(...(done?.troubles ?? []).map((trouble) => `${scene.name}: ${trouble}`));
      if (longest > scene.boundMs + SLACK_MS)
        faults.push(`${scene.name}: a pay call took ${(longest / 1000).toFixed(1)} s`);
      // Without its database no route of the shop can be as fast as ever.
      const limit = scene.links[0] === database ? DATABASE_MS + SLACK_MS : Math.max(FAST_ENOUGH_MS, 2 * normal);
      if (others > limit)
        faults.push(`${scene.name}: other routes p95 ${others.toFixed(0)} ms, before ${normal.toFixed(0)} ms`);
      if (healed > HEALED_SECONDS) faults.push(`${scene.name}: healed after ${healed.toFixed(1)} s`);
      figures.push(
        `${scene.name}: longest pay call ${(longest / 1000).toFixed(1)} s, other routes p95 ${others.toFixed(0)} ` +
          `ms, healed in ${healed.toFixed(1)} s`,
      );
    }
    const verdict = await judge(shop, bought);
    return toFinding(verdict, bought.length, `normal p95 ${normal.toFixed(0)} ms; ${figures.join('; ')}`, faults);
  });
}

/** Milliseconds of each pay call made for `seconds`, one after the other by each payer. */
async function pay(shop: ChaosShop, payers: readonly Player[], seconds: number): Promise<number[]> {
  const taken: number[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    payers.map(async (player) => {
      while (performance.now() < until) {
        taken.push((await callPay(shop, player, nextBody(player), `cut-${Math.random()}`)).ms);
        await sleep(400);
      }
    }),
  );
  return taken;
}

/** p95 in milliseconds of routes that need neither game nor provider: list of goods, history, readiness. */
async function probe(shop: ChaosShop, players: readonly Player[], seconds: number): Promise<number> {
  const taken: number[] = [];
  const until = performance.now() + seconds * 1000;
  const [player] = players;
  if (!player) throw new Error('nobody is there to look');
  const clientId = (JSON.parse(nextBody(player)) as { client_id: string }).client_id;
  const paths = [`/api/pay/getGoodsList?client_id=${clientId}`, '/api/orders/history', '/readyz'];
  await Promise.all(
    paths.map(async (path) => {
      while (performance.now() < until) {
        const { status, ms } = await get(shop, path, {
          host: player.headers.host ?? '',
          authorization: player.headers.authorization ?? '',
        });
        if (status === CODES.failed.http) throw new Error(`${path} failed`);
        taken.push(ms);
        await sleep(25);
      }
    }),
  );
  return percentile(taken, 95);
}
