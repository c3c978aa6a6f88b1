import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LANGUAGES } from '#kernel/languages.ts';
import { loadTexts } from '#server/platform/texts.ts';
import { checkCatalogues, compileCatalogues, readCatalogues } from './messages.ts';
import { projectRoot } from './run-tool.ts';
import { countUntranslated, listUntranslated, readUntranslated, writeUntranslated } from './untranslated.ts';

/** The shipped catalogues in a folder of their own, with one new English text. */
async function addText(key: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refill-messages-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(projectRoot, 'messages'), folder, { recursive: true });
  const en = JSON.parse(await readFile(join(folder, 'en.json'), 'utf8')) as object;
  await writeFile(join(folder, 'en.json'), JSON.stringify({ ...en, [key]: text }));
  return folder;
}

test('a new text is missing in all other languages until it is marked, and then counted and shown in English', async () => {
  const folder = await addText('login.extra', 'Brand new {name}');
  const catalogues = await readCatalogues(folder);
  const already = Object.keys(await readUntranslated(folder)).length;
  expect(checkCatalogues(catalogues, await readUntranslated(folder))).toHaveLength(LANGUAGES.length - 1);

  await writeUntranslated(listUntranslated(catalogues), folder);
  const untranslated = await readUntranslated(folder);
  expect(untranslated['login.extra']).toEqual(LANGUAGES.filter((language) => language !== 'en'));
  expect(Object.keys(untranslated)).toHaveLength(already + 1);
  // The list lies among the languages and is none.
  expect(checkCatalogues(await readCatalogues(folder), untranslated)).toEqual([]);
  expect(countUntranslated({ 'login.extra': ['de', 'ja'] })).toBe(
    '1 text is not translated yet (2 translations; messages/untranslated.json)',
  );

  const out = join(folder, 'out');
  await compileCatalogues(catalogues, out);
  const japanese = (await readdir(out)).find((name) => name.startsWith('ja.')) ?? '';
  const compiled = JSON.parse(await readFile(join(out, japanese), 'utf8')) as Record<string, unknown>;
  expect(compiled['login.extra']).toEqual(['Brand new ', ['name']]);
  expect(loadTexts(new URL(`file://${folder}/`))('ja', 'login.extra')).toBe('Brand new {name}');
});

test('the list holds nothing that is translated, unknown, or said of no language', async () => {
  const catalogues = await readCatalogues();
  const listed = { 'login.none': ['de'], 'how.pay': ['de', 'xx', 'en'], 'how.ready': [] };
  const faults = checkCatalogues(catalogues, listed).map((fault) => fault.replace(/^.*?: /, ''));
  expect(faults).toEqual(
    expect.arrayContaining([
      '"login.none" is not in messages/en.json; take it out',
      '"how.pay" is translated in messages/de.json; take it out',
      '"how.pay" names "xx", which is no other language',
      '"how.pay" names "en", which is no other language',
    ]),
  );
});

test('without anything to list there is no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refill-messages-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeUntranslated({ a: ['de'] }, folder);
  expect(await readFile(join(folder, 'untranslated.json'), 'utf8')).toBe('{\n  "a": ["de"]\n}\n');
  await writeUntranslated({}, folder);
  expect(await readdir(folder)).toEqual([]);
  expect(countUntranslated(await readUntranslated(folder))).toBe(null);
});
