import { expect, test } from 'vitest';
import { isFresh, isNonce } from './signature-rules.ts';
import { isSignedBy, signCall } from './signature.ts';

const call = {
  method: 'POST',
  host: 'pay.watt.example',
  path: '/internal/wallet/credit',
  timestamp: '1795276800',
  nonce: '0123456789abcdef',
  body: Buffer.from('{"external_id":"E-1"}'),
};

test('is HMAC-SHA256 over six lines', () => {
  // printf 'POST\npay.watt.example\n/internal/wallet/credit\n1795276800\n0123456789abcdef\n%s' $(printf
  // '{"external_id":"E-1"}' | sha256sum | cut -c1-64) | openssl dgst -sha256 -hmac secret-1
  expect(signCall('secret-1', call)).toBe('05bafe0ffc50a7ec607aa4206a5508d97b99dd9cf834bfd196d0cb8750ddc528');
});

test('any of the keys counts, nothing else does', () => {
  const signature = signCall('secret-2', call);
  expect(isSignedBy(['secret-1', 'secret-2'], call, signature)).toBe(true);
  expect(isSignedBy(['secret-1'], call, signature)).toBe(false);
  expect(isSignedBy([], call, signature)).toBe(false);
  for (const wrong of ['', 'x'.repeat(64), signature.toUpperCase(), signature.slice(1)])
    expect(isSignedBy(['secret-2'], call, wrong)).toBe(false);
});

test.each([
  ['method', { method: 'PUT' }],
  ['host', { host: 'pay.joynet.example' }],
  ['path', { path: '/internal/wallet/credit/' }],
  ['timestamp', { timestamp: '1795276801' }],
  ['nonce', { nonce: '0123456789abcdeg' }],
  ['body', { body: Buffer.from('{"external_id":"E-2"}') }],
])('covers the %s', (_name, over) => {
  expect(isSignedBy(['k'], { ...call, ...over }, signCall('k', call))).toBe(false);
});

test.each([
  [0, true],
  [300, true],
  [-300, true],
  [301, false],
  [-301, false],
])('a call of %i seconds ago is fresh: %s', (seconds, isIt) => {
  expect(isFresh('1795276800', (1_795_276_800 + seconds) * 1000)).toBe(isIt);
});

test.each([
  ['', false],
  ['0123456789abcde', false],
  ['0123456789abcdef', true],
  ['x'.repeat(65), false],
  ['0123456789abcde/', false],
])('%j is a nonce: %s', (nonce, isIt) => expect(isNonce(nonce)).toBe(isIt));
