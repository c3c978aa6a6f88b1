// A product's own picture in its sizes, and the drawing where it has none.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import { english } from '#testing/english.ts';
import { draw, press, shownText, speak } from '#web/platform/test-page.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { BestOffer } from '#web/features/catalogue/offers/BestOffer.tsx';
import { GoodsShelves } from '#web/features/catalogue/GoodsShelves.tsx';

speak(english);

function element(selector: string): Element {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

const picture = {
  avif: '/pictures/a.avif 240w, /pictures/b.avif 480w',
  webp: '/pictures/c.webp 240w, /pictures/d.webp 480w',
  width: 480,
  height: 360,
  color: '#c83a20',
  is_opaque: false,
};

test('names every size, keeps its box, and waits until it is in view', async () => {
  await draw(<Picture picture={picture} art="pack-1" />);
  expect([...document.querySelectorAll('source')].map((one) => [one.type, one.getAttribute('srcset')])).toEqual([
    ['image/avif', picture.avif],
    ['image/webp', picture.webp],
  ]);
  const image = element('img');
  expect(image.getAttribute('src')).toBe('/pictures/c.webp');
  expect([image.getAttribute('width'), image.getAttribute('height'), image.getAttribute('alt')]).toEqual([
    '480',
    '360',
    '',
  ]);
  expect(image.getAttribute('loading')).toBe('lazy');
  expect(document.querySelector('svg')).toBeNull();
});

test('in the first screen it is asked for at once', async () => {
  await draw(<Picture picture={picture} isEager />);
  expect(element('img').getAttribute('loading')).toBe('eager');
});

test('without a picture the drawing stands there, without either nothing', async () => {
  await draw(<Picture picture={undefined} art="pack-3" />);
  expect(element('use').getAttribute('href')).toBe('#pack-3');
  await draw(<Picture picture={undefined} />);
  expect(document.querySelector('picture')).toBeNull();
});

const goods = (value: string, more: Partial<Goods> = {}): Goods => ({
  value, display: value, description: '', price: '4.99', price_minor: 499, price_shown: '$4.99', list_price_shown: '',
  currency: 'USD', typeKey: 'gems', typeSort: 1, goodsSort: 1, isLimit: false, isCoupon: false, isSpecial: false,
  couponPoints: 0, art: 'pack-1', tier: 1, amount: 0, flag: '', picture, ...more,
}); /* a row a line */ // prettier-ignore
const shelves = [{ typeKey: 'gems', display: 'Gems', unit: 'Crystals', typeSort: 1 }];
const seven = Array.from({ length: 7 }, (_, index) => goods(`pack${index}`, { goodsSort: index }));

test('cards of the first screen are asked for at once, those below when they come near', async () => {
  await draw(
    <GoodsShelves shelves={shelves} goods={seven} gifts={[]} limits={[]} selected={null} onSelect={() => {}} />,
  );
  const loading = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('loading'));
  const eager = ['eager', 'eager', 'eager', 'eager'];
  await vi.waitFor(() => expect(loading()).toEqual([...eager, 'lazy', 'lazy', 'lazy']));
});

test('the special offer stands before the goods, and behind the first shelf of a split page', async () => {
  const list = [goods('pack'), goods('chest', { isSpecial: true, typeKey: 'packs' })];
  const order = () => [...document.querySelectorAll('input')].map(({ value }) => value);
  const shown = (
    <GoodsShelves shelves={shelves} goods={list} gifts={[]} limits={[]} selected={null} onSelect={() => {}} />
  );
  await draw(shown);
  expect(order()).toEqual(['chest', 'pack']);
  const { brand } = readBoot();
  await draw(shown, { brand: { ...brand, look: { ...brand.look, stage: 'split' } } });
  expect(order()).toEqual(['pack', 'chest']);
});

test('a choice hands on the card whose picture travels into the order', async () => {
  const onSelect = vi.fn<(goods: Goods, card: HTMLElement) => void>();
  await draw(
    <GoodsShelves
      shelves={shelves}
      goods={[goods('pack')]}
      gifts={[]}
      limits={[]}
      selected={null}
      onSelect={onSelect}
    />,
  );
  await press('pack');
  expect(onSelect.mock.calls[0]?.[1]).toBe(document.querySelector('label:has(picture)'));
});

test('the best pack is offered with its price on the button', async () => {
  const onSelect = vi.fn<(goods: Goods) => void>();
  const best = goods('6,880 Crystals', { flag: 'best_value' });
  await draw(<BestOffer goods={best} onSelect={onSelect} />);
  expect(shownText()).toContain('6,880 Crystals');
  await press('$4.99');
  expect(onSelect).toHaveBeenCalledWith(best);
});

const offer = {
  total: 1200, per_shown: '$0.71', first_per_shown: '', per_count: 100, more_percent: 38, share_percent: 100, next_shown: '', next_count: 0,
}; /* a row a line */ // prettier-ignore

test.each([
  ['a pack that is counted', { amount: 1000, offer }],
  ['one that is not', { amount: 0 }],
])('a special names what comes with it: %s', async (_name, more) => {
  const special = goods('special', { isSpecial: true, ...more });
  const gifts = [{ product_id: 'special', name: 'Bonus gems', count: 200 } as never];
  await draw(
    <GoodsShelves shelves={shelves} goods={[special]} gifts={gifts} limits={[]} selected={null} onSelect={() => {}} />,
  );
  expect(shownText()).toContain('+200 Bonus gems');
});

test('no style sheet of the cards hides what comes with the goods', () => {
  const folder = import.meta.dirname;
  const sheets = readdirSync(folder).filter((file) => file.endsWith('.css'));
  expect(sheets).toContain('card.wide.css');
  const hiding = sheets.filter((file) =>
    /\.gift[^{}]*\{[^}]*(display: none|visibility: hidden)/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(hiding).toEqual([]);
});

test('a card has the price of its offer, the price before, and how long it stands', async () => {
  const deal = {
    name: 'Deal of the day',
    price_shown: '$2.79',
    was_shown: '$4.99',
    off_percent: 44,
    endsAt: Date.now() + 7_470_000,
  };
  const deals = new Map([['pack', deal]]);
  const shown = { shelves, goods: [goods('pack')], gifts: [], limits: [], selected: null, onSelect: () => {} };
  await draw(<GoodsShelves {...shown} deals={deals} />);
  for (const words of ['$2.79', 'Before: $4.99', '−44%', 'Deal of the day', 'Ends in 2 h 04 min'])
    expect(shownText()).toContain(words);
});
