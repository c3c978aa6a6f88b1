import { expect, test } from 'vitest';
import { applyRate, money, parseDecimal, showMoney, toDecimal } from './money.ts';

test.each([
  ['4.99', 'USD', 499],
  ['4.9', 'USD', 490],
  ['4', 'USD', 400],
  ['4.990', 'USD', 499],
  ['120', 'JPY', 120],
  ['120.00', 'JPY', 120],
  ['90071992547409.91', 'USD', 9007199254740991],
] as const)('reads %s %s', (text, currency, minor) => {
  expect(parseDecimal(text, currency)).toEqual({ amountMinor: minor, currency });
});

test.each([
  ['4.999', 'USD'],
  ['120.5', 'JPY'],
  ['-1', 'USD'],
  ['1e3', 'USD'],
  ['', 'USD'],
  ['1,000', 'USD'],
  ['90071992547409.92', 'USD'],
  ['0x10', 'USD'],
] as const)('refuses %s %s', (text, currency) => {
  expect(parseDecimal(text, currency)).toBeNull();
});

test.each([
  [499, 'USD', '4.99', '$4.99'],
  [129900, 'USD', '1299.00', '$1,299.00'],
  [5900, 'KRW', '5900', '₩5,900'],
  [120, 'JPY', '120', '¥120.00'],
  [5, 'EUR', '0.05', '€0.05'],
  [123456789, 'VND', '123456789', '₫123,456,789.00'],
] as const)('writes %d %s', (minor, currency, decimal, shown) => {
  expect(toDecimal(money(minor, currency))).toBe(decimal);
  expect(showMoney(money(minor, currency))).toBe(shown);
});

test.each([
  [999, '0.8', 799],
  [1, '0.5', 1],
  [3, '0.5', 2],
  [1799, '0.9', 1619],
  [100, '1', 100],
  [100, '0', 0],
] as const)('takes rate of %d at %s', (minor, rate, left) => {
  expect(applyRate(money(minor, 'USD'), rate).amountMinor).toBe(left);
});

test('refuses what is not money', () => {
  expect(() => money(0.5, 'USD')).toThrow(RangeError);
  expect(() => applyRate(money(1, 'USD'), '1.5')).toThrow(RangeError);
});
