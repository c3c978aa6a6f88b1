// Documents name files and commands that there are.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  ...globSync(
    [
      '*.md',
      'docs/*.md',
      'docs/decisions/*.md',
      'docs/providers/*.md',
      'docs/walks/*.md',
      'docs/reference/README.md',
      '.github/**/*.md',
    ],
    { cwd: root },
  ),
];
// The changelog speaks of earlier versions, not of this tree.
const living = pages.filter((path) => path !== 'CHANGELOG.md');

const FOLDERS =
  'kernel|contracts|server|web|simulators|cli|scripts|deploy|testing|e2e|bench|chaos|messages|migrations|docs|schemas|ports|brands|games|channels|\\.ci|\\.github';
/** A path of the checkout in backquotes; with a place holder, a star or a brace it is a pattern, and names no file. */
const PATH = new RegExp(`\`((?:${FOLDERS})/[^\`\\s]*)\``, 'g');
/** Written while the shop or the project runs, or by somebody who follows the page: the names that walks give. */
const MADE =
  /\b(?:my-shop|my-game|bigbank)\b|^(?:web\/dist|docs\/samples\/.*node_modules|messages\/untranslated\.json$)/;

function pathsIn(text: string): string[] {
  return [...text.matchAll(PATH)]
    .map(([, path = '']) => path.replace(/:\d+$/, '').replace(/[.,]$/, ''))
    .filter((path) => !/[<>*{}$]|\.\.\./.test(path) && !MADE.test(path));
}

/** Decisions tell what was so on their day. */
test.each(living.filter((path) => !path.startsWith('docs/decisions/')))('%s names paths that there are', (page) => {
  expect(pathsIn(read(page)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(pages)('%s links to files that there are', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const ours = links.filter((link) => !/^[a-z]+:/.test(link));
  const missing = ours.filter((link) => !existsSync(join(root, normalize(join(dirname(page), link)))));
  expect(missing).toEqual([]);
});

test('commands of the documents are scripts of package.json', () => {
  // Some pages are read in a shop's own folder, which has scripts too.
  const scripts = ['package.json', 'cli/templates/shop/package.json.template'].flatMap((path) =>
    Object.keys((JSON.parse(read(path)) as { scripts: object }).scripts),
  );
  const named = living.flatMap((page) =>
    [...read(page).matchAll(/npm run ([a-z][a-z0-9-]*)/g)].map(([, name = '']) => ({ page, name })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !scripts.includes(name))).toEqual([]);
});

test('a path that is not there would be seen', () => {
  expect(pathsIn('see `server/none.ts` and `server/modules/<noun>/store.ts`, `web/dist/a.js`')).toEqual([
    'server/none.ts',
  ]);
});

test('owners of the code are asked for paths that there are', () => {
  const lines = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const paths = lines.map((line) => line.split(/\s+/)[0] ?? '').filter((path) => path !== '*');
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !path.startsWith('/') || !existsSync(join(root, path)))).toEqual([]);
});

/** As GitHub makes an anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set([...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));

test.each(living)('%s links to headings that there are', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s:]*\.md)?#([^)\s]+)\)/g)];
  const missing = links.filter(([, path, anchor = '']) => {
    const target = path === undefined ? page : normalize(join(dirname(page), path));
    return existsSync(join(root, target)) && !anchorsOf(target).has(anchor);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

test('programs name pages and headings that there are', () => {
  const sources = globSync(
    '{kernel,contracts,server,web,cli,scripts,simulators,deploy}/**/*.{ts,tsx,mjs,sql,yml,template}',
    {
      cwd: root,
    },
  ).filter((path) => !path.endsWith('.test.ts'));
  const named = sources.flatMap((path) =>
    [...read(path).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([whole, page = '', anchor]) => ({
      path,
      whole,
      isThere: existsSync(join(root, page)) && (anchor === undefined || anchorsOf(page).has(anchor)),
    })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ isThere }) => !isThere)).toEqual([]);
});
