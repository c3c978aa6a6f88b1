import { expect, test } from 'vitest';
import { countIn, findFormFault, formFor } from './counting-types.ts';

const RU = '{n, plural, one {кристалл} few {кристалла} many {кристаллов} other {кристалла}}';
const PL = '{n, plural, one {kryształ} few {kryształy} many {kryształów} other {kryształu}}';
const AR = '{n, plural, zero {بلورة} one {بلورة} two {بلورتان} few {بلورات} many {بلورة} other {بلورة}}';

test.each([
  ['ru', RU, 1, 'кристалл'],
  ['ru', RU, 21, 'кристалл'],
  ['ru', RU, 3, 'кристалла'],
  ['ru', RU, 60, 'кристаллов'],
  ['ru', RU, 1280, 'кристаллов'],
  ['pl', PL, 2, 'kryształy'],
  ['pl', PL, 5, 'kryształów'],
  ['pl', PL, 22, 'kryształy'],
  ['ar', AR, 2, 'بلورتان'],
  ['ar', AR, 5, 'بلورات'],
  ['ar', AR, 60, 'بلورة'],
  ['en', '{n, plural, one {Gem} other {Gems}}', 1, 'Gem'],
  ['en', '{n, plural, one {Gem} other {Gems}}', 60, 'Gems'],
  ['de', 'Lumen', 60, 'Lumen'],
  ['en', '{n, plural, =100 {Hundred} one {Gem} other {Gems}}', 100, 'Hundred'],
] as const)('in %s, %s for %i is %s', (language, text, count, form) => {
  expect(findFormFault(text, language)).toBeNull();
  expect(formFor(text, count, language)).toBe(form);
});

test('names counted goods in every language of their unit, the number where the language has it', () => {
  expect(countIn({ en: 'Gems', ru: RU, ja: 'ジェム', ko: '젬', 'zh-tw': '寶石' }, 1280)).toEqual({
    en: '1,280 Gems',
    ru: '1,280 кристаллов',
    ja: 'ジェム 1,280個',
    ko: '젬 1,280개',
    'zh-tw': '1,280 寶石',
  });
});

test.each([
  ['en', '{n, plural, one {Gem} other {Gems}', 'is no ICU message'],
  ['ru', '{n, plural, one {кристалл} other {кристалла}}', 'lacks the form "many", "few" of ru'],
  ['en', '{n, plural, one {Gem} few {Gems} other {Gems}}', 'en has no form "few"'],
  ['en', '{count, plural, one {Gem} other {Gems}}', 'something else than the plural of n'],
  ['en', '{n} Gems', 'something else than the plural of n'],
] as const)('refuses in %s "%s"', (language, text, reason) => {
  expect(findFormFault(text, language)).toContain(reason);
});
