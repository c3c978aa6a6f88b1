// What no style sheet may ask: the answer would be sought again at every change of the page.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('web/{features,platform,screens,styles,ui}/**/*.css');

test('nothing asks the whole page what is in it: a press would have the style of every element computed anew', () => {
  expect(files.length).toBeGreaterThan(20);
  const rules = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  expect(files.filter((file) => /:root[^\s>+~,{]*:has\(/.test(rules(file)))).toEqual([]);
});
