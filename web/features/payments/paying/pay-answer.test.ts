// Every outcome of the pay call in a table.
import { expect, test } from 'vitest';
import { CODES, type CodeName } from '#contracts/errors.ts';
import type { PayResult } from '#contracts/payments.ts';
import type { Outcome } from '#web/platform/calls/api.ts';
import { isSettled } from '#web/platform/calls/settled.ts';
import { readPayAnswer } from './pay-answer.ts';

const page = 'https://pay.watt.example/selectGoods';
const good = { billing_no: 'B1', url: 'https://checkout.example/1' };
const bad = { billing_no: 'B1', url: 'http://checkout.example/1' };
const none = { billing_no: 'B1', url: '' };

const ok = (content: PayResult): Outcome<PayResult> => ({ kind: 'ok', content });
const code = (name: CodeName | null, content: PayResult | null = null): Outcome<PayResult> => ({
  kind: 'code',
  name,
  code: name ? CODES[name].code : -9999,
  msg: 'm',
  content,
});

test.each<[string, Outcome<PayResult>, object, boolean]>([
  ['placed', ok(good), { kind: 'placed', billingNo: 'B1', url: good.url }, true],
  ['placed without a page', ok(none), { kind: 'placed', billingNo: 'B1', url: '' }, true],
  ['a link that may not be opened', ok(bad), { kind: 'badLink', billingNo: 'B1' }, true],
  ['an unpaid order exists', code('repeatOrder', good), { kind: 'repeat', billingNo: 'B1', url: good.url }, true],
  ['an unpaid order with a bad link', code('repeatOrder', bad), { kind: 'badLink', billingNo: 'B1' }, true],
  ['an unpaid order nobody names', code('repeatOrder'), { kind: 'refused' }, true],
  ['another price', code('priceChanged'), { kind: 'priceChanged' }, true],
  ['parameters that do not fit', code('badRequest'), { kind: 'badParameters' }, true],
  ['no such channel', code('channelNotFound'), { kind: 'noChannel' }, true],
  ['limit reached', code('limitReached'), { kind: 'closed' }, true],
  ['sold out', code('soldOut'), { kind: 'closed' }, true],
  ['a first-purchase bonus that is gone', code('bonusGone'), { kind: 'closed' }, true],
  ['a promo code that does not work', code('promoRefused'), { kind: 'promoRefused' }, true],
  ['not on sale any more', code('productNotFound'), { kind: 'closed' }, true],
  ['not logged in', code('notLoggedIn'), { kind: 'refused' }, true],
  ['still running', code('requestRunning'), { kind: 'refused' }, false],
  ['not available', code('unavailable'), { kind: 'refused' }, false],
  ['a code of later versions', code(null), { kind: 'refused' }, false],
  ['no answer at all', { kind: 'network' }, { kind: 'refused' }, false],
])('%s', (_name, outcome, answer, settled) => {
  expect(readPayAnswer(outcome, page)).toEqual(answer);
  expect(isSettled(outcome)).toBe(settled);
});
