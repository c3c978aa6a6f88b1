// Commands for fast-check: each does the same to the database and to the model, and then both must look alike.
import fc from 'fast-check';
import type pg from 'pg';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import {
  cancelOrder,
  findOperatedOrder,
  operatorDeliver,
  operatorRefund,
} from '#server/modules/orders/operator/operate-store.ts';
import { leaseRefunds, finishRefund } from '#server/modules/orders/refunds/refund-store.ts';
import { recordCreateResult, placeOrder } from '#server/modules/orders/store.ts';
import { receiveReport } from '#server/modules/orders/payments/report-store.ts';
import { placeInput } from '#testing/orders.ts';
import { compare } from './compare.ts';
import * as model from './model.ts';

/** `numbers` are the shop's order numbers, by the model's index. */
export type Real = {
  readonly client: pg.Client;
  readonly player: PlayerId;
  readonly numbers: BillingNo[];
  tick(): Promise<void>;
  events: number;
};
type Orders = model.Order[];
type Command = fc.AsyncCommand<Orders, Real>;

/** Wraps a deed so that every command compares afterwards, and time moves on a little. */
function command(
  name: string,
  isPossible: (orders: Readonly<Orders>) => boolean,
  deed: (orders: Orders, real: Real) => Promise<void>,
): Command {
  return {
    check: isPossible,
    run: async (orders, real) => {
      await real.tick();
      await deed(orders, real);
      await compare(real.client, orders, real.numbers);
    },
    toString: () => name,
  };
}

const CHANNELS = ['paypal', 'adyen'] as const;

const placing = fc.tuple(fc.constantFrom(...model.PRODUCTS), fc.constantFrom(...CHANNELS)).map(([product, channel]) =>
  command(
    `place ${product} by ${channel}`,
    () => true,
    async (orders, real) => {
      const expected = model.place(orders, product, channel);
      const input = placeInput(real.player, {
        product_id: product,
        provider: channel,
        channel_key: channel,
        points_rate: model.POINTS_RATE,
        limit: product === 'limited' ? { times: 2, days: null, subject: 'game' } : null,
        has_stock: product === 'stocked',
      });
      const placed = await placeOrder(real.client, input);
      if (placed.outcome !== expected) throw new Error(`place answers ${placed.outcome}, not ${expected}`);
      if (placed.outcome !== 'placed') return;
      if (placed.attempt_no === 1) real.numbers.push(placed.billing_no);
      await recordCreateResult(real.client, {
        player_id: real.player,
        billing_no: placed.billing_no,
        attempt_no: placed.attempt_no,
        provider: channel,
        state: 'redirected',
        provider_ref: `P-${placed.billing_no}-${placed.attempt_no}`,
        url: 'https://pay.example/x',
        exchange: {},
        idempotency_key: null,
        answer: null,
      });
    },
  ),
);

const some = <Value>(list: readonly Value[], pick: number) => list[pick % list.length] as Value;

const reports = fc.record({
  status: fc.constantFrom('paid', 'paid', 'paid', 'paid', 'declined', 'failed', 'expired', 'refunded', 'chargeback'),
  isOurs: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  isLess: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  times: fc.integer({ min: 1, max: 2 }),
  isAsked: fc.boolean(),
  order: fc.nat(30),
  attempt: fc.nat(5),
});

const reporting = reports.map(({ status, isOurs, isLess, times, isAsked, order: orderPick, attempt: attemptPick }) => {
  // Only a payment can differ; what goes back goes back as it came.
  const amountMinor = status === 'paid' && isLess ? model.PRICE - 1 : model.PRICE;
  const name =
    `${isAsked ? 'query' : 'callback'} ` +
    `${status}${isLess && status === 'paid' ? ' (less)' : ''}${isOurs ? '' : ' (stranger)'} x${times} of order ` +
    `${orderPick}, attempt ${attemptPick}`;
  return command(
    name,
    (orders) => orders.length > 0,
    async (orders, real) => {
      const index = orderPick % orders.length;
      const order = orders[index] as model.Order;
      const attempt = some(order.attempts, attemptPick);
      const isBack = status === 'refunded' || status === 'chargeback';
      const said = isBack && attempt.owedMinor > 0 ? attempt.owedMinor : amountMinor;
      model.report(orders, order, attempt, { status, amountMinor: said, isOurs, isAsked });
      const billingNo = real.numbers[index] as BillingNo;
      const attemptNo = order.attempts.indexOf(attempt) + 1;
      real.events += 1;
      const dedupKey = `event-${real.events}`;
      for (let turn = 0; turn < times; turn += 1) {
        await receiveReport(real.client, {
        provider: attempt.channel, billingNo, attemptNo, isOurMerchant: isOurs, mustNotify: false,
        report: { status, reference: `${billingNo}-${attemptNo}`, providerRef: null, captureRef: null, amount: money(said, 'USD'), merchantAccount: null, reason: null },
        callback: isAsked ? null : { dedupKey, headers: {}, body: '{}' },
      }); /* a row a line */ // prettier-ignore
      }
    },
  );
});

const delivering = fc.constantFrom('done', 'done', 'declined', 'unknown').map((kind) =>
  command(`game: ${kind}`, (orders) => orders.length > 0, async (orders, real) => {
    model.deliver(orders, kind);
    const leased = await leaseDeliveries(real.client, 100, 15, []);
    await recordDeliveryResults(real.client, leased.map(({ player_id, billing_no, tries }) => ({
      player_id, billing_no, tries, kind, receipt_id: kind === 'done' ? 'R' : null, reason: 'why', retry_in_seconds: kind === 'unknown' ? 0 : null, on_declined: 'review',
    })));
  }),
); /* a row a line */ // prettier-ignore

const operated = (
  name: string,
  model_: (orders: Orders, order: model.Order, pick: number) => void,
  shop: (real: Real, order: Operated, pick: number, found: model.Order) => Promise<unknown>,
) =>
  fc.tuple(fc.nat(30), fc.nat(5)).map(([pick, second]) =>
    command(
      `${name} order ${pick} (${second})`,
      (orders) => orders.length > 0,
      async (orders, real) => {
        const index = pick % orders.length;
        const found = orders[index] as model.Order;
        model_(orders, found, second);
        const order = await findOperatedOrder(real.client, real.numbers[index] as BillingNo);
        if (order) await shop(real, order, second, found);
      },
    ),
  );
type Operated = NonNullable<Awaited<ReturnType<typeof findOperatedOrder>>>;

const refunding = operated(
  'refund',
  (_orders, order, pick) => model.askRefund(order, some(order.attempts, pick)),
  (real, order, pick, found) =>
    operatorRefund(real.client, order, {
      attemptNo: (pick % found.attempts.length) + 1,
      reason: 'asked',
      by: 'anna',
      isDone: false,
    }),
);
const redelivering = operated(
  'redeliver',
  (orders, order) => model.redeliver(orders, order),
  (real, order) => operatorDeliver(real.client, order),
);
const cancelling = operated(
  'cancel',
  (_orders, order) => model.cancel(order),
  (real, order, _pick, found) =>
    cancelOrder(
      real.client,
      order,
      found.attempts.map((_attempt, at) => at + 1),
    ),
);

const answering = fc.constantFrom('done', 'done', 'unknown', 'manual').map((kind) =>
  command(
    `refunds: ${kind}`,
    (orders) => orders.length > 0,
    async (orders, real) => {
      model.answerRefunds(orders, kind);
      for (const refund of await leaseRefunds(real.client, 100, 60))
        await finishRefund(real.client, refund, { kind, ref: 'RF', error: null, retrySeconds: 0 });
    },
  ),
);

/** Sequences of commands; `maxCommands` of them at most. */
export function commandSequences(maxCommands: number) {
  const all: fc.Arbitrary<Command>[] = [
    placing,
    placing,
    reporting,
    reporting,
    reporting,
    delivering,
    refunding,
    answering,
    redelivering,
    cancelling,
  ];
  return fc.commands(all, { maxCommands, size: '+2' });
}
