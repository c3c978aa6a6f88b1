// Tests the allowed values of each form, and that a number which is none is never taken for one.
import { expect, test } from 'vitest';
import { type SettingForm, describeForm, findFormFault, formOf } from './setting-form.ts';

const WHOLE: SettingForm = { kind: 'whole', min: 1, max: 600 };
const DIGITS = ['0', '1', '2', '3'];
const DECIMALS: SettingForm = {
  kind: 'pairs',
  name: { kind: 'currency' },
  value: { kind: 'choice', values: DIGITS },
};
const KEYS: SettingForm = {
  kind: 'list',
  of: { kind: 'other', one: 'a key', many: 'keys', fits: (text) => text.length === 4 },
};
const listOf = (kind: 'host' | 'ip' | 'currency'): SettingForm => ({ kind: 'list', of: { kind } });

test.each<[SettingForm, string[]]>([
  [WHOLE, ['1', '60', '600']],
  [{ kind: 'whole', min: 0, max: 999_999 }, ['0']],
  [{ kind: 'choice', values: ['on', 'off'] }, ['on']],
  [{ kind: 'address' }, ['https://pay.example.com/v1', 'http://localhost:9']],
  [listOf('host'), ['pay.example.com', 'Pay.Example.com, b.example:8443', '[::1]:80', 'localhost:9']],
  [listOf('ip'), ['203.0.113.7', '203.0.113.7, 2001:db8::1', '::1']],
  [listOf('currency'), ['USD', 'USD, JPY']],
  [DECIMALS, ['IDR=0', 'IDR=0, TWD = 0']],
  [KEYS, ['abcd', 'abcd,efgh']],
  [{ kind: 'text' }, ['anything, at all = fine']],
])('%j takes %j', (form, texts) => {
  for (const text of texts) expect([text, findFormFault(form, text, false)]).toEqual([text, null]);
});

test.each<[SettingForm, string[]]>([
  [WHOLE, ['0', '601', '-1', '1.5', '1e2', '0x1', '010', ' 60', '60s', 'abc', '٣', '9'.repeat(30), 'NaN', 'Infinity']],
  [{ kind: 'choice', values: ['on', 'off'] }, ['ON', 'true', 'on,off']],
  [{ kind: 'address' }, ['pay.example.com', 'ftp://pay.example.com', 'https://', 'javascript:alert(1)']],
  [listOf('host'), ['https://a.example', 'a.example/pay', 'a.example:443', '*.a.example', 'a b', ',', 'a.example,b/c']],
  [
    listOf('ip'),
    [
      '203.0.113.0/24',
      '203.0.113',
      '2001:DB8::1',
      '2001:db8:0::1',
      '::ffff:203.0.113.7',
      '256.1.1.1',
      '1.2.3.4.',
      '01.2.3.4',
      'fe80::1%eth0',
      'a.example',
      ' , ',
    ],
  ],
  [listOf('currency'), ['usd', 'USD;EUR', 'US', 'XXX', ',']],
  [DECIMALS, ['USD', 'USD=', '=2', 'USd=0', 'USD=0x1', 'USD=4', 'USD=00', 'USD=0=1', 'XYZ=0', 'USD=0,USD=2', 'USD 0']],
  [KEYS, ['abc', 'abcd,ef']],
])('%j refuses %j', (form, texts) => {
  for (const text of texts) expect([text, findFormFault(form, text, false)]).not.toEqual([text, null]);
});

test('a fault says what stands there and what must', () => {
  expect(findFormFault(WHOLE, '5m', false)).toEqual({
    reason: 'is "5m"',
    remedy: 'it must be a whole number from 1 to 600',
  });
  expect(findFormFault(listOf('ip'), '203.0.113.7, 10.0.0.0/8', false)).toEqual({
    reason: 'has "10.0.0.0/8"',
    remedy: 'it must be IP addresses, e.g. 203.0.113.7, by commas',
  });
  expect(findFormFault(DECIMALS, 'USD=0, USD=2', false)?.reason).toBe('has twice "USD"');
  expect(findFormFault(WHOLE, 'x'.repeat(500), false)?.reason).toHaveLength(68);
});

test('a secret is never told', () => {
  expect(JSON.stringify(findFormFault(KEYS, 'abcd,secret', true))).not.toContain('secret');
});

test('addresses and hosts are known by their names, unless a form is declared', () => {
  expect(['API_BASE', 'CREATE_URL', 'PAY_HOSTS', 'SECRET'].map((name) => formOf({ name })?.kind)).toEqual([
    'address',
    'address',
    'list',
    undefined,
  ]);
  expect(formOf({ name: 'API_BASE', form: { kind: 'text' } })).toEqual({ kind: 'text' });
  expect(describeForm({ kind: 'whole', min: 1, max: 5 })).toBe('a whole number from 1 to 5');
});
