import { expect, test } from 'vitest';
import { chooseLanguage, readAcceptLanguage, readLanguageTag } from './languages.ts';

test.each([
  ['zh-Hant-HK', 'zh-tw'],
  ['zh-TW', 'zh-tw'],
  ['zh', 'zh-cn'],
  ['pt_BR', 'pt'],
  ['en-US', 'en'],
  ['xx', null],
  ['', null],
])('reads %s', (tag, language) => {
  expect(readLanguageTag(tag)).toBe(language);
});

test('takes the first preference the brand offers, else its first language', () => {
  expect(chooseLanguage(['ja', 'en'], [undefined, 'fr-FR', 'en-GB', 'ja'])).toBe('en');
  expect(chooseLanguage(['ja', 'en'], ['de'])).toBe('ja');
});

test('orders Accept-Language by quality and drops what is refused', () => {
  expect(readAcceptLanguage('fr;q=0.5, ja, en;q=0.8, de;q=0')).toEqual(['ja', 'en', 'fr']);
  expect(readAcceptLanguage(undefined)).toEqual([]);
});
