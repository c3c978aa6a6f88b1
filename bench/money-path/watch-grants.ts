// Tells a buyer when the goods are in the game, by the simulated game itself: no question to the database, which on a
// cluster would cost a look at every shard each time.
import type { DeliveryWatch } from './watch-deliveries.ts';

/** As in watch-deliveries.ts: a delivery that was lost would hang the bench. */
const TIMEOUT_MS = 30_000;

export type GrantWatch = DeliveryWatch & { readonly granted: (billingNo: string) => void };

export function watchGrants(): GrantWatch {
  const waiting = new Map<string, () => void>();
  return {
    granted: (billingNo) => {
      waiting.get(billingNo)?.();
      waiting.delete(billingNo);
    },
    delivered: (_playerId, billingNo) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`the goods of ${billingNo} were not in the game after 30 s`)),
          TIMEOUT_MS,
        );
        waiting.set(billingNo, () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    stop: async () => undefined,
  };
}
