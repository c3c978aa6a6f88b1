// Tests 5, 6 and 7: providers that do not answer, before or after the money, or answer with anything but an answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BILLING_STATUS } from '#contracts/errors.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { settlePayment } from '#server/modules/orders/payments/settle-payment.ts';
import { query } from '#server/platform/database/db.ts';
import { guardOutbound } from '#server/platform/outbound/outbound-guard.ts';
import { OutboundError, createOutbound } from '#server/platform/outbound/outbound.ts';
import { reportOn } from '#testing/fake-payments.ts';
import { callBack, eventOn, makePollDue, orderInfo, pay, settleDepsOf } from '#testing/pay.ts';
import {
  type Numbered,
  type Round,
  countStates,
  deliverAll,
  expectSame,
  inTurns,
  makePlayers,
  placeMany,
} from './numbered-test.ts';

const noAnswer = () => new OutboundError('timeout', true, 'no answer in 10 s');

const timeoutAfterMoney: Numbered = {
  number: '5',
  name: 'timeout-after-money',
  about: 'the provider takes the money and does not say so',
  counts: { short: 20, full: 200 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const taken = new Set<string>();
    shop.paypal.script.capture = ({ reference }) => {
      taken.add(reference);
      throw noAnswer();
    };
    shop.paypal.script.query = (payment) => reportOn(payment, taken.has(payment.reference) ? 'paid' : 'approved');
    const orders = await placeMany(shop, count);
    await inTurns(orders, async (order) => {
      await callBack(shop, eventOn(order, 'approved'));
      // Polling, which the approval wakes, asks, captures, and hears nothing.
      await settlePayment(
        settleDepsOf(shop),
        { playerId: order.player.playerId, billingNo: order.billingNo, attemptNo: 1 },
        { everySeconds: 0 },
      ).catch(() => null);
      const shown = await orderInfo(shop, order, 'simple=1');
      if (shown.content.status !== BILLING_STATUS.pending)
        fault(`${order.billingNo} shows ${shown.content.status} while nobody knows`);
    });
    const [waits] = await query<{ longest: number }>(
      shop.db,
      'chaos_5',
      'select extract(epoch from max(next_query_at) - now())::integer as longest from payment_attempt',
    );
    if ((waits?.longest ?? 999) > 60) fault(`the next question comes in ${waits?.longest} s, later than a minute`);
    await inTurns(orders, async (order) => {
      await makePollDue(shop, order.billingNo);
      await orderInfo(shop, order);
    });
    await deliverAll(shop);
    expectSame(round, 'states', await countStates(shop), { delivered: count });
    expectSame(round, 'captures', taken.size, count);
  },
};

const timeoutBeforeMoney: Numbered = {
  number: '6',
  name: 'timeout-before-money',
  about: 'the provider does not answer and has taken nothing',
  counts: { short: 20, full: 200 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const create = shop.paypal.script.create;
    shop.paypal.script.create = () => {
      throw noAnswer();
    };
    // Once in a lifetime of the character: held by the first order, free again only when that one is closed.
    const body = { product_id: 'star_pass', price_minor: 499 };
    const players = await makePlayers(shop, count);
    const first = await inTurns(players, (player) => pay(shop, player, { body }));
    await query(
      shop.db,
      'chaos_6a',
      `update payment_attempt set payable_until = now() - interval '1 day', queried_at = null`,
    );
    await query(shop.db, 'chaos_6b', `update orders set expires_at = now() - interval '1 hour'`);
    await inTurns(players, async ({ playerId }, index) => {
      const billingNo = first[index]?.content?.billing_no as BillingNo;
      await settlePayment(settleDepsOf(shop), { playerId, billingNo, attemptNo: 1 }, { isExpiring: true });
    });
    expectSame(round, 'after their time', await countStates(shop), { expired: count });
    shop.paypal.script.create = create;
    const again = await inTurns(players, (player) => pay(shop, player, { body }));
    const refused = again.filter((answer) => answer.code !== 1);
    if (refused.length > 0) fault(`${refused.length} players could not pay again: ${refused[0]?.text}`);
  },
};

/** A provider may send one of these instead of an answer. */
const TROUBLES = ['5xx', '429', 'reset', 'empty', 'html'] as const;
/** The circuit stays open this long in the test; a second in the shop. */
const PAUSE_MS = 200;

const brokenAnswers: Numbered = {
  number: '7',
  name: 'broken-answers',
  about: 'each of 5xx, 429, reset, empty and HTML, through the real way out',
  counts: { short: 100, full: 100 },
  play: async (round) => {
    for (const trouble of TROUBLES) await breakAnswers(round, trouble);
    // The shop itself: one channel broken in every way, the other goes on.
    const { shop, fault } = round;
    shop.paypal.script.create = () => {
      throw new OutboundError('network', false, 'left alone');
    };
    const players = await makePlayers(shop, 10);
    const other = { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } };
    const broken = await inTurns(players, (player) => pay(shop, player));
    const whole = await inTurns(players, (player) => pay(shop, player, other));
    if (broken.some((answer) => answer.code === 1 || answer.status >= 501))
      fault(`a broken channel answered ${broken[0]?.text}`);
    if (whole.some((answer) => answer.code !== 1))
      fault(`the other channel suffers: ${whole.find((answer) => answer.code !== 1)?.text}`);
  },
};

async function breakAnswers(round: Round, trouble: (typeof TROUBLES)[number]): Promise<void> {
  let arrived = 0;
  let isWell = false;
  const server = createServer((request, response) => {
    arrived += 1;
    if (isWell) return void response.end('{"ok":true}');
    if (trouble === 'reset') return void request.socket.resetAndDestroy();
    response.statusCode = trouble === '5xx' ? 503 : trouble === '429' ? 429 : 200;
    response.end(trouble === 'html' ? '<!doctype html><title>Oops</title>' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbound = createOutbound({ allowedHosts: new Set([host]) });
  const states: string[] = [];
  const guarded = guardOutbound(outbound, {
    name: 'peer',
    callsPerSecond: null,
    onChange: (_name, state) => states.push(state),
    pauseMs: PAUSE_MS,
  });
  const call = () => guarded(`http://${host}/`, { method: 'GET' }).catch((error: unknown) => error);
  for (let turn = 0; turn < round.count; turn += 1) {
    const answer = await call();
    if (answer instanceof Error && !(answer instanceof OutboundError))
      round.fault(`${trouble}: an error without a type: ${answer.message}`);
  }
  const isTrouble = trouble === '5xx' || trouble === '429' || trouble === 'reset';
  // Ten of twenty open the circuit: what comes after is refused here and never leaves the machine.
  if (isTrouble && arrived > 20 + Math.ceil(round.count / 10))
    round.fault(`${trouble}: ${arrived} calls went out to a peer that is down`);
  if (!isTrouble && arrived !== round.count)
    round.fault(`${trouble}: an answer that means nothing is an answer, but only ${arrived} calls went out`);
  isWell = true;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 1.5));
  const after = await call();
  if (after instanceof Error) round.fault(`${trouble}: the circuit does not close again: ${after.message}`);
  if (isTrouble && (states[0] !== 'open' || states.at(-1) !== 'closed'))
    round.fault(`${trouble}: the circuit went ${states.join(', ')}`);
  await outbound.close();
  await new Promise((resolve) => server.close(resolve));
}

export const PROVIDER_TESTS: readonly Numbered[] = [timeoutAfterMoney, timeoutBeforeMoney, brokenAnswers];
