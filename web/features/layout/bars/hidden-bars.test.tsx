// @vitest-environment happy-dom
// When header and navigation step aside. @source specification sections 2 and 9
import { useEffect } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, settle } from '#web/platform/test-page.tsx';
import { shouldHide, watchBars } from './hidden-bars.ts';

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
  useEffect(watchBars, []);
  useEffect(() => {
    drawings += 1;
  });
  return (
    <>
      <header data-bar={isNavigated ? '' : undefined}>
        <a href="/">Start</a>
      </header>
      <p>Words</p>
    </>
  );
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function scrollPageTo(top: number): void {
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(5000);
  vi.stubGlobal('scrollY', top);
  dispatchEvent(new Event('scroll'));
}

const hidden = () => [...document.querySelectorAll('[data-hidden]')].map(({ localName }) => localName);

/** Longer than the moment after which bars turn. */
const turned = () => settle(350);

test('bars hide a moment after the scroll and come back at the top, and nothing is drawn for it', async () => {
  await draw(<Bars isNavigated />);
  const before = drawings;
  scrollPageTo(200);
  scrollPageTo(400);
  // A press that comes right behind the scroll meets a page at rest.
  expect(hidden()).toEqual([]);
  await turned();
  expect(hidden()).toEqual(['header']);
  scrollPageTo(0);
  expect(hidden()).toEqual([]);
  expect(drawings).toBe(before);
});

test('the scroll that brings the code counts', async () => {
  scrollPageTo(400);
  await draw(<Bars isNavigated />);
  await turned();
  expect(hidden()).toEqual(['header']);
});

test('a turn that is taken back at once turns nothing', async () => {
  await draw(<Bars isNavigated />);
  scrollPageTo(200);
  scrollPageTo(400);
  scrollPageTo(390);
  await turned();
  expect(hidden()).toEqual([]);
});

test('hidden bars come back for the focus of the keyboard, not for that of a press', async () => {
  await draw(<Bars isNavigated />);
  scrollPageTo(200);
  scrollPageTo(400);
  await turned();
  const link = document.querySelector('a');
  const isKeyboard = vi.spyOn(Element.prototype, 'matches').mockReturnValue(false);
  link?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  expect(hidden()).toEqual(['header']);
  isKeyboard.mockImplementation((selector) => selector.includes(':focus-visible'));
  link?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  isKeyboard.mockRestore();
  expect(hidden()).toEqual([]);
});

test('a page without navigation keeps its header', async () => {
  await draw(<Bars isNavigated={false} />);
  scrollPageTo(200);
  scrollPageTo(400);
  await turned();
  expect(hidden()).toEqual([]);
});
