import { expect, test } from 'vitest';
import { decodeUtf8 } from './utf8.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

test.each([
  ['plain', bytes('a\nü 日本\n'), 'a\nü 日本\n'],
  ['a byte order mark', bytes([0xef, 0xbb, 0xbf], 'a;b'), '\ufeffa;b'],
  ['nothing', bytes(), ''],
])('reads %s', (_, given, text) => {
  expect(decodeUtf8(given)).toBe(text);
});

test.each([
  ['Windows-1252 in line 2', bytes('id,name\na,P', [0xe9], 'pite\n'), 2, 'not UTF-8'],
  ['Shift_JIS in the last line', bytes('id\n\n', [0x83, 0x8c, 0x83, 0x78]), 3, 'not UTF-8'],
  ['UTF-16 of a spreadsheet', Buffer.from('\ufeffproduct_id\tname', 'utf16le'), 1, 'UTF-16'],
  ['half a character at the end', bytes('a\nb', [0xe3, 0x81]), 2, 'not UTF-8'],
])('refuses %s', (_, given, line, words) => {
  expect(decodeUtf8(given)).toEqual({ line, reason: expect.stringContaining(words) });
});
