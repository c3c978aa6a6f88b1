import { expect, test } from 'vitest';
import { hasLeftAnotherSite, isAllowedToChange } from './same-origin.ts';

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

test.each([
  ['another site by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }, true],
  ['a sibling host by Fetch Metadata', { 'sec-fetch-site': 'same-site' }, true],
  ['another site, whatever Referer says', { 'sec-fetch-site': 'cross-site', referer: `${origin}/` }, true],
  ['another site by Referer', { referer: 'https://evil.example/page' }, true],
  ['another site by Origin', { origin: 'https://evil.example' }, true],
  ['no page at all by Origin', { origin: 'null' }, true],
  ['another host of the same name', { referer: `${origin}.evil.example/` }, true],
  ['our page by Referer', { referer: `${origin}/home?x=1` }, false],
  ['a typed address', { 'sec-fetch-site': 'none' }, false],
  ['nothing', {}, false],
])('who left %s: %j, %s', (_name, headers, left) => {
  expect(hasLeftAnotherSite(headers, origin)).toBe(left);
});
