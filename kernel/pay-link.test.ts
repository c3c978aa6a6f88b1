import { expect, test } from 'vitest';
import { isLoopbackHost, isPayLink } from './pay-link.ts';

test.each([
  ['localhost', true],
  ['watt.demo.localhost', true],
  ['127.0.0.1', true],
  ['127.0.0.53', true],
  ['[::1]', true],
  ['.localhost', false],
  ['localhost.evil.example', false],
  ['evil-localhost', false],
  ['127.0.0.1.evil.example', false],
  ['128.0.0.1', false],
])('%s resolves to this machine only: %s', (host, isIt) => {
  expect(isLoopbackHost(host)).toBe(isIt);
});

const HOSTS = ['pay.example', '127.0.0.1:9000'];
test.each([
  ['https://pay.example/x', 'live', true],
  ['http://pay.example/x', 'live', false],
  ['http://pay.example/x', 'demo', false],
  ['http://127.0.0.1:9000/x', 'demo', true],
  ['http://127.0.0.1:9000/x', 'live', false],
  ['http://127.0.0.1:9001/x', 'demo', false],
  ['https://pay.example:8443/x', 'live', false],
  ['https://a.pay.example/x', 'live', false],
  ['https://user@pay.example/x', 'live', false],
  ['https://:secret@pay.example/x', 'live', false],
  ['data:text/html,x', 'demo', false],
  ['pay.example/x', 'live', false],
  [undefined, 'live', false],
] as const)('%s is a pay link in %s: %s', (url, environment, isOne) => {
  expect(isPayLink(url, HOSTS, environment)).toBe(isOne);
});
