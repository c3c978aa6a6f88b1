// Test 12: no callback ever comes, and no player looks. Payment status polling finds every payment,
// in the simulation's own time.
import { createShopDatabase } from '#testing/database.ts';
import { type ChaosTest, type Size } from './kit/chaos-test.ts';
import { CALM } from './sim/profile.ts';
import { callerOf } from './sim/shop-instance.ts';
import { judge } from './sim/verdict.ts';
import { BEGINNING, openVirtualTime } from './sim/virtual-time.ts';
import { createWorld, readShop } from './sim/world.ts';

const PAYMENTS: Record<Size, number> = { short: 40, full: 500 };
/** @source docs/reliability.md, test 12 */
const P99_SECONDS = 90;
/** Paid while polling still asks every minute: 30 s and 90 s after the order. */
const THINKING_MS = 60_000;

export const callbacksLost: ChaosTest = {
  number: '12',
  name: 'callbacks-lost',
  about: 'no callback ever comes; every payment is found by asking',
  load: (size) => `${PAYMENTS[size]}`,
  run: async (size, context) => {
    const database = await createShopDatabase(await context.template());
    const client = await openVirtualTime(database.url);
    try {
      const configuration = await readShop(database.url);
      const world = await createWorld({ client, configuration, seed: 12, profile: { ...CALM, callbackLoss: 1 } });
      const { random, stepper } = world;
      for (let n = 0; n < PAYMENTS[size]; n += 1) {
        const player = await world.addPlayer(`p${n}`);
        stepper.later(random.between(0, 300_000), 'purchase', () => {
          const input = {
            client_id: '70021',
            server_id: 's1',
            role_id: 'r1',
            product_id: 'star_50',
            channel_id: 'scheme',
          };
          void world
            .onSomeInstance((shop) => shop.orders.pay(callerOf(player, null), 'adyen_pay', input))
            .then((answer) => {
              const reference = answer.content?.url.split('/').at(-1) ?? '';
              stepper.later(random.between(1000, THINKING_MS), 'pays', () =>
                world.providers.forEach((provider) => provider.pay(reference, 'pays')),
              );
            });
        });
      }
      await stepper.run(BEGINNING + 3_600_000);
      const { states, ...verdict } = await judge(world);
      const faults = [...verdict.faults];
      if (states['delivered'] !== PAYMENTS[size]) faults.push(`states: ${JSON.stringify(states)}`);
      const { rows } = await client.query<{ billing_no: string; paid_at: Date }>(
        'select billing_no, paid_at from orders where paid_at is not null',
      );
      const waits = rows
        .map((row) => (row.paid_at.getTime() - (world.paymentsOf(row.billing_no)[0]?.takenAt ?? 0)) / 1000)
        .toSorted((a, b) => a - b);
      const p99 = waits[Math.ceil(waits.length * 0.99) - 1] ?? Infinity;
      context.say(
        `      found after ${(waits[waits.length >> 1] ?? 0).toFixed(0)} s (median), ${p99.toFixed(0)} s (p99)`,
      );
      if (p99 > P99_SECONDS) faults.push(`the slowest hundredth was found after ${p99.toFixed(0)} s`);
      return {
        orders: verdict.orders,
        lost: verdict.lost,
        doubled: verdict.doubled,
        breaches: verdict.breaches,
        faults,
      };
    } finally {
      await client.end();
      await database.drop();
    }
  },
};
