// Players who buy at a steady rate while something happens to the shop, and repeat what failed as a browser does.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '#bench/kit/figures.ts';
import { CODES } from '#contracts/errors.ts';
import { callPay, nextBody, payForSure, placeForSure, waitUntilDelivered } from './buy.ts';
import type { Player } from './players.ts';
import type { ChaosShop } from './shop.ts';

/** @source docs/reliability.md, test 40 */
const P99_MS = 500;
/** Our choice: with fewer calls one stall of a second is one in a hundred, and p99 says how long that stall was. */
const MIN_FOR_P99 = 5000;

/**
 * An order every 1/`perSecond`, each by a player who has no other one under way.
 * @param longestMs what no pay call may take; without it the longest is only told
 */
export function startTraffic(shop: ChaosShop, players: readonly Player[], perSecond: number, longestMs = Infinity) {
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
    const { billingNo, taps } = await payForSure(shop, player, { body, billingNo: placed });
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
    /** Pay calls up to now that had to be made again. */
    countRepeated: () => retried,
    /** Ends with the last order. @returns `faults`: promises that were not kept; `told`: figures for a person */
    stop: async () => {
      isOver = true;
      await pacing;
      await Promise.all(under);
      const [p50, p99, longest] = [
        percentile(payMs, 50),
        percentile(payMs, 99),
        payMs.reduce((a, b) => Math.max(a, b), 0),
      ];
      if (payMs.length >= MIN_FOR_P99 && p99 > P99_MS) faults.push(`p99 of the pay call was ${p99.toFixed(0)} ms`);
      if (longest > longestMs) faults.push(`a pay call took ${longest.toFixed(0)} ms, ${longestMs} are allowed`);
      for (const slot of shop.slots) faults.push(...slot.troubles.slice(0, 2));
      const figures =
        `${billingNos.length} delivered, ${late} begun late, ${retried} calls repeated and ${unpaged} pages asked ` +
        `for again; pay call p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
      return { billingNos, faults, figures };
    },
  };
}
