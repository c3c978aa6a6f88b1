// Tests where the server may send a browser: nothing that a browser could read as another host.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toOwnPath } from './own-path.ts';

const ORIGIN = 'https://pay.watt.example';

test.each([
  ['/', '/'],
  ['/my?client_id=7', '/my?client_id=7'],
  ['/a//b', '/a//b'],
  ['/a/../my', '/my'],
  ['//evil.example/x', '/evil.example/x'],
  ['/\\evil.example', '/evil.example'],
  ['/.//evil.example/x', '/evil.example/x'],
  ['/x/..//evil.example/x', '/evil.example/x'],
  ['/%2e//evil.example', '/evil.example'],
  ['/\t/evil.example', '/evil.example'],
  ['/\r\n//evil.example', '/evil.example'],
  ['/%09/evil.example', '/%09/evil.example'],
  ['/%2F/evil.example', '/%2F/evil.example'],
  ['/x?to=\\\\evil', '/x?to=%5C%5Cevil'],
  ['/ü?q=ü#part', '/%C3%BC?q=%C3%BC'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['@evil.example', '/'],
  ['.evil.example', '/'],
  [':80/', '/'],
  ['', '/'],
])('%j leads to %j', (asked, path) => {
  expect(toOwnPath(asked)).toBe(path);
});

/** Resolves a Location against a page's own address, as browsers do. */
const goesTo = (location: string) => new URL(location, `${ORIGIN}/entry`);

test('whatever is asked for, the browser stays on this host, and the path stays the same when it is read again', () => {
  const nasty = fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2F',
    '%5c',
    '@',
    ':',
    '?',
    '#',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u0001',
    ' ',
    'evil.example',
    'https:',
    'x',
    '\u3002',
    '\uff0f',
    '\ud800',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(nasty, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(nasty, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
  );
  fc.assert(
    fc.property(text, (asked) => {
      const path = toOwnPath(asked);
      const there = goesTo(path);
      expect(there.origin).toBe(ORIGIN);
      expect(toOwnPath(path)).toBe(path);
      expect(toOwnPath(there.pathname + there.search)).toBe(path);
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
    }),
    { numRuns: 5000 },
  );
});
