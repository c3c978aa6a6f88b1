// The built storefront uses nothing that one of the oldest browsers lacks, but for what is known to break nothing.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildIfStale } from '#scripts/build.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { findInScript } from './find-in-scripts.ts';
import { findInStyles } from './find-in-styles.ts';
import { KNOWN_CALLS, KNOWN_STYLES } from './known.ts';
import { OLDEST } from './oldest.ts';

const namesOf = (found: { name: string }[]) => found.map(({ name }) => name);

test.each([
  ['const a = Map.groupBy(list, by)', ['Map.groupBy']],
  ['AbortSignal.any([a, b])', ['AbortSignal.any']],
  ['window.URL.canParse(text)', ['URL.canParse']],
  ['const { promise } = Promise.withResolvers()', ['Promise.withResolvers']],
  ['one.union(other)', ['.union']],
  ['node.showPopover()', ['.showPopover']],
  ['node.addEventListener("scrollend", end)', ['.scrollend_event']],
  ['new Intl.DurationFormat("en")', ['Intl.DurationFormat']],
  ['requestIdleCallback(work)', ['requestIdleCallback']],
  // Asked first, or had by all of them.
  ['if (typeof requestIdleCallback === "function") go()', []],
  ['node.showPopover?.()', []],
  ['list.toSorted().at(-1); structuredClone(list); AbortSignal.timeout(5)', []],
  ['const x = { groupBy: 1, union: 2 }; x.popover', []],
])('of %s it finds %j', (code, names) => {
  expect(namesOf(findInScript(code))).toEqual(names);
});

test.each(['/[a--b]/v', 'import x from "x" with { type: "json" }', '{ using file = open() }'])(
  'the syntax of %s is too new',
  (code) => {
    expect(() => findInScript(code)).toThrow(SyntaxError);
  },
);

test.each([
  ['a { color: light-dark(#fff, #000) }', ['light-dark()']],
  ['a { --spring: linear(0, 1) }', ['linear()']],
  ['a { color: oklch(from red l c h) }', ['oklch(from)']],
  ['a:has(b) { color: red }', [':has']],
  ['@starting-style { a { color: red } }', ['@starting-style']],
  ['@property --x { syntax: "*"; inherits: false }', ['@property']],
  ['a { field-sizing: content }', ['field-sizing', 'field-sizing: content']],
  ['a { mask-image: none }', ['mask-image']],
  ['a { color: red; color: light-dark(#fff, #000) }', []],
  // Read too late: the browser has forgotten the value before.
  ['a { color: red; color: oklch(from var(--x) l c h) }', ['oklch(from)']],
  ['a { -webkit-mask-image: none; mask-image: none }', []],
  ['@supports (color: light-dark(red, red)) { a { color: light-dark(#fff, #000) } }', []],
  ['a { block-size: 100dvh; color: color-mix(in oklab, red, blue) } @container (width > 1px) { a { gap: 1px } }', []],
])('of %s it finds %j', (text, names) => {
  expect(namesOf(findInStyles(text))).toEqual(names);
});

describe('the built files', () => {
  beforeAll(async () => void (await buildIfStale()), 300_000);

  const findAll = (kind: 'js' | 'css', find: (text: string) => { name: string; lacking: string[] }[]) => {
    const folder = join(projectRoot, 'web', 'dist', 'assets');
    const files = globSync(`*.${kind}`, { cwd: folder });
    expect(files.length).toBeGreaterThan(10);
    const found = files.flatMap((file) => namesOf(find(readFileSync(join(folder, file), 'utf8'))));
    return [...new Set(found)].toSorted();
  };

  test('call nothing else', () => {
    expect(findAll('js', findInScript)).toEqual(Object.keys(KNOWN_CALLS).toSorted());
  });

  test('style nothing else', () => {
    expect(findAll('css', findInStyles)).toEqual(Object.keys(KNOWN_STYLES).toSorted());
  });
});

test('the page for operators names them', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'browsers.md'), 'utf8');
  for (const name of [`iOS ${OLDEST.safari_ios}`, `Safari ${OLDEST.safari}`, `Chrome ${OLDEST.chrome}`])
    expect(page).toContain(name);
  expect(page).toContain(`WebView ${OLDEST.webview_android}`);
  expect(page).toContain(`Firefox ${OLDEST.firefox}`);
});
