// The shipped sizes of pictures: what is stale is named, and what is there is not made again.
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makePictures, sourceOf } from '#server/modules/configuration/pictures/make-pictures.ts';
import type { WantedPicture } from '#server/modules/configuration/pictures/picture-types.ts';
import { findStale } from './pictures.ts';

const GEM: WantedPicture = {
  role: 'currency',
  path: 'games/quest/gem.svg',
  file: 'games/quest/game.yaml',
  at: ['art'],
};
const draw = (colour: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="90" height="90" fill="${colour}"/></svg>`,
  );
const MADE_BY = { code: 'abc', library: '1.0.0' };

async function ship(): Promise<{ root: string; shipped: string; elsewhere: string; source: string }> {
  const root = await mkdtemp(join(tmpdir(), 'refill-shipped-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'games/quest'), { recursive: true });
  await writeFile(join(root, GEM.path), draw('#2040a0'));
  const shipped = join(root, 'shipped');
  await makePictures(root, [GEM], undefined, shipped, shipped);
  await writeFile(join(shipped, 'made-by.json'), JSON.stringify(MADE_BY));
  return { root, shipped, elsewhere: join(root, 'cache'), source: sourceOf(GEM, draw('#2040a0')) };
}

test('finds nothing in what is of today, and makes nothing that is there', async () => {
  const { root, shipped, elsewhere, source } = await ship();
  expect(await findStale(shipped, new Map([[GEM.path, source]]), MADE_BY)).toEqual([]);
  const { lacking } = await makePictures(root, [GEM], undefined, elsewhere, shipped);
  expect(lacking).toHaveLength(4);
  expect(await readdir(elsewhere).catch(() => 'nothing')).toBe('nothing');
});

test('names code, library, picture and file that differ', async () => {
  const { shipped, source } = await ship();
  const find = (now: string, madeBy = MADE_BY) => findStale(shipped, new Map([[GEM.path, now]]), madeBy);
  expect(await find(source, { ...MADE_BY, code: 'abd' })).toEqual([
    'the code that makes sizes has changed since they were made',
  ]);
  expect(await find(source, { ...MADE_BY, library: '1.0.1' })).toEqual([
    'they were made by sharp 1.0.0, and 1.0.1 is here',
  ]);
  const changed = await find(sourceOf(GEM, draw('#c83a20')));
  expect(changed).toContain('games/quest/gem.svg has no sizes, or has changed since they were made');
  expect(changed).toContain(`${source}.json is no size of a picture that a file names`);
  await cp(join(shipped, 'made-by.json'), join(shipped, 'old.avif'));
  expect(await find(source)).toEqual(['old.avif is no size of a picture that a file names']);
  await rm(join(shipped, 'old.avif'));
  const [size = ''] = (await readdir(shipped)).filter((name) => name.endsWith('.avif'));
  await writeFile(join(shipped, size), 'cut');
  expect(await find(source)).toEqual([`${size} of games/quest/gem.svg is missing, or is not what was made`]);
});
