// Every answer of the pay call in a table.
import { expect, test } from 'vitest';
import { CODES } from '#contracts/errors.ts';
import { isSettled, readPayAnswer } from './pay-answer.ts';

const page = 'https://pay.watt.example/selectGoods';
const good = { billing_no: 'B1', url: 'https://checkout.example/1' };
const bad = { billing_no: 'B1', url: 'http://checkout.example/1' };
const none = { billing_no: 'B1', url: '' };

test.each([
  ['success', good, { kind: 'placed', billingNo: 'B1', url: good.url }],
  ['success', none, { kind: 'placed', billingNo: 'B1', url: '' }],
  ['success', bad, { kind: 'badLink', billingNo: 'B1' }],
  ['success', null, { kind: 'refused', code: 1, message: 'm' }],
  ['repeatOrder', good, { kind: 'repeat', billingNo: 'B1', url: good.url }],
  ['repeatOrder', bad, { kind: 'badLink', billingNo: 'B1' }],
  ['priceChanged', null, { kind: 'priceChanged' }],
  ['channelNotFound', null, { kind: 'noChannel' }],
  ['limitReached', null, { kind: 'refused', code: -1010, message: 'm' }],
  ['notLoggedIn', null, { kind: 'refused', code: -600, message: 'm' }],
] as const)('%s with %j', (name, content, expected) => {
  const answer = readPayAnswer({ code: CODES[name].code, msg: 'm', content }, page);
  expect(answer).toEqual(expected);
});

test('a code this version does not know is told as it is', () => {
  expect(readPayAnswer({ code: -9999, msg: 'later', content: null }, page)).toEqual({
    kind: 'refused',
    code: -9999,
    message: 'later',
  });
});

test.each([
  ['success', true],
  ['repeatOrder', true],
  ['limitReached', true],
  ['requestRunning', false],
  ['unavailable', false],
  ['failed', false],
] as const)('after %s the key is done: %j', (name, expected) => {
  expect(isSettled(CODES[name].code)).toBe(expected);
});

test('a code this version does not know keeps the key', () => {
  expect(isSettled(-9999)).toBe(false);
});
