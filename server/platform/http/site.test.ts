import { expect, test } from 'vitest';
import { environmentOfHost, readHost } from './site.ts';

test.each([
  ['Pay.Watt.Example', 'pay.watt.example'],
  ['watt.demo.localhost:8080', 'watt.demo.localhost'],
  ['', null],
  [undefined, null],
  ['a b', null],
  ['user@host', null],
  ['host/path', null],
  ['host:1:2', null],
  ['host:', null],
  ['[::1]:80', null],
  ['x'.repeat(254), null],
])('the host of "%s" is %s', (header, host) => {
  expect(readHost(header)).toBe(host);
});

test('demo is what has demo in its name', () => {
  expect(['watt.demo.localhost', 'pay-demo.watt.example', 'pay.watt.example'].map(environmentOfHost)).toEqual([
    'demo',
    'demo',
    'live',
  ]);
});
