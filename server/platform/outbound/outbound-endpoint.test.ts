// Addresses and secrets of identity providers: production goes to the official hosts only.
import type { Environment } from '#kernel/environment.ts';
import { describe, expect, test } from 'vitest';
import { readEndpoint, readSecretOf } from './outbound-endpoint.ts';

const official = 'https://id.example/token';
const at = (given: string | undefined, environment: Environment) =>
  readEndpoint(given, { name: 'TOKEN_URL', environment, official, hosts: ['id.example', 'id2.example'] });

describe('an address', () => {
  test.each(['demo', 'live'] as const)('is the official one unless set, %s', (environment) => {
    expect(at(undefined, environment)).toBe(official);
    expect(at('', environment)).toBe(official);
    expect(at('https://id2.example/x', environment)).toBe('https://id2.example/x');
  });

  test('of a simulator is for the sandbox, and plain http for this machine', () => {
    for (const address of ['http://127.0.0.1:8181/t', 'http://localhost:8181/t', 'https://simulator.test/t']) {
      expect(at(address, 'demo')).toBe(address);
      expect(() => at(address, 'live')).toThrow('TOKEN_URL must be https at id.example or id2.example');
    }
    expect(() => at('http://simulator.test/t', 'demo')).toThrow('must be https');
  });

  test.each([
    'http://id.example/t',
    'https://id.example.evil/t',
    'https://id.example@evil.test/t',
    'ftp://id.example/t',
    'id.example',
    'https://id.example:444/t',
  ])('%s is refused on the live side', (given) => expect(() => at(given, 'live')).toThrow('TOKEN_URL'));
});

describe('a secret', () => {
  test('is the app’s own, else everybody’s, else none', () => {
    const secrets = 'a.apps=one=1\n b = two ,c=';
    expect(readSecretOf('a.apps', 'all', secrets)).toBe('one=1');
    expect(readSecretOf('b', 'all', secrets)).toBe('two');
    expect(readSecretOf('d', 'all', secrets)).toBe('all');
    expect(readSecretOf('d', undefined, secrets)).toBeNull();
    // Named without a value: off, and not everybody's.
    expect(readSecretOf('c', 'all', secrets)).toBeNull();
  });
});
