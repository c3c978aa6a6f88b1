// Players who buy while databases die and others take their place, and what became of everything
// that the shop had told them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Defer } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { query } from '#server/platform/database/db.ts';
import { nextBody, payAtProvider, placeForSure, waitUntilDelivered } from './buy.ts';
import { type Finding, toFinding } from './finding.ts';
import type { Player } from './players.ts';
import type { ChaosShop } from './shop.ts';
import { judge, readGame } from './verdict.ts';

export type Buying = {
  /** Milliseconds from `since` until an order was taken, later than `after` (both by `performance.now()`). */
  waitForOrder(since: number, after: number): Promise<number>;
  /** Ends the buying. @param title "synchronous standby, 10 failovers". @param outagesMs as waitForOrder told them */
  judge(title: string, outagesMs: readonly number[]): Promise<Finding>;
};

/** @param timeoutMs how long a player waits for goods before the order counts as lost */
export function startBuying(defer: Defer, shop: ChaosShop, players: readonly Player[], timeoutMs: number): Buying {
  const confirmed = new Set<string>();
  const delivered = new Set<string>();
  const gone: string[] = [];
  let lastTakenAt = 0;
  let isOver = false;
  defer(async () => void (isOver = true));

  /** Order after order, each paid and delivered; whoever waits too long for one says so and goes on. */
  async function play(player: Player): Promise<void> {
    while (!isOver) {
      const billingNo = await placeForSure(shop, player, randomUUID(), nextBody(player));
      confirmed.add(billingNo);
      lastTakenAt = performance.now();
      if (!(await payAtProvider(shop, player, billingNo))) {
        gone.push(`${billingNo} was confirmed and cannot be paid`);
        continue;
      }
      await waitUntilDelivered(shop, player, billingNo, timeoutMs, true).then(
        () => delivered.add(billingNo),
        (error: Error) => gone.push(error.message),
      );
    }
  }

  // A player that breaks off is reported when all is over.
  const playing = players.map((player) => play(player).catch((error: Error) => void gone.push(error.message)));
  return {
    waitForOrder: async (since, after) => {
      while (lastTakenAt < after) {
        if (performance.now() - after > timeoutMs) throw new Error('no order was taken again');
        await sleep(5);
      }
      return performance.now() - since;
    },
    judge: async (title, outagesMs) => {
      isOver = true;
      await Promise.all(playing);
      if (delivered.size === 0) throw new Error('nothing was delivered');
      const rows = await query<{ billing_no: string; state: string }>(
        shop.db,
        'chaos_survivors',
        'select billing_no, state from orders',
      );
      const survivors = new Map(rows.map((row) => [row.billing_no, row.state]));
      const lostOrders = [...confirmed].filter((billingNo) => !survivors.has(billingNo));
      const lostGoods = [...delivered].filter((billingNo) => survivors.get(billingNo) !== 'delivered');
      const { keys } = await readGame(shop);
      const verdict = await judge(shop, [...delivered]);
      // Goods of an order that was lost are told as lost, not as given for nothing.
      const doubled = keys.length === new Set(keys).size ? [] : ['the game holds a key twice'];
      const lost = [...lostOrders.map((one) => `${one} was confirmed and is gone`), ...gone, ...verdict.lost];
      const goods = `${delivered.size} delivered, ${lostGoods.length} of them forgotten`;
      const waits = `${seconds(outagesMs, 50)} (median), ${seconds(outagesMs, 100)} (longest)`;
      return toFinding(
        { ...verdict, doubled, lost: [...new Set(lost)] },
        confirmed.size,
        `${title}: ${confirmed.size} orders confirmed, ${lostOrders.length} of them gone; ${goods}; an order ` +
          `taken again after ${waits}`,
      );
    },
  };
}

const seconds = (ms: readonly number[], percent: number) => `${(percentile(ms, percent) / 1000).toFixed(1)} s`;
