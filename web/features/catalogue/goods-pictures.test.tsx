// The first goods of a page come in pictures of their own; a file of its own, for a page has only one first.
import { expect, test } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import { english } from '#testing/english.ts';
import { draw, speak } from '#web/platform/test-page.tsx';
import { GoodsPart } from './GoodsPart.tsx';

speak(english);

const goods = (value: string, isSpecial: boolean): Goods => ({
  value, display: value, description: '', price: '4.99', price_minor: 499, price_shown: '$4.99', list_price_shown: '',
  currency: 'USD', typeKey: 'gems', typeSort: 1, goodsSort: 1, isLimit: false, isCoupon: false, isSpecial,
  couponPoints: 0, art: 'pack-1', tier: 1, amount: 0, flag: '',
}); /* a row of values */ // prettier-ignore
const shelves = [{ typeKey: 'gems', display: 'Gems', unit: 'Crystals', typeSort: 1 }];
const list = [goods('special', true), ...Array.from({ length: 8 }, (_, n) => goods(`p${n}`, false))];

/** Cards in the document at each moment that one came or went, bones and then goods. */
async function watch(): Promise<string[]> {
  await draw(null);
  const seen: string[] = [];
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        if (node.getAttribute('aria-busy') === 'true')
          seen.push(`bones ${node.querySelectorAll('[class*=wide]').length}`);
        else if (node.querySelector('input')) seen.push('goods');
      }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const noRole = null;
  await draw(
    <GoodsPart
      place={{ clientId: '1001', region: 'universal', country: '' }}
      role={noRole}
      selected={null}
      onSelect={() => undefined}
    />,
    { goods: { list, shelves } as never },
  );
  await expect.poll(() => document.querySelectorAll('input').length).toBe(list.length);
  observer.disconnect();
  return seen;
}

test('the first goods follow boxes of the same kinds, a picture after what stands above them', async () => {
  const [first, ...later] = await watch();
  expect(first).toBe('bones 1');
  expect(later).toContain('goods');
});

test('goods of a later screen stand there at once', async () => {
  expect(await watch()).not.toContainEqual(expect.stringMatching(/^bones/));
});
