// How a shop looks from outside: a load balancer's questions, and how long it takes until orders are taken again.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODES } from '#contracts/errors.ts';
import { callPay, nextBody } from './buy.ts';
import type { Player } from './players.ts';
import type { ChaosShop } from './shop.ts';

export type Looked = { readonly status: number; readonly ms: number };

/** GET through the front; status 0 when nobody answered. */
export async function get(
  shop: ChaosShop,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Looked> {
  const started = performance.now();
  const status = await shop.server.request({ method: 'GET', path, headers: { ...headers } }).then(
    async (answer) => {
      await answer.body.dump();
      return answer.statusCode;
    },
    () => 0,
  );
  return { status, ms: performance.now() - started };
}

/** Seconds until the shop says that it is ready and takes an order; Infinity after a minute. */
export async function measureHealing(shop: ChaosShop, players: readonly Player[]): Promise<number> {
  const started = performance.now();
  const isLate = () => performance.now() - started > 60_000;
  while ((await get(shop, '/readyz')).status !== 200 && !isLate()) await sleep(50);
  for (let turn = 0; !isLate(); turn += 1) {
    const player = players[turn % players.length];
    if (!player) break;
    const { code } = await callPay(shop, player, nextBody(player), `heal-${Math.random()}`);
    if (code === CODES.success.code || code === CODES.repeatOrder.code) return (performance.now() - started) / 1000;
    await sleep(50);
  }
  return Infinity;
}

/** Resident memory of a process; 0 where there is no /proc. */
export async function readMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
