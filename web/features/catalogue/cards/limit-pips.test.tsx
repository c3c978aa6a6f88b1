// The dots beside "3 left per 7 days": what is filled can still be had.
import { expect, test } from 'vitest';
import { draw } from '#web/platform/test-page.tsx';
import { LimitPips } from './LimitPips.tsx';

test.each([
  [3, [true, true, true]],
  [1, [true, false, false]],
])('%d of 3 left are as many filled dots', async (left, filled) => {
  await draw(<LimitPips limit={{ kind: 'open', scope: 'week', times: 3, left } as never} />);
  expect([...document.querySelectorAll('i')].map((dot) => dot.hasAttribute('data-left'))).toEqual(filled);
});
