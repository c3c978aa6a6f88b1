// When header and navigation step aside. @source specification sections 2 and 9
import { expect, test } from 'vitest';
import { shouldHide } from './use-hidden-bars.ts';

const far = 2000;

test.each([
  ['down past the threshold hides', 300, { top: 400, bottom: far }, false, true],
  ['down near the top does not', 40, { top: 90, bottom: far }, false, false],
  ['up shows again', 400, { top: 350, bottom: far }, true, false],
  ['the bottom shows again', 1900, { top: 2000, bottom: 0 }, true, false],
  ['no move keeps what is', 400, { top: 400, bottom: far }, true, true],
])('%s', (_name, from, spot, isHidden, expected) => {
  expect(shouldHide(from, spot, isHidden)).toBe(expected);
});
