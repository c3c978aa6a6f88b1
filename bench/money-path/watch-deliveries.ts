// Tells a buyer when the goods are delivered, by asking the database for all who wait at once: a poll over
// HTTP by each would be load of another kind, and one by NOTIFY would change what is measured.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, query } from '#server/platform/database/db.ts';

/** Our choice: adds 2 ms to an order on average, and costs the database about a hundredth of a processor. */
const ASK_EVERY_MS = 4;
/** A delivery that was lost would hang the bench; the lease of a dead call is 15 s. */
const TIMEOUT_MS = 30_000;

export type DeliveryWatch = {
  /** Resolves when the order is delivered; rejects after 30 s. */
  delivered(playerId: string, billingNo: string): Promise<void>;
  stop(): Promise<void>;
};

export function watchDeliveries(db: Db): DeliveryWatch {
  const waiting = new Map<string, { playerId: string; since: number; tell: (error?: Error) => void }>();
  let isStopped = false;

  async function run(): Promise<void> {
    while (!isStopped) {
      if (waiting.size > 0) {
        const rows = await query<{ billing_no: string }>(
          db,
          'bench_delivered',
          // Lateral, so that each is looked up by its key: joined, a young table without statistics is
          // read from end to end each time.
          `select w.billing_no from unnest($1::uuid[], $2::text[]) as w(player_id, billing_no), lateral (
             select from orders o where o.player_id = w.player_id and o.billing_no = w.billing_no
               and o.state = 'delivered' limit 1) found`,
          [[...waiting.values()].map((entry) => entry.playerId), [...waiting.keys()]],
        );
        for (const { billing_no: billingNo } of rows) settle(billingNo);
        const now = performance.now();
        for (const [billingNo, entry] of waiting)
          if (now - entry.since > TIMEOUT_MS) settle(billingNo, new Error(`${billingNo} was not delivered in 30 s`));
      }
      await sleep(ASK_EVERY_MS);
    }
  }
  function settle(billingNo: string, error?: Error): void {
    waiting.get(billingNo)?.tell(error);
    waiting.delete(billingNo);
  }

  const running = run().catch((error: unknown) => {
    for (const billingNo of waiting.keys()) settle(billingNo, error as Error);
  });
  return {
    delivered: (playerId, billingNo) =>
      new Promise((resolve, reject) => {
        waiting.set(billingNo, {
          playerId,
          since: performance.now(),
          tell: (error) => (error ? reject(error) : resolve()),
        });
      }),
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
