import { expect, test } from 'vitest';
import {
  chooseLanguage,
  listIn,
  readAcceptLanguage,
  readLanguageTag,
  textIn,
  textsToKeep,
  withTranslations,
} from './languages.ts';

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

test.each([
  ['its own', 'th', { en: 'a', th: 'b', de: 'c' }, 'b'],
  ['the other Chinese', 'zh-cn', { en: 'a', 'zh-tw': 'b', de: 'c' }, 'b'],
  ['the other Chinese', 'zh-tw', { en: 'a', 'zh-cn': 'b', de: 'c' }, 'b'],
  ["the brand's first language", 'th', { en: 'a', de: 'c' }, 'c'],
  ["the brand's first language after the other Chinese", 'zh-cn', { en: 'a', de: 'c' }, 'c'],
  ['English at last', 'zh-cn', { en: 'a' }, 'a'],
] as const)('L209 shows a text in %s', (_, language, texts, shown) => {
  expect(textIn(texts, language, 'de')).toBe(shown);
});

test('keeps a name in English and as the player read it', () => {
  const name = { en: '60 Gems', ja: 'ジェム 60個', 'zh-tw': '60 寶石', de: '60 Juwelen' };
  expect(textsToKeep(name, 'ja', 'de')).toEqual({ en: '60 Gems', ja: 'ジェム 60個' });
  // Read in the other Chinese, and in the brand's first language.
  expect(textsToKeep(name, 'zh-cn', 'de')).toEqual({ en: '60 Gems', 'zh-cn': '60 寶石' });
  expect(textsToKeep(name, 'th', 'de')).toEqual({ en: '60 Gems', th: '60 Juwelen' });
  expect(textsToKeep(name, 'en', 'de')).toEqual({ en: '60 Gems' });
});

test('adds the translations of today to a kept name, unless it is another one now or gone', () => {
  const kept = { en: '60 Gems', ja: 'ジェム 60個' };
  const now = { en: '60 Gems', ja: '60ジェム', de: '60 Juwelen' };
  expect(withTranslations(kept, now)).toEqual({ en: '60 Gems', ja: 'ジェム 60個', de: '60 Juwelen' });
  expect(withTranslations(kept, { en: '80 Gems', de: '80 Juwelen' })).toBe(kept);
  expect(withTranslations(kept, undefined)).toBe(kept);
});

test('separates the parts of a list as the language does', () => {
  const gifts = ['+128', '+1'];
  expect(listIn('en', gifts)).toBe('+128, +1');
  expect(listIn('ru', gifts)).toBe('+128, +1');
  expect(listIn('ja', gifts)).toBe('+128、+1');
  expect(listIn('zh-tw', gifts)).toBe('+128、+1');
  expect(listIn('ar', gifts)).toBe('+128، +1');
  expect(listIn('ja', ['+1'])).toBe('+1');
});
