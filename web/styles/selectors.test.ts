// Forbids selectors whose answer would be sought again at every change of the page, and faces that a phone would have
// to open beside those it has.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('web/{features,platform,screens,styles,ui}/**/*.css');

test('nothing asks the whole page what is in it: a press would have the style of every element computed anew', () => {
  expect(files.length).toBeGreaterThan(20);
  const rules = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  expect(files.filter((file) => /:root[^\s>+~,{]*:has\(/.test(rules(file)))).toEqual([]);
});

// Measured in docs/benchmarks.md, "choosing a pack".
test('a press on a card has the style of its own few parts computed, and sets nothing moving', () => {
  const cards = files.filter((file) => file.includes('/cards/card.')).map((file) => readFileSync(file, 'utf8'));
  expect(cards.length).toBeGreaterThan(4);
  const rules = cards.join('\n').replaceAll(/\/\*.*?\*\//gs, '');
  expect(rules.match(/\.card[^\s>+~,{]*:has\([^)]*\)[^\s>+~,{]*\s*[\s>+~]\s*[^\s,{][^,{]*/g)).toBeNull();
  expect(rules.match(/(?<=[\s;{])(?:transition|animation)[\w-]*:/g)).toBeNull();
});

// A phone opens each weight in each size by itself, some 2 ms of the first picture: docs/benchmarks.md.
test('three weights do, and the one that a brand gives its display face', () => {
  const weights = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/font(?:-weight)?:\s*([\d.]+|var\([^)]*\))(?=[\s;])/g)].map(
      ([, weight]) => `${weight} in ${file}`,
    ),
  );
  expect(weights.length).toBeGreaterThan(50);
  expect(weights.filter((one) => !/^(400|600|700|var\(--voice-weight\)) /.test(one))).toEqual([]);
});
