// The data the server put into the page. Read once, at the first question.
import type { BrandTexts, PageData } from '#contracts/boot.ts';

let data: PageData | null = null;

/** The page's data. Throws when the page was not written by the server: nothing works without it. */
export function readBoot(): PageData {
  data ??= parseBoot();
  return data;
}

/** Puts the brand's words of another language into the data. */
export function changeTexts({ title, hero, regions }: BrandTexts): void {
  const now = readBoot();
  data = { ...now, regions, brand: { ...now.brand, title, hero: { ...now.brand.hero, ...hero } } };
}

/** Puts data in place of the page's own; for tests. */
export function setBoot(next: PageData): void {
  data = next;
}

function parseBoot(): PageData {
  const text = document.getElementById('boot')?.textContent;
  if (!text) throw new Error('the page carries no boot data');
  return JSON.parse(text) as PageData;
}
