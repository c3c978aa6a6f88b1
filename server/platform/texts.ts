// The server's own sentences in the player's language, out of messages/<lang>.json: what `msg` of an envelope says.
import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from '#kernel/languages.ts';

export type Texts = (language: Language, key: string) => string;

/**
 * Loads every language at start; a key that a language lacks falls back to English, a key
 * nobody has is a bug and throws.
 */
export function loadTexts(folder = new URL('../../messages/', import.meta.url)): Texts {
  const catalogues = new Map<Language, Record<string, string>>();
  for (const language of LANGUAGES) {
    try {
      catalogues.set(
        language,
        JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<string, string>,
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || language === 'en') throw error;
    }
  }
  return (language, key) => {
    const text = catalogues.get(language)?.[key] ?? catalogues.get('en')?.[key];
    if (text === undefined) throw new Error(`messages/en.json has no text "${key}"`);
    return text;
  };
}

/** The same with a shop's own words before them, as they are at the moment of asking. */
export function withOwnTexts(
  texts: Texts,
  own: () => Partial<Readonly<Record<Language, Readonly<Record<string, string>>>>>,
): Texts {
  return (language, key) => own()[language]?.[key] ?? texts(language, key);
}

/** Limits that do not say otherwise are those of a minute. */
const USUAL_WAIT_SECONDS = 60;

/** Longer waits are told in hours. */
const LONGEST_IN_MINUTES = 90;

/**
 * When too many attempts may be followed by another. @source specification section 9: "days, hours,
 * minutes (under 60 s shows as 1 minute)"
 */
export function waitText(texts: Texts, language: Language, seconds = USUAL_WAIT_SECONDS): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes <= LONGEST_IN_MINUTES
    ? texts(language, 'error.too_many_attempts').replace('{minutes}', String(minutes))
    : texts(language, 'error.too_many_attempts_hours').replace('{hours}', String(Math.ceil(minutes / 60)));
}
