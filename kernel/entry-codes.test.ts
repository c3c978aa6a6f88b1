import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeEntryCode, readEntryCode, showEntryCode } from './entry-codes.ts';

test('a code reads back however it is typed', () => {
  const code = makeEntryCode(randomInt);
  expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  expect(readEntryCode(showEntryCode(code))).toBe(code);
});

test.each([
  ['wdjb-mjht', 'WDJBMJHT'],
  [' WDJB MJHT ', 'WDJBMJHT'],
  ['wdjb–mjht', 'WDJBMJHT'],
  ['ＷＤＪＢＭＪＨＴ', 'WDJBMJHT'],
  ['WDJBMJH', null],
  ['WDJBMJHTX', null],
  ['WDJB-MJHA', null],
  ['WDJB-MJH7', null],
  ['', null],
])('%j is %j', (typed, code) => expect(readEntryCode(typed)).toBe(code));
