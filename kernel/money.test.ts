import { expect, test } from 'vitest';
import { CURRENCIES_BY_DECIMALS } from './currencies.ts';
import {
  allCurrencies,
  applyRate,
  exponentOf,
  isCurrency,
  money,
  parseDecimal,
  showLocalMoney,
  showMoney,
  toDecimal,
} from './money.ts';

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

test.each([
  [1234500, 'CNY', '¥12,345.00'],
  [3300, 'TWD', 'NT$33.00'],
  [160, 'JPY', '¥160.00'],
  [5900, 'KRW', '₩5,900'],
  [1999, 'EUR', '€19.99'],
  [499, 'USD', '$4.99'],
  [39999, 'TRY', '₺399.99'],
  [490, 'MYR', 'RM4.90'],
  [499, 'CAD', 'CA$4.99'],
  [1500, 'KWD', 'KWD1.50'],
  [1505, 'KWD', 'KWD1.505'],
  [-499, 'USD', '-$4.99'],
] as const)('L211 L124 shows %i %s as %s: symbol in front, two decimals, none for won', (minor, currency, shown) => {
  expect(showMoney(money(minor, currency))).toBe(shown);
});

test.each([
  [160, 'JPY', 'ja', '￥160'],
  [160, 'JPY', 'en', '¥160'],
  [135000, 'RUB', 'ru', '1\u00a0350,00\u00a0₽'],
  [1999, 'EUR', 'de', '19,99\u00a0€'],
  [123456, 'EUR', 'fr', '1\u202f234,56\u00a0€'],
  [590, 'BRL', 'pt', 'R$\u00a05,90'],
  [5900, 'KRW', 'ko', '₩5,900'],
  [25000, 'VND', 'vi', '25.000\u00a0₫'],
  [3300, 'TWD', 'zh-tw', '$33.00'],
  [1505, 'KWD', 'en', 'KWD\u00a01.505'],
  [9007199254740991, 'USD', 'en', '$90,071,992,547,409.91'],
] as const)('L124 money: local shows %i %s in %s as %s', (minor, currency, language, shown) => {
  expect(showLocalMoney(money(minor, currency), language)).toBe(shown);
});

test('L124 money: local keeps western digits in Arabic', () => {
  expect(showLocalMoney(money(123456, 'USD'), 'ar')).toMatch(/1,234\.56/);
});

test('L211 knows every currency of ISO 4217 once, with its decimals', () => {
  const all = Object.values(CURRENCIES_BY_DECIMALS).flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(160);
  expect([exponentOf('JPY'), exponentOf('USD'), exponentOf('KWD'), exponentOf('CLF')]).toEqual([0, 2, 3, 4]);
  expect(['XAU', 'XXX', 'XTS', 'ABC', 'usd'].filter(isCurrency)).toEqual([]);
  // Unicode names all of them, so no page shows a bare code.
  const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
  expect(allCurrencies().filter((code) => names.of(code) === undefined)).toEqual([]);
});
