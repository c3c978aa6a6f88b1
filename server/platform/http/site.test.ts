import { expect, test } from 'vitest';
import { isLoopbackHost, environmentOfHost, readHost } from './site.ts';

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

test.each([
  ['localhost', true],
  ['watt.demo.localhost', true],
  ['127.0.0.1', true],
  ['localhost.evil.example', false],
  ['evil-localhost', false],
  ['127.0.0.1.evil.example', false],
])('%s resolves to this machine only: %s', (host, isIt) => {
  expect(isLoopbackHost(host)).toBe(isIt);
});
