// Tests which decimal text is an amount of which currency.
import { expect, test } from 'vitest';
import { findAmountFault, readAmount } from './amount-types.ts';

test.each([
  ['4.99', 'USD'],
  ['4.9900', 'USD'],
  ['1.234', 'KWD'],
  ['999999999999.99', 'USD'],
  ['0', 'JPY'],
] as const)('%s is an amount of %s', (text, currency) => {
  expect(findAmountFault(text, currency)).toBeNull();
  expect(readAmount(text, currency).currency).toBe(currency);
});

test.each([
  ['0.999', 'USD', 'too-many-decimals'],
  ['1.5', 'JPY', 'too-many-decimals'],
  ['1.0000000000000', 'USD', 'too-many-decimals'],
  ['1000000000000', 'USD', 'too-large'],
  ['99999999999999', 'USD', 'too-large'],
  ['999999999999.9999', 'CLF', 'too-large'],
] as const)('%s is none of %s: %s', (text, currency, fault) => {
  expect(findAmountFault(text, currency)).toBe(fault);
});
