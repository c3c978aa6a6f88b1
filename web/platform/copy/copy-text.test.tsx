// Copying where the browser allows it, and where it does not: a game's frame, an app's view.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { draw, shownText, speak } from '#web/platform/test-page.tsx';
import { copyText } from './copy-text.ts';

speak(english);

const WORDS = { copied: 'Number copied', title: 'Number' };
const NUMBER = '01JZB3V1W2X3Y4Z5';

function setClipboard(clipboard: Partial<Clipboard> | undefined): void {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
}
/** Null while no field has the focus. */
function readSelected(): string | null {
  const held = document.activeElement;
  return held instanceof HTMLInputElement ? held.value.slice(held.selectionStart ?? 0, held.selectionEnd ?? 0) : null;
}
afterEach(() => setClipboard(undefined));

test.each<[string, Partial<Clipboard> | undefined, boolean]>([
  ['is refused', { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }, false],
  ['is absent', undefined, false],
  ['is refused on a touch screen', { writeText: () => Promise.reject(new Error('no')) }, true],
])('where the clipboard %s the text is selected to be copied by hand', async (_, clipboard, isTouch) => {
  await draw(<p>shop</p>);
  const isCoarse = vi
    .spyOn(Object.getPrototypeOf(matchMedia('all')) as MediaQueryList, 'matches', 'get')
    .mockReturnValue(isTouch);
  onTestFinished(() => isCoarse.mockRestore());
  setClipboard(clipboard);
  await copyText(NUMBER, WORDS);
  await expect.poll(readSelected).toBe(NUMBER);
  expect(shownText()).toContain(english['result.copy_by_hand']);
  expect(shownText()).not.toContain(WORDS.copied);
});

// The last one: its toast stays for seconds.
test('a copied text is told', async () => {
  await draw(<p>shop</p>);
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  setClipboard({ writeText });
  await copyText(NUMBER, WORDS);
  expect(writeText).toHaveBeenCalledWith(NUMBER);
  await expect.poll(shownText).toContain(WORDS.copied);
});
