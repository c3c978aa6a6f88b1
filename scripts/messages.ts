// Compiles messages/<lang>.json for the page: one hashed file a language, and the types of
// every message and its values.
// Run by itself it writes them; with --check it only says what is missing or wrong; with --mark it lists what is
// missing in messages/untranslated.json (`npm run messages -- --mark`).
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { isLanguage, type Language, LANGUAGES } from '#kernel/languages.ts';
import { findTextFault, readParams } from '#server/platform/message-values.ts';
import { projectRoot } from './run-tool.ts';
import { answerHelp } from './usage.ts';
import {
  UNTRANSLATED,
  type Untranslated,
  checkUntranslated,
  countUntranslated,
  listUntranslated,
  readUntranslated,
  writeUntranslated,
} from './untranslated.ts';

/** en is the source; the others have its keys and placeholders. */
const SOURCE = 'en';

type Texts = Record<string, string>;
/**
 * Compares a language with the source; one sentence for each fault.
 * @param untranslated what may be missing; null: anything, for the page shows the source's text then
 */
export function compareTexts(
  language: string,
  source: Texts,
  texts: Texts,
  untranslated: Untranslated | null,
): string[] {
  const faults: string[] = [];
  for (const [key, text] of Object.entries(texts)) {
    if (!(key in source)) faults.push(`messages/${language}.json: "${key}" is not in messages/${SOURCE}.json`);
    else {
      const reason = findTextFault(source[key] ?? '', text);
      if (reason !== null) faults.push(`messages/${language}.json: "${key}" ${reason}`);
    }
  }
  if (untranslated) {
    const missing = Object.keys(source).filter((key) => !(key in texts) && !untranslated[key]?.includes(language));
    faults.push(...missing.map((key) => `messages/${language}.json: "${key}" is missing`));
  }
  return faults;
}

/** The type of every message's values, for the checker. */
export function writeTypes(source: Texts): string {
  const lines = Object.entries(source).map(([key, text]) => {
    const params = [...readParams(compileMessageOrThrow(text))];
    const fields = params.map(([name, kind]) => `${JSON.stringify(name)}: ${typeOf(kind)}`).join('; ');
    return `  ${JSON.stringify(key)}: { ${fields} };`;
  });
  return (
    `// Written by scripts/messages.ts from messages/${SOURCE}.json.\nexport interface MessageParams ` +
    `{\n${lines.join('\n')}\n}\n`
  );
}

function typeOf(kind: 'text' | 'number' | readonly string[]): string {
  if (kind === 'text') return 'string | number';
  return kind === 'number' ? kind : kind.map((one) => JSON.stringify(one)).join(' | ');
}

export type Catalogues = Map<Language, Texts>;

/** All languages that have a file. Throws when the source is not there. */
export async function readCatalogues(folder = join(projectRoot, 'messages')): Promise<Catalogues> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.json') && name !== UNTRANSLATED)
    .map((name) => name.slice(0, -5));
  const stray = names.filter((name) => !isLanguage(name));
  if (stray.length > 0) throw new Error(`messages/${stray[0]}.json is none of the languages: ${LANGUAGES.join(', ')}`);
  const read = async (name: string) =>
    [name as Language, JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Texts] as const;
  return new Map(await Promise.all(names.toSorted().map(read)));
}

/** Lists the faults of the catalogues. */
export function checkCatalogues(catalogues: Catalogues, untranslated: Untranslated | null): string[] {
  const source = catalogues.get(SOURCE) ?? {};
  const faults = [...catalogues].flatMap(([language, texts]) => compareTexts(language, source, texts, untranslated));
  return untranslated ? [...faults, ...checkUntranslated(catalogues, untranslated)] : faults;
}

/** Writes generated/messages.d.ts when it has changed. */
export async function generateTypes(source: Texts): Promise<void> {
  const file = join(projectRoot, 'generated', 'messages.d.ts');
  const text = writeTypes(source);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await mkdir(join(projectRoot, 'generated'), { recursive: true });
  await writeFile(file, text);
}

/**
 * Writes `<out>/<lang>.<hash>.json` for every language, texts that a language lacks taken from the source, and
 * `<out>/index.json`, the map from language to file name.
 */
export async function compileCatalogues(catalogues: Catalogues, out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const source = catalogues.get(SOURCE) ?? {};
  const index: Record<string, string> = {};
  for (const language of LANGUAGES) {
    const texts = { ...source, ...catalogues.get(language) };
    const compiled = Object.entries(texts).map(([key, text]) => [key, compileMessageOrThrow(text)]);
    const json = JSON.stringify(Object.fromEntries(compiled));
    const hash = createHash('sha256').update(json).digest('base64url').slice(0, 8);
    index[language] = `${language}.${hash}.json`;
    await writeFile(join(out, `${language}.${hash}.json`), json);
  }
  await writeFile(join(out, 'index.json'), JSON.stringify(index));
}

if (import.meta.main) {
  answerHelp(`Usage: npm run messages [-- --check | --mark]

Compiles messages/<lang>.json for the page, and the types of every message.
--check  only says what is missing or wrong; exit code 1 then
--mark   lists what languages lack in messages/untranslated.json: shown in English, refused by npm run release`);
  const catalogues = await readCatalogues();
  if (process.argv.includes('--mark')) await writeUntranslated(listUntranslated(catalogues));
  const untranslated = await readUntranslated();
  const faults = checkCatalogues(catalogues, untranslated);
  await generateTypes(catalogues.get(SOURCE) ?? {});
  if (!process.argv.includes('--check') && faults.length === 0) {
    await compileCatalogues(catalogues, join(projectRoot, 'web', 'dist', 'messages'));
  }
  for (const fault of faults) console.error(fault);
  if (faults.some((fault) => fault.endsWith('is missing')))
    console.error('To land the English text first: npm run messages -- --mark.');
  const count = countUntranslated(untranslated);
  if (count) console.log(`note: ${count}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
