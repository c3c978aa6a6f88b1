// When a refund's answer counts as done: by the amount it names.
import { expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import { isOfRest, paidOf, refundOfAmount } from './refund.ts';

const outcome = (status: 'done' | 'pending' | 'failed' | 'unknown') => ({
  status,
  refundProviderRef: 'R1',
  reason: 'SUCCESS',
});
const asked = money(499, 'USD');

test.each([
  ['done', 'done', money(499, 'USD')],
  ['done', 'done', null],
  ['pending', 'pending', money(499, 'USD')],
  ['done', 'failed', money(498, 'USD')],
  ['done', 'failed', money(499, 'EUR')],
  ['pending', 'failed', money(300, 'USD')],
  ['unknown', 'unknown', money(300, 'USD')],
  ['failed', 'failed', money(300, 'USD')],
] as const)('%s becomes %s when %j went back', (status, expected, returned) => {
  expect(refundOfAmount(outcome(status), returned, asked)).toMatchObject({ status: expected, refundProviderRef: 'R1' });
});

test('a reason names both amounts', () => {
  const { reason } = refundOfAmount(outcome('done'), money(300, 'USD'), asked);
  expect(reason).toContain('300 USD');
  expect(reason).toContain('499 USD');
});

test('a payment without a word of what was paid in all is refunded whole', () => {
  const payment = {
    reference: 'R',
    providerRef: null,
    captureRef: null,
    approval: null,
    amount: asked,
    playerRef: 'p',
    channelId: '',
    createdAt: 0,
  };
  expect([isOfRest(payment), paidOf(payment)]).toEqual([false, asked]);
  expect(isOfRest({ ...payment, paidAmount: asked })).toBe(false);
  expect(isOfRest({ ...payment, paidAmount: money(1000, 'USD') })).toBe(true);
});
