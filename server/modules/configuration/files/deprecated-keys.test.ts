import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeDeprecatedKeys } from './deprecated-keys.ts';
import { readFiles } from './read-files.ts';

const FIXTURE = join(import.meta.dirname, '..', '..', '..', '..', 'testing', 'fixtures', 'configuration');

/** The fixture with lines of the version before on top of two files. */
async function readOld(brandLine: string, gameLine: string) {
  const root = await mkdtemp(join(tmpdir(), 'refill-old-files-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(FIXTURE, root, { recursive: true });
  const lines = { 'brands/alpha/brand.yaml': brandLine, 'games/quest/game.yaml': gameLine };
  for (const [file, line] of Object.entries(lines))
    await writeFile(join(root, file), `${line}\n${await readFile(join(root, file), 'utf8')}`);
  return readFiles(root);
}

test('keys of the version before are left out with a warning that names their line', async () => {
  const read = await readOld('needsRealName: false', 'hasRoleChoice: true');
  expect(read.ok).toBe(true);
  expect(read.warnings.map(({ sentence }) => sentence)).toEqual([
    'brands/alpha/brand.yaml:1: needsRealName: is deprecated since 0.2.0 and gone with 0.3.0; remove the line, ' +
      'or write realName: game or operator where names are checked',
    'games/quest/game.yaml:1: hasRoleChoice: is deprecated since 0.2.0 and gone with 0.3.0; remove the line: it ' +
      'decided nothing',
  ]);
  if (!read.ok) return;
  expect(read.files.brands.get('alpha')).not.toHaveProperty('needsRealName');
  expect(read.files.games.get('quest')).not.toHaveProperty('hasRoleChoice');
});

test('a value that cannot be left out without a loss is refused', async () => {
  const read = await readOld('needsRealName: true', 'hasRoleChoice: false');
  expect(read.ok ? [] : read.faults.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/^brands\/alpha\/brand\.yaml:1: needsRealName: is not known here/),
  ]);
});

test('a key of list entries is left out of each, and told by its place', () => {
  const goods = [{ id: 'a', couponPoints: 3 }, { id: 'b' }, 'no group', { id: 'c', couponPoints: 0 }];
  const taken = takeDeprecatedKeys('game', { goods });
  expect(taken.body).toEqual({ goods: [{ id: 'a' }, { id: 'b' }, 'no group', { id: 'c' }] });
  expect(taken.warnings.map(({ at }) => at)).toEqual([
    ['goods', 0, 'couponPoints'],
    ['goods', 3, 'couponPoints'],
  ]);
  // The text of a file is nobody's to change.
  expect(goods[0]).toHaveProperty('couponPoints');
  for (const odd of [null, undefined, 'text', { goods: 'none' }, []])
    expect(takeDeprecatedKeys('game', odd)).toEqual({ body: odd, warnings: [] });
});
