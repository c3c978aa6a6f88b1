// Public status, chips, delivery line, poll times and remembered orders in tables.
import { expect, test } from 'vitest';
import type { BillingInfo, OrderStage, ReviewKind } from '#contracts/orders.ts';
import { DAY_MS } from '#kernel/time.ts';
import { showClock, showSeconds, showTaken } from './clock.ts';
import { pollDelayMs } from './result/poll.ts';
import { deliveryLine, isFinal, needsFullCheck, publicStatusOf, toneOf } from './stages.ts';
import { dropOld, drop, readUnfinished, remember } from './unfinished/unfinished.ts';

test.each<[OrderStage, string, boolean, string]>([
  ['unpaid', 'pending', false, 'wait'],
  ['paid', 'delivering', false, 'wait'],
  ['delivering', 'delivering', false, 'wait'],
  ['review', 'review', false, 'wait'],
  ['delivered', 'success', true, 'ok'],
  ['refunding', 'refund', false, 'wait'],
  ['refunded', 'refund', true, 'plain'],
  ['failed', 'fail', true, 'bad'],
  ['expired', 'fail', true, 'plain'],
  ['cancelled', 'fail', true, 'plain'],
])('stage %s: public status %s, final %j, tone %s', (stage, publicStatus, final, tone) => {
  expect(publicStatusOf({ stage, is_declined: false })).toBe(publicStatus);
  expect(isFinal(stage)).toBe(final);
  expect(toneOf({ stage })).toBe(tone);
});

test('of the kinds of review only a dispute is bad news', () => {
  const kinds = ['payment', 'received', 'delivery', 'refund', 'dispute'] as const;
  expect(kinds.map((review_kind) => toneOf({ stage: 'review', review_kind }))).toEqual([
    'wait',
    'wait',
    'wait',
    'wait',
    'bad',
  ]);
});

test('a refused try looks like a failure only while the order is unpaid', () => {
  expect(publicStatusOf({ stage: 'unpaid', is_declined: true })).toBe('declined');
  expect(publicStatusOf({ stage: 'paid', is_declined: true })).toBe('delivering');
});

test.each([
  [1, true],
  [-2, true],
  [-1, false],
])('status %i asks for the full check: %j', (status, expected) => {
  expect(needsFullCheck({ status })).toBe(expected);
});

const order = (stage: OrderStage) =>
  ({ stage, paid_at: 100, delivering_at: 200, delivered_at: stage === 'delivered' ? 300 : 0 }) as BillingInfo;

test.each<[OrderStage, string[] | null]>([
  ['unpaid', null],
  ['paid', ['done', 'now', 'todo']],
  ['delivering', ['done', 'now', 'todo']],
  ['review', null],
  ['delivered', ['done', 'done', 'done']],
  ['refunded', null],
  ['failed', null],
])('delivery line of %s: %j', (stage, states) => {
  expect(deliveryLine(order(stage))?.map((point) => point.state) ?? null).toEqual(states);
});

test.each<[ReviewKind, string[] | null]>([
  ['payment', null],
  ['received', null],
  ['delivery', ['done', 'now', 'todo']],
  ['refund', null],
  ['dispute', null],
])('delivery line in review of the %s: %j', (review_kind, states) => {
  const reviewed = { ...order('review'), review_kind };
  expect(deliveryLine(reviewed)?.map((point) => point.state) ?? null).toEqual(states);
});

test.each<OrderStage>(['paid', 'delivering', 'review'])('there is no delivery line in %s before a payment', (stage) => {
  expect(deliveryLine({ ...order(stage), review_kind: 'delivery', paid_at: 0 })).toBeNull();
});

test('the points carry their own times', () => {
  expect(deliveryLine(order('delivered'))?.map((point) => point.at)).toEqual([100, 200, 300]);
});

test.each([
  [0, 0, 1000],
  [1, 1000, 2000],
  [20, 59_999, 2000],
  [30, 60_000, 3000],
  [60, 180_000, 5000],
  [999, 86_400_000, 5000],
])('poll %i after %i ms waits %i ms', (polls, since, delay) => {
  expect(pollDelayMs(polls, since)).toBe(delay);
});

test('an order is remembered once, newest first, at most five, and for seven days', () => {
  const now = 100 * DAY_MS;
  let list = remember([], 'A', now - 6 * DAY_MS);
  for (const name of ['B', 'C', 'D', 'A', 'E', 'F']) list = remember(list, name, now);
  expect(list.map((one) => one.billing_no)).toEqual(['F', 'E', 'A', 'D', 'C']);
  expect(drop(list, 'F')[0]?.billing_no).toBe('E');
  expect(
    dropOld(
      [
        { billing_no: 'old', at: now - 7 * DAY_MS },
        { billing_no: 'new', at: now - 7 * DAY_MS + 1 },
      ],
      now,
    ),
  ).toEqual([{ billing_no: 'new', at: now - 7 * DAY_MS + 1 }]);
});

test.each([
  [null, 0],
  ['text', 0],
  [[{ billing_no: 'A', at: 1 }, { billing_no: 2, at: 1 }, null], 1],
])('storage holding %j gives %i orders', (value, count) => {
  expect(readUnfinished(value)).toHaveLength(count);
});

test.each([
  [1000, 3800, '2.8'],
  [1000, 1000, '0.1'],
  [1000, 100_999, '100.0'],
  [1000, 101_000, null],
  [0, 3800, null],
  [1000, 0, null],
  [3800, 1000, null],
])('paid at %i, delivered at %i: %j seconds', (paid, delivered, shown) => {
  expect(showTaken(paid, delivered, 'en')).toBe(shown);
});

test.each([
  ['de', '2,8'],
  ['ja', '2.8'],
  ['ar', '2.8'],
  ['pt', '2,8'],
] as const)('seconds in %s: %s', (language, shown) => {
  expect(showTaken(1000, 3800, language)).toBe(shown);
});

test('L205 the time of an order is that of the clock today, and whole on any other day', () => {
  const now = new Date(2026, 10, 21, 20, 0).getTime();
  const morning = new Date(2026, 10, 21, 9, 5, 7).getTime();
  const before = new Date(2026, 10, 20, 23, 59, 7).getTime();
  expect([showClock(morning, now), showSeconds(morning, now)]).toEqual(['09:05', '09:05:07']);
  for (const text of [showClock(before, now), showSeconds(before, now)]) expect(text).toMatch(/2026\/11\/20 23:59 UTC/);
});
