// The server's own sentences: every code has one, in English at least, and a missing one is a bug.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { CODES } from '#contracts/errors.ts';
import { LANGUAGES } from '#kernel/languages.ts';
import { loadTexts, waitText, withOwnTexts } from './texts.ts';

test('every code that is not success has a sentence', () => {
  const texts = loadTexts();
  const codes = Object.values(CODES).filter(({ text }) => text !== CODES.success.text);
  expect(codes.map(({ text }) => texts('en', text)).filter((sentence) => sentence.trim() === '')).toEqual([]);
});

async function folderWith(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'refill-texts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

test('a language that lacks a sentence speaks English, a key nobody has throws', async () => {
  const texts = loadTexts(await folderWith({ 'en.json': '{"a":"one","b":"two"}', 'ja.json': '{"a":"いち"}' }));
  expect([texts('ja', 'a'), texts('ja', 'b'), texts('ko', 'a')]).toEqual(['いち', 'two', 'one']);
  expect(() => texts('en', 'c')).toThrow('"c"');
});

test('without English, or with a broken file, the shop does not start', async () => {
  const noEnglish = await folderWith({ 'ja.json': '{}' });
  expect(() => loadTexts(noEnglish)).toThrow('ENOENT');
  const broken = await folderWith({ 'en.json': '{}', 'ja.json': '{' });
  expect(() => loadTexts(broken)).toThrow('JSON');
});

test.each([
  [undefined, 'in 1 min'],
  [1, 'in 1 min'],
  [60, 'in 1 min'],
  [61, 'in 2 min'],
  [900, 'in 15 min'],
  [5400, 'in 90 min'],
  [5401, 'in 2 h'],
  [86_400, 'in 24 h'],
])('L204 a wait of %s seconds is told in minutes or hours', (seconds, words) => {
  const texts = loadTexts();
  expect(waitText(texts, 'en', seconds)).toContain(words);
  for (const language of LANGUAGES) expect(waitText(texts, language, seconds)).toMatch(/^[^{}]*\d[^{}]*$/);
});

test("says a shop's own words first, as they are when it is asked", () => {
  let own: Parameters<typeof withOwnTexts>[1] = () => ({});
  const texts = withOwnTexts(
    (language, key) => `${language} ${key}`,
    () => own(),
  );
  expect(texts('de', 'a')).toBe('de a');
  own = () => ({ de: { a: 'mine' } });
  expect([texts('de', 'a'), texts('de', 'b'), texts('en', 'a')]).toEqual(['mine', 'de b', 'en a']);
});
