// Every screen and popup that the storefront can load is on the list of pictures, and every picture of the list is
// taken.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#scripts/run-tool.ts';
import { PICTURES } from './shots/pictures.ts';

const LAZY = /lazyPart\(\(\) => import\('[^']+'\)\.then\(\((\w+)\) => \1\.(\w+)\)\)/g;

function filesBelow(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
}
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/**
 * Loaded only in a browser built into another app, or in the view for a game's SDK, which a walk here does not have; or
 * by a player who has not said their age (e2e/japan.e2e.ts).
 */
const ELSEWHERE = ['CopyPopup', 'TipPopup', 'AgePopup', 'FinalPopup'];

test('a picture shows every screen and popup', () => {
  const parts = filesBelow('web')
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .flatMap((path) => [...read(path).matchAll(LAZY)].map((match) => match[2] ?? ''));
  const shown = new Set<string>([...Object.values(PICTURES).flatMap(({ shows }) => shows), ...ELSEWHERE]);
  expect(parts.length).toBeGreaterThan(20);
  // A name here: add a picture to e2e/shots/pictures.ts, and take it in one of the walks.
  expect(parts.filter((name) => !shown.has(name))).toEqual([]);
});

test('every picture of the list is taken in a walk', () => {
  const walks = filesBelow('e2e/shots')
    .filter((path) => /walk.*\.ts$/.test(path))
    .map(read)
    .join('\n');
  const missing = Object.keys(PICTURES).filter(
    (name) => !walks.includes(`take('${name}'`) && !(name.startsWith('14-error-') && walks.includes('take(`14-error-')),
  );
  expect(missing).toEqual([]);
});
