import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeCardInfo, encodeCardInfo } from '#contracts/card-info.ts';
import { cardInfo } from '#testing/cards.ts';
import { hashCard, hashCardPassword, normaliseCardText, readCardInfo } from './card-secret.ts';

test('a password is stored as HMAC-SHA256 under the pepper', () => {
  // Computed with openssl dgst -sha256 -hmac pepper-test.
  expect(hashCardPassword('pepper-test', 'ABCD2345EFGH')).toBe(
    '3a1723e7d2fc60941b462d905bcba29e0bff13444a86f3b80c3ed056a9399af1',
  );
  expect(hashCardPassword('another', 'ABCD2345EFGH')).not.toBe(hashCardPassword('pepper-test', 'ABCD2345EFGH'));
});

test('card_info is what the specification says', () => {
  const text = cardInfo('ABCD2345EFGH', '72946150');
  const hash = createHash('sha256').update('ABCD2345EFGH:72946150').digest('hex');
  expect(JSON.parse(atob(text))).toEqual({ card_id: 'ABCD2345EFGH', card_password: '72946150', hash });
  expect(decodeCardInfo(text)).toEqual({ cardId: 'ABCD2345EFGH', cardPassword: '72946150', hash });
});

test('number and password mean the same however they are typed', () => {
  const typed = hashCard('p', ' abcd-2345 efgh ', 'wxyz-2345-wxyz');
  expect(typed).toEqual(hashCard('p', 'ABCD2345EFGH', 'WXYZ2345WXYZ'));
  expect(normaliseCardText('ａｂ－12')).toBe('AB12');
  expect(typed.cardKey).not.toContain('ABCD');
});

test.each([
  ['no base64', '%%%%'],
  ['no JSON', btoa('card')],
  ['no object', btoa('[]')],
  ['null', btoa('null')],
  ['a part missing', btoa('{"card_id":"A","card_password":"B"}')],
  ['a number instead of text', btoa('{"card_id":1,"card_password":"B","hash":"C"}')],
  ['an empty field', encodeCardInfo('', 'B', 'C')],
  ['a field that is too long', encodeCardInfo('A'.repeat(81), 'B', 'C')],
  ['a NUL', encodeCardInfo('A\0', 'B', 'C')],
])('%s is no card_info', (_name, text) => {
  expect(decodeCardInfo(text)).toBeNull();
  expect(readCardInfo('p', text)).toBeNull();
});

test.each([
  ['one character of the number', (info: string) => JSON.parse(atob(info)).card_password],
  ['another hash', () => '72946151'],
])('a wrong sum is found: %s', (_name, password) => {
  const good = cardInfo('ABCD2345EFGH', '72946150');
  const parts = JSON.parse(atob(good)) as { hash: string };
  expect(readCardInfo('p', encodeCardInfo('ABCD2345EFGJ', password(good), parts.hash))).toBeNull();
  expect(readCardInfo('p', good)).toEqual(hashCard('p', 'ABCD2345EFGH', '72946150'));
});
