// Players who buy at a steady rate while something happens to the shop, and repeat what failed as a browser does.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODES } from '#contracts/errors.ts';
import { callPay, nextBody, payForSure, placeForSure, waitUntilDelivered } from './buy.ts';
import type { Player } from './players.ts';
import type { ChaosShop } from './shop.ts';

/** An order every 1/`perSecond`, each by a player who has no other one under way. */
export function startTraffic(shop: ChaosShop, players: readonly Player[], perSecond: number) {
  const idle = [...players];
  const under = new Set<Promise<void>>();
  const billingNos: string[] = [];
  const payMs: number[] = [];
  const faults: string[] = [];
  let [retried, late, unpaged, isOver] = [0, 0, 0, false];

  async function buy(player: Player): Promise<void> {
    const [key, body] = [randomUUID(), nextBody(player)];
    const first = await callPay(shop, player, body, key);
    payMs.push(first.ms);
    const isTaken = first.code === CODES.success.code || first.code === CODES.repeatOrder.code;
    if (!isTaken) retried += 1;
    const placed = isTaken ? first.billingNo : await placeForSure(shop, player, key, body);
    const { billingNo, taps } = await payForSure(shop, player, { key, body, billingNo: placed });
    if (taps > 0) unpaged += 1;
    await waitUntilDelivered(shop, player, billingNo);
    billingNos.push(billingNo);
  }

  const pacing = (async () => {
    const began = performance.now();
    for (let count = 0; !isOver; count += 1) {
      const wait = began + (count * 1000) / perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      const player = idle.shift();
      // Everybody is busy: the shop is slower than the load.
      if (!player) {
        late += 1;
        await sleep(20);
        continue;
      }
      const buying = buy(player)
        .catch((error: Error) => void faults.push(error.message))
        .finally(() => {
          under.delete(buying);
          idle.push(player);
        });
      under.add(buying);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await pacing;
      await Promise.all(under);
      return { billingNos, payMs, retried, late, unpaged, faults };
    },
  };
}
