// Finds names that have one form beside counts that need several: "21 кристаллов". Pure.
import type { GameFile } from '#contracts/game-file.ts';
import type { Texts } from '#contracts/files.ts';
import { type Language, LANGUAGES, toBcp47 } from '#kernel/languages.ts';
import type { FieldPath, Finding } from './finding-types.ts';

/** Whole numbers up to this show every form of a language, but those of millions. */
const HIGHEST = 200;
/** Languages with one or two forms write many names alike beside every count: ja, tr, and loanwords of de. */
const FEW_FORMS = 2;

type Counted = { readonly at: FieldPath; readonly text: string; readonly counts: readonly number[] };

/** Warns once for each language, with the number of such names and the first of them. */
export function checkCounted(id: string, game: GameFile): Finding[] {
  return LANGUAGES.flatMap((language): Finding[] => {
    const rules = new Intl.PluralRules(toBcp47(language));
    const forms = [...new Set(Array.from({ length: HIGHEST + 1 }, (_, count) => rules.select(count)))];
    if (forms.length <= FEW_FORMS) return [];
    const lacking = listCounted(game, language).flatMap(({ at, text, counts }) => {
      const examples = [...Map.groupBy(counts, (count) => rules.select(count)).values()].map(([first]) => first);
      return text.includes('{') || examples.length < 2 ? [] : [{ at, text, examples }];
    });
    const [first] = lacking;
    if (!first) return [];
    const others = lacking.length === 1 ? '' : ` (${lacking.length} such names in this file)`;
    const needed = new Set([...forms, 'other']);
    const reason =
      `"${first.text}" has one form for all counts, but ${language} counts ${first.examples.join(' and ')} ` +
      `differently${others}; write {n, plural, ${[...needed].map((form) => `${form} {...}`).join(' ')}}`;
    return [{ level: 'warning', file: `games/${id}/game.yaml`, at: first.at, reason }];
  });
}

/** Lists units of shelves with the amounts on them, and gifts with all their counts. */
function listCounted(game: GameFile, language: Language): Counted[] {
  const units = game.shelves.flatMap(({ key, unit }, index) =>
    textOf(unit, language, ['shelves', index, 'unit'], (at, text) => ({
      at,
      text,
      counts: game.goods.flatMap(({ shelf, amount, name }) => (shelf === key && !name && amount ? [amount] : [])),
    })),
  );
  const gifts = game.goods.flatMap((product, index) =>
    (product.gifts ?? []).flatMap(({ id, name, count }, place) =>
      textOf(name, language, ['goods', index, 'gifts', place, 'name'], (at, text) => ({ id, at, text, count })),
    ),
  );
  const sameGifts = [...Map.groupBy(gifts, ({ id, text }) => `${id} ${text}`).values()].flatMap((same) =>
    same.slice(0, 1).map(({ at, text }) => ({ at, text, counts: same.map(({ count }) => count) })),
  );
  return [...units, ...sameGifts];
}

function textOf<Result>(
  texts: Texts,
  language: Language,
  at: FieldPath,
  make: (at: FieldPath, text: string) => Result,
): Result[] {
  const text = texts[language];
  return text === undefined ? [] : [make([...at, language], text)];
}
