// Writes a counted amount with its number: "1,280 Crystals", "21 кристалл". A unit may be an ICU plural over `n`; the
// one place that reads it.
import { showCount } from '#kernel/count.ts';
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Texts } from '#contracts/files.ts';
import { type Language, LANGUAGES, toBcp47 } from '#kernel/languages.ts';

/** These languages do not put the number before the unit. */
const COUNTED: Partial<Record<Language, (count: string, unit: string) => string>> = {
  ja: (count, unit) => `${unit} ${count}個`,
  ko: (count, unit) => `${unit} ${count}개`,
};

/** The form of `text` for a count; a text without a plural is the same for all. */
export function formFor(text: string, count: number, language: Language): string {
  if (!text.includes('{')) return text;
  return write(compile(text), count, language).trim();
}

/** Our choice: more than the units and gifts of all games, and an end for whatever else asks. */
const MAX_COMPILED = 5000;
/** Each order writes the names of its gifts, and compiling one takes longer than all the rest of its input. */
const compiled = new Map<string, CompiledMessage>();
function compile(text: string): CompiledMessage {
  const known = compiled.get(text);
  if (known) return known;
  const message = compileMessageOrThrow(text);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(text, message);
  return message;
}

function write(message: CompiledMessage, count: number, language: Language): string {
  return message
    .map((token) => {
      if (typeof token === 'string') return token;
      const [, , cases] = token;
      if (cases === null || typeof cases !== 'object') return showCount(count);
      const forms = cases as Record<string, CompiledMessage>;
      return write(
        forms[String(count)] ?? forms[rulesOf(language).select(count)] ?? forms['other'] ?? [],
        count,
        language,
      );
    })
    .join('');
}

const rules = new Map<Language, Intl.PluralRules>();
function rulesOf(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(toBcp47(language));
  rules.set(language, known);
  return known;
}

/**
 * Every language that the unit has, with the number: the name of counted goods.
 * @param isLocal each language with its own separators
 */
export function countIn(unit: Texts, count: number, isLocal = false): Texts {
  const written = LANGUAGES.flatMap((language) => {
    const text = unit[language];
    if (text === undefined) return [];
    const form = formFor(text, count, language);
    const shown = showCount(count, isLocal ? language : undefined);
    return [[language, COUNTED[language]?.(shown, form) ?? `${shown} ${form}`]];
  });
  return Object.fromEntries(written) as Texts;
}

/** The forms alone, for a count: what stands under a large number. */
export function formsFor(texts: Texts, count: number): Texts {
  const forms = Object.entries(texts).map(([key, text]) => [key, formFor(text, count, key as Language)]);
  return Object.fromEntries(forms) as Texts;
}

/** Categories that whole numbers have; all repeat within two hundred but those of millions, which nobody buys. */
function categoriesOf(language: Language): Set<string> {
  return new Set(['other', ...Array.from({ length: 201 }, (_, count) => rulesOf(language).select(count))]);
}

/** Says the fault of a unit in a language and the form to write instead; null when the unit is right. */
export function findFormFault(text: string, language: Language): string | null {
  if (!/[{}]/.test(text)) return null;
  const wanted = [...categoriesOf(language)];
  const remedy = `write {n, plural, ${wanted.map((name) => `${name} {...}`).join(' ')}}`;
  let message: CompiledMessage;
  try {
    message = compileMessageOrThrow(text);
  } catch {
    return `"${text}" is no ICU message; ${remedy}`;
  }
  for (const token of message) {
    if (typeof token === 'string') continue;
    const [name, kind, cases] = token;
    if (name !== 'n' || kind !== 'plural' || cases === null || typeof cases !== 'object')
      return `"${text}" asks for something else than the plural of n; ${remedy}`;
    const has = Object.keys(cases).filter((key) => key !== 'offset' && !/^\d+$/.test(key));
    const lacks = wanted.filter((category) => !has.includes(category));
    if (lacks.length > 0) return `lacks the form "${lacks.join('", "')}" of ${language}; ${remedy}`;
    const strange = has.find(
      (category) =>
        !new Intl.PluralRules(toBcp47(language)).resolvedOptions().pluralCategories.includes(category as never),
    );
    if (strange !== undefined) return `${language} has no form "${strange}"; ${remedy}`;
  }
  return null;
}
