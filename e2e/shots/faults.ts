// Faults of a screen that need no eye: what stands out of it sideways, text cut off, words broken at the end of a line,
// buttons too small for a thumb, popups whose buttons lie under something, buttons without an edge in the colours of a
// device, pictures that did not come, ids instead of words.
import type { Frame, Page } from '@playwright/test';

/** @source WCAG 2.2, 2.5.8 asks for 24; 44 is what Apple's and our own rules ask for */
const SMALLEST_TARGET = 44;

/** @returns one line a fault, for people to read */
export async function findFaults(page: Page | Frame): Promise<string[]> {
  return page.evaluate((smallest) => {
    const faults = new Set<string>();
    const { innerWidth, innerHeight } = window;
    const sheet = [...document.querySelectorAll<HTMLElement>('[role=dialog],[role=alertdialog]')].findLast(
      (one) => one.checkVisibility() && one.getBoundingClientRect().height > 0,
    );
    const room: HTMLElement = sheet ?? document.body;
    const wordsOf = (element: Element): string =>
      (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 40);
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.vh');
    const tell = (kind: string, element: Element, more = ''): void => {
      const of =
        [...element.classList].find((name) => !name.startsWith('_')) ?? element.className.toString().slice(0, 24);
      faults.add(`${kind}: <${element.tagName.toLowerCase()} ${of}> "${wordsOf(element)}" ${more}`.trim());
    };

    /**
     * Finds a line that ends within a word of letters (names with digits and addresses may), or before a small kana.
     */
    const findBrokenWord = (node: Node): string => {
      const range = document.createRange();
      const topOf = (at: number): number => {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().top;
      };
      const all = [/(?<![\p{L}\p{N}@./_])[\p{Script=Latin}\p{Script=Cyrillic}]{4,}(?![\p{L}\p{N}@./_])/gu];
      all.push(/\p{Script=Hangul}{3,}/gu, /[\u30a0-\u30ff]{3,}/gu);
      const text = node.nodeValue ?? '';
      for (const { 0: word, index } of all.flatMap((one) => [...text.matchAll(one)])) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const { height } = range.getBoundingClientRect();
        const line = range.getClientRects()[0]?.height ?? height;
        if (height < line * 1.5) continue;
        const isKana = /^[\u30a0-\u30ff]/.test(word);
        for (let at = index + 1; at < index + word.length; at += 1) {
          if (topOf(at) < topOf(at - 1) + line / 2) continue;
          const [before, after] = [word.slice(0, at - index), word.slice(at - index)];
          if (!isKana) return `word broken as ${before}|${after}`;
          if (/^[ァィゥェォッャュョヮー]/.test(after)) return `line begins badly in ${before}|${after}`;
        }
      }
      return '';
    };

    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) faults.add(`wider than the screen: ${wide} of ${innerWidth}`);
    if (!sheet && document.querySelectorAll('h1').length !== 1)
      faults.add(`headings of the first level: ${document.querySelectorAll('h1').length}`);

    const walker = document.createTreeWalker(room, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.nodeValue?.trim() ?? '';
      const parent = node.parentElement;
      if (words === '' || !parent || !isShown(parent) || parent.closest('script,style,option,noscript')) continue;
      if (/^[a-z]+(\.[a-z_0-9]+)+$/.test(words)) faults.add(`id instead of words: ${words}`);
      if (/\{\w+\}|undefined|\[object/.test(words)) faults.add(`placeholder left: ${words.slice(0, 60)}`);
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      const broken = findBrokenWord(node);
      if (broken) tell(broken, parent);
      for (let clip: HTMLElement | null = parent; clip; clip = clip.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(clip);
        // A box that scrolls sideways on purpose shows the rest by scrolling.
        if (['auto', 'scroll'].includes(overflowX) && clip.scrollWidth > clip.clientWidth + 1 && clip !== sheet) break;
        // Kept for readers only.
        if (clip.clientWidth <= 2 && overflowX !== 'visible') break;
        const edge =
          clip === document.body ? { left: 0, right: innerWidth, top: 0, bottom: 0 } : clip.getBoundingClientRect();
        const isEnd = clip === document.body || overflowX !== 'visible';
        const isCut = isEnd && (box.left < edge.left - 1 || box.right > edge.right + 1);
        const isLow =
          ['hidden', 'clip'].includes(overflowY) && (box.top < edge.top - 3 || box.bottom > edge.bottom + 3);
        if (isCut || (isLow && clip !== document.body)) {
          tell(isCut ? 'text cut off' : 'text cut off above or below', parent, `by <${clip.className}>`);
          break;
        }
        if (clip === document.body) break;
      }
    }

    for (const target of room.querySelectorAll<HTMLElement>('a[href],button,summary,select,label:has(input),input')) {
      const isInside = target.matches('label :is(input, select), p a');
      if (!isShown(target) || isInside || target.matches(':disabled')) continue;
      const box = target.getBoundingClientRect();
      if (box.width < 2 || (box.width >= smallest - 0.5 && box.height >= smallest - 0.5)) continue;
      tell('small target', target, `${Math.round(box.width)}x${Math.round(box.height)}`);
    }
    for (const target of room.querySelectorAll<HTMLElement>('button,a[href]')) {
      const box = target.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (!isShown(target) || box.width === 0 || y < 0 || y > innerHeight || x < 0 || x > innerWidth) continue;
      const top = document.elementFromPoint(x, y);
      const isOwn = top === target || target.contains(top) || top?.contains(target) === true;
      // A menu that a player opened lies over the page until it is closed.
      if (top?.closest('details[open]')) continue;
      // Content that scrolls under a bar comes out again; at the top of a page and in a popup none should be there.
      const isScrolled = scrollY > 0 || (!sheet && y > innerHeight / 2) || target.closest('[class*=body]') !== null;
      if (!isOwn && top && !isScrolled && !/shield/.test(top.className))
        tell('covered', target, `by <${top.tagName.toLowerCase()} ${top.className}>`);
    }
    const hasEdge = (element: Element): boolean => {
      const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth, textDecorationLine } =
        getComputedStyle(element);
      const isDrawn = (style: string, width: string) => style !== 'none' && parseFloat(width) > 0;
      const isLine = isDrawn(borderTopStyle, borderTopWidth) || isDrawn(outlineStyle, outlineWidth);
      return isLine || textDecorationLine === 'underline';
    };
    if (matchMedia('(forced-colors: active)').matches)
      for (const target of room.querySelectorAll('button,select,summary,[role=tab],textarea,label:has(input)'))
        if (isShown(target) && ![target, ...target.querySelectorAll('*')].some(hasEdge)) tell('no edge', target);
    for (const image of room.querySelectorAll('img'))
      if (isShown(image) && image.complete && image.naturalWidth === 0) faults.add(`picture missing: ${image.src}`);
    return [...faults];
  }, SMALLEST_TARGET);
}
