// Names beside counts that need several forms.
import { expect, test } from 'vitest';
import type { GameFile } from '#contracts/game-file.ts';
import { checkCounted } from './check-counted-rules.ts';

const FORMS = '{n, plural, one {кристалл} few {кристалла} many {кристаллов} other {кристалла}}';
type Gift = { id: string; count: number; name: object };
const game = (unit: object, amounts: readonly number[], gifts: readonly Gift[] = []) =>
  ({
    shelves: [{ key: 'gems', unit }],
    goods: [
      ...amounts.map((amount) => ({ shelf: 'gems', amount })),
      ...gifts.map((gift) => ({ shelf: 'gems', name: { en: 'Pass' }, gifts: [gift] })),
    ],
  }) as unknown as GameFile;

test('one form beside counts of several forms is told once a language, with how many and the first', () => {
  const bonus = (count: number): Gift => ({ id: 'bonus', count, name: { en: 'Bonus', ru: 'бонус' } });
  expect(checkCounted('quest', game({ en: 'Gem', ru: 'кристалл' }, [60, 21], [bonus(5), bonus(1)]))).toEqual([
    {
      level: 'warning',
      file: 'games/quest/game.yaml',
      at: ['shelves', 0, 'unit', 'ru'],
      reason:
        '"кристалл" has one form for all counts, but ru counts 60 and 21 differently (2 such names in this ' +
        'file); write {n, plural, many {...} one {...} few {...} other {...}}',
    },
  ]);
});

test.each([
  ['a plural', { en: 'Gem', ru: FORMS }, [60, 21]],
  ['counts of one form', { en: 'Gem', pl: 'Kryształów', ru: 'кристаллов' }, [60, 300, 1280]],
  ['languages of one or two forms', { en: 'Gem', ja: 'ジェム', de: 'Gem', tr: 'Elmas' }, [1, 60]],
  ['no counts', { en: 'Pass', ru: 'пропуск' }, []],
])('%s needs no word', (_, unit, amounts) => {
  expect(checkCounted('quest', game(unit, amounts))).toEqual([]);
});
