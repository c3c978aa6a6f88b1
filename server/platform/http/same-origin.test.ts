import { expect, test } from 'vitest';
import { isAllowedToChange } from './same-origin.ts';

const json = { 'content-type': 'application/json; charset=utf-8', 'x-refill': '1' };
const origin = 'https://pay.watt.example';

test.each([
  ['same origin by Fetch Metadata', { ...json, 'sec-fetch-site': 'same-origin' }, true],
  ['same origin by Origin', { ...json, origin }, true],
  ['no header of ours', { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }, false],
  ['a form', { ...json, 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' }, false],
  ['another site, whatever Origin says', { ...json, 'sec-fetch-site': 'cross-site', origin }, false],
  ['a sibling host', { ...json, 'sec-fetch-site': 'same-site' }, false],
  ['typed address', { ...json, 'sec-fetch-site': 'none' }, false],
  ['wrong Origin', { ...json, origin: 'https://pay.watt.example.evil.test' }, false],
  ['neither', json, false],
])('%s', (_name, headers, allowed) => {
  expect(isAllowedToChange(headers, origin)).toBe(allowed);
});
