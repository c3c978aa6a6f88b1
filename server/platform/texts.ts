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
