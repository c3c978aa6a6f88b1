// Tests that an amount is written exactly, or not at all, and read as it was written.
import { expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import { type AmountRules, createAmounts, EXACT_DIGITS } from './amounts.ts';

const rules = (more: Partial<AmountRules>): AmountRules => ({
  title: 'Acme',
  form: 'major',
  currencies: ['USD', 'JPY', 'TWD', 'KWD', 'CLP'],
  decimals: { TWD: 0, CLP: 2 },
  ...more,
});

test.each<[AmountRules['form'], Currency, number, string | null]>([
  ['major', 'USD', 450, '4.50'],
  ['major', 'USD', 500, '5.00'],
  ['major', 'JPY', 120, '120'],
  ['major', 'TWD', 15_000, '150'],
  ['major', 'TWD', 15_050, null],
  ['major', 'CLP', 150, '150.00'],
  ['short', 'USD', 450, '4.50'],
  ['short', 'USD', 500, '5'],
  ['minor', 'USD', 5, '5'],
  ['minor', 'JPY', 120, '120'],
  ['minor', 'TWD', 15_000, '150'],
  ['minor', 'TWD', 1, null],
  ['minor', 'KWD', 1234, '1234'],
  ['minor', 'CLP', 150, '15000'],
  ['major', 'EUR', 100, null],
  ['major', 'USD', 0, null],
  ['major', 'USD', -1, null],
])('%s: %s %i is written %s, and read again', (form, currency, amountMinor, text) => {
  const amounts = createAmounts(rules({ form }));
  expect(amounts.write(money(amountMinor, currency))).toBe(text);
  expect(amounts.read(text ?? undefined, currency)).toEqual(text === null ? null : money(amountMinor, currency));
});

test('one number of decimals is that of every currency', () => {
  const amounts = createAmounts(rules({ form: 'minor', decimals: 2 }));
  expect([amounts.write(money(120, 'JPY')), amounts.read('12000', 'JPY')]).toEqual(['12000', money(120, 'JPY')]);
  expect(amounts.read('12001', 'JPY')).toBeNull();
});

test('a currency that is not charged is read with the decimals of ISO 4217', () => {
  const amounts = createAmounts(rules({ form: 'minor' }));
  expect(amounts.read('5000', 'XOF')).toEqual(money(5000, 'XOF'));
  expect(amounts.read('5000', 'BHD')).toEqual(money(5000, 'BHD'));
  expect(createAmounts(rules({ isReadingChargedOnly: true })).read('5', 'EUR')).toBeNull();
  expect([amounts.read('5', 'XXX'), amounts.read(undefined, 'USD'), amounts.read('5', undefined)]).toEqual([
    null,
    null,
    null,
  ]);
});

test.each(['4.5', '-1', '1e3', '', ' 5', '9999999999999999'])('%j is no whole amount', (text) => {
  expect(createAmounts(rules({ form: 'minor' })).read(text, 'USD')).toBeNull();
});

test.each<[Partial<AmountRules>, number, boolean]>([
  [{ min: 10 }, 999, false],
  [{ min: 10 }, 1000, true],
  [{ max: 10 }, 1000, true],
  [{ max: 10 }, 1001, false],
  [{ maxLength: 5 }, 9999, true],
  [{ maxLength: 5 }, 10_000, false],
  [{ maxDigits: EXACT_DIGITS }, 123_456_789_012_345, true],
  [{ maxDigits: EXACT_DIGITS }, 1_234_567_890_123_456, false],
])('%j: %i cents are charged: %s', (more, amountMinor, isCharged) => {
  expect(createAmounts(rules(more)).write(money(amountMinor, 'USD')) !== null).toBe(isCharged);
});

test('a refusal says what cannot be expressed', () => {
  const { failRefund, refuse } = createAmounts(rules({ min: 10, max: 100 }));
  expect(refuse(money(100, 'EUR'))).toMatchObject({ kind: 'refused', reason: expect.stringContaining('EUR') });
  expect(refuse(money(15_050, 'TWD')).reason).toContain('0 decimals');
  expect(refuse(money(999, 'USD')).reason).toContain('10 USD');
  expect(refuse(money(10_001, 'USD')).reason).toContain('100 USD');
  expect(failRefund(money(15_050, 'TWD'))).toMatchObject({ status: 'failed', refundProviderRef: null });
});
