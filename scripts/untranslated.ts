// messages/untranslated.json: texts that have landed in English and wait for other languages, key -> languages. Pages
// show the English text meanwhile, `npm run check` counts them, and no version is made while there is one.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES } from '#kernel/languages.ts';
import { projectRoot } from './run-tool.ts';

export type Untranslated = Readonly<Record<string, readonly string[]>>;

export const UNTRANSLATED = 'untranslated.json';
const PATH = `messages/${UNTRANSLATED}`;

type Catalogues = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Empty when there is no such file. */
export async function readUntranslated(folder = join(projectRoot, 'messages')): Promise<Untranslated> {
  const text = await readFile(join(folder, UNTRANSLATED), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Untranslated;
}

/** Checks the list itself: it may hold no key that is translated, or unknown. */
export function checkUntranslated(catalogues: Catalogues, untranslated: Untranslated): string[] {
  const source = catalogues.get('en') ?? {};
  return Object.entries(untranslated).flatMap(([key, languages]) => {
    if (!(key in source)) return [`${PATH}: "${key}" is not in messages/en.json; take it out`];
    if (languages.length === 0) return [`${PATH}: "${key}" names no language; take it out`];
    return languages.flatMap((language) => {
      const texts = catalogues.get(language);
      if (language === 'en' || !texts) return [`${PATH}: "${key}" names "${language}", which is no other language`];
      return key in texts ? [`${PATH}: "${key}" is translated in messages/${language}.json; take it out`] : [];
    });
  });
}

/** Every text that a language lacks. */
export function listUntranslated(catalogues: Catalogues): Untranslated {
  const missing = Object.keys(catalogues.get('en') ?? {}).map((key) => {
    const languages = LANGUAGES.filter((language) => language !== 'en' && !(key in (catalogues.get(language) ?? {})));
    return [key, languages] as const;
  });
  return Object.fromEntries(missing.filter(([, languages]) => languages.length > 0));
}

/** "3 texts are not translated yet (51 translations)", or null. */
export function countUntranslated(untranslated: Untranslated): string | null {
  const keys = Object.keys(untranslated).length;
  if (keys === 0) return null;
  const all = Object.values(untranslated).flat().length;
  const texts = keys === 1 ? '1 text is' : `${keys} texts are`;
  return `${texts} not translated yet (${all} translation${all === 1 ? '' : 's'}; ${PATH})`;
}

/** No file for an empty list. */
export async function writeUntranslated(
  untranslated: Untranslated,
  folder = join(projectRoot, 'messages'),
): Promise<void> {
  const path = join(folder, UNTRANSLATED);
  if (Object.keys(untranslated).length === 0) return rm(path, { force: true });
  // A line for each text: what two people add side by side merges.
  const lines = Object.entries(untranslated).map(
    ([key, languages]) => `  ${JSON.stringify(key)}: ${JSON.stringify(languages).replaceAll(',', ', ')}`,
  );
  await writeFile(path, `{\n${lines.join(',\n')}\n}\n`);
}
