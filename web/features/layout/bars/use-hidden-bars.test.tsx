// @vitest-environment happy-dom
// When header and navigation step aside. @source specification sections 2 and 9
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '#web/platform/test-page.tsx';
import { shouldHide, useHiddenBars } from './use-hidden-bars.ts';

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

let drawings = 0;

function Bars({ isNavigated }: { isNavigated: boolean }) {
  useHiddenBars();
  drawings += 1;
  return (
    <>
      <header data-bar={isNavigated ? '' : undefined} />
      <p>Words</p>
    </>
  );
}

afterEach(() => vi.restoreAllMocks());

function scrollPageTo(top: number): void {
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(5000);
  vi.stubGlobal('scrollY', top);
  dispatchEvent(new Event('scroll'));
}

const hidden = () => [...document.querySelectorAll('[data-hidden]')].map(({ localName }) => localName);

test('a scroll hides the bars and brings them back, and nothing is drawn for it', async () => {
  await draw(<Bars isNavigated />);
  const before = drawings;
  scrollPageTo(200);
  scrollPageTo(400);
  expect(hidden()).toEqual(['header']);
  scrollPageTo(0);
  expect(hidden()).toEqual([]);
  expect(drawings).toBe(before);
});

test('a page without navigation keeps its header', async () => {
  await draw(<Bars isNavigated={false} />);
  scrollPageTo(200);
  scrollPageTo(400);
  expect(hidden()).toEqual([]);
});
