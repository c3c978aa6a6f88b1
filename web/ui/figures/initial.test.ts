// The letter of a round mark, whole even where it is made of several code points.
import { expect, test } from 'vitest';
import { initialOf } from './initial.ts';

test.each([
  ['kestrel_07', 'K'],
  [' みなと', 'み'],
  ['👩‍🚀 pilot', '👩‍🚀'],
  ['', ''],
])('the mark of %j is %j', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
