// Missing texts go out as a table and come back into the files, with everything else left as it was.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '#cli/test-run.ts';

const fixture = join(import.meta.dirname, '..', 'testing', 'fixtures', 'configuration');
const GAME = 'games/quest/game.yaml';
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-texts-'));
  await cp(fixture, root, { recursive: true });
  const game = join(root, GAME);
  await writeFile(game, (await readFile(game, 'utf8')).replace(', de: Wochenpaket', ''));
});
afterEach(() => rm(root, { recursive: true }));

const texts = (...args: string[]) => runCommand(['texts', ...args, '--shop', root], {});
async function importText(text: string) {
  await writeFile(join(root, 'texts.csv'), text);
  return texts('import', join(root, 'texts.csv'));
}
const HEAD = 'file,path,language,english,text';

test('what was exported and filled in is in the files, and is missing no more', async () => {
  const { out } = await texts('export', '--language', 'de');
  const [head, ...lines] = out.trimEnd().split('\n');
  expect(head).toBe(HEAD);
  const line = lines.find((one) => one.includes('goods[quest_week].name'));
  expect(line).toBe(`${GAME},goods[quest_week].name,de,Weekly pack,`);
  const before = await readFile(join(root, GAME), 'utf8');
  const imported = await importText(`${HEAD}\n${line}Wochenpaket für alle\n`);
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining(`1 texts are in ${GAME}`) });
  const after = await readFile(join(root, GAME), 'utf8');
  const isNew = (one: string) => !before.split('\n').includes(one);
  expect(after.split('\n').filter(isNew).join('\n')).toContain('Wochenpaket für alle');
  expect((await texts('export', '--language', 'de')).out).not.toContain('quest_week');
});

test.each([
  ['a text that is not missing', `${HEAD}\n${GAME},goods[quest_60].nosuch,de,x,y\n`, 'texts.csv:2: path: '],
  ['a head without its columns', 'file,text\na,b\n', 'texts.csv:1: path: is missing in the head'],
])('refuses %s and changes nothing', async (_, text, words) => {
  const before = await readFile(join(root, GAME), 'utf8');
  const { code, err } = await importText(text);
  expect(code).toBe(1);
  expect(err).toContain(words);
  expect(await readFile(join(root, GAME), 'utf8')).toBe(before);
});

test('lines without a text are left out', async () => {
  const { out } = await texts('export');
  expect(await importText(out)).toMatchObject({ code: 0, out: 'Nothing was changed.\n' });
});
