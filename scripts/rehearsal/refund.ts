// After the sale: the money goes back, the goods are taken back, and the books are right.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step, World } from './run-steps.ts';

const TRIES = 60;

async function waitForRefund(world: World): Promise<void> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const found = JSON.parse(await world.refill(['order', 'find', '--state', 'refunded', '--json'])) as {
      orders: { billing_no: string }[];
    };
    if (found.orders.some((one) => one.billing_no === world.facts.billingNo)) return;
    await sleep(1000);
  }
  throw new Error(`order ${world.facts.billingNo} was not refunded within a minute`);
}

export const refundSteps: readonly Step[] = [
  {
    name: 'refund',
    about: 'refill order refund <number> --revoke',
    async run(world) {
      const { billingNo = '' } = world.facts;
      const said = await world.refill(['order', 'refund', billingNo, '--revoke', '--reason', 'rehearsal']);
      await waitForRefund(world);
      return said.trim();
    },
  },
  {
    name: 'report',
    about: 'refill report revenue and refunds, refill order show, refill invariants',
    async run(world) {
      for (const kind of ['revenue', 'refunds']) {
        const out = await world.refill(['report', kind, '--by', 'brand', '--csv']);
        if (!out.includes('fjord') || !out.includes('5.49')) throw new Error(`report ${kind} lacks the sale:\n${out}`);
      }
      const shown = await world.refill(['order', 'show', world.facts.billingNo ?? '']);
      if (!shown.includes('refunded')) throw new Error(`order show does not tell of the refund:\n${shown}`);
      const checked = await world.refill(['invariants']);
      return checked.trim().split('\n').at(-1) ?? '';
    },
  },
];
