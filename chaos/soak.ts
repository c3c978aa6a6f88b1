// Test 40: a shop under steady load for half an hour or a night: servers are replaced one by one, the schema
// changes and changes back, then it is left alone. Every order is delivered, calls stay fast, memory does not grow.
import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanup } from '#bench/kit/cleanup.ts';
import type { ChaosTest, Size } from './kit/chaos-test.ts';
import { runSql } from './kit/cluster.ts';
import { readMemoryMb } from './kit/health.ts';
import { makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { startTraffic } from './kit/traffic.ts';
import { judge } from './kit/verdict.ts';

type SoakLoad = {
  readonly minutes: number;
  readonly perSecond: number;
  readonly players: number;
  readonly restarts: number;
};
const LOADS: Readonly<Record<Size, SoakLoad>> = {
  short: { minutes: 1, perSecond: 5, players: 16, restarts: 2 },
  full: { minutes: 30, perSecond: 50, players: 96, restarts: 10 },
};
/**
 * Our choice: what a heap may gain between the second and the last quarter of the calm half; a leak
 * gains more in any half hour.
 */
const GROWTH = 0.1;
const SAMPLE_MS = 2000;

const loadOf = (size: Size, options: Readonly<Record<string, string | undefined>>): SoakLoad => ({
  ...LOADS[size],
  ...(options['minutes'] ? { minutes: Number(options['minutes']) } : {}),
});

export const soak: ChaosTest = {
  number: '40',
  name: 'soak',
  about: 'steady load, servers replaced one by one, the schema changed and changed back; not part of "all"',
  load: (size, options) => {
    const { minutes, perSecond, restarts } = loadOf(size, options);
    return `${minutes} min, ${perSecond} orders/s, ${restarts} restarts`;
  },
  run: (size, { options, say }) =>
    withCleanup(async (defer) => {
      const load = loadOf(size, options);
      const shop = await startChaosShop(defer, { servers: 2 });
      const players = await makePlayers(shop, load.players);
      const half = load.minutes * 30_000;
      const traffic = startTraffic(shop, players, load.perSecond);
      await replaceServers(shop, load.restarts, half);
      const grown = await watchMemory(shop, half);
      const { billingNos, faults, figures } = await traffic.stop();
      if (grown.share > GROWTH) faults.push(`memory grew by ${(grown.share * 100).toFixed(0)} %`);
      say(`      ${figures}; memory ${grown.before.toFixed(0)} MB, later ${grown.after.toFixed(0)} MB`);
      return { ...(await judge(shop, billingNos)), orders: billingNos.length, faults };
    }),
};

/** As a careful deployment: one server drains and comes back, then the other; a column comes, later it goes. */
async function replaceServers(shop: ChaosShop, restarts: number, forMs: number): Promise<void> {
  const change = (what: string) =>
    runSql(
      shop.postgres.url,
      `set lock_timeout = '2s'`,
      `alter table orders ${what}`,
      `alter table payment_attempt ${what}`,
    );
  for (let turn = 0; turn < restarts; turn += 1) {
    const until = performance.now() + forMs / restarts;
    const slot = shop.slots[turn % shop.slots.length];
    await slot?.stop();
    await change(turn % 2 === 0 ? 'add column chaos_note text' : 'drop column chaos_note');
    await slot?.start();
    await sleep(Math.max(0, until - performance.now()));
  }
}

/** Means of the second and the last quarter, MB of both servers together. */
async function watchMemory(shop: ChaosShop, forMs: number): Promise<{ before: number; after: number; share: number }> {
  const samples: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const each = await Promise.all(shop.slots.map((slot) => readMemoryMb(slot.pid())));
    samples.push(each.reduce((sum, mb) => sum + mb, 0));
    await sleep(SAMPLE_MS);
  }
  const quarter = Math.max(1, samples.length >> 2);
  const mean = (part: readonly number[]) => part.reduce((sum, mb) => sum + mb, 0) / Math.max(1, part.length);
  const [before, after] = [mean(samples.slice(quarter, 2 * quarter)), mean(samples.slice(-quarter))];
  return { before, after, share: after / before - 1 };
}
