// Tests the value of a pack, the step to the next one, an open box, and the goods that a returning player may buy
// again.
import { expect, test, vi } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import { english } from '#testing/english.ts';
import { draw, press, shownText, speak } from '#web/platform/test-page.tsx';
import { AgainRow } from '#web/features/catalogue/again/AgainRow.tsx';
import { GoodsShelves, type GoodsShelvesProps } from '#web/features/catalogue/GoodsShelves.tsx';

speak(english);

const make = (value: string, changes: Partial<Goods> = {}): Goods => ({
  value, display: value, description: '', price: '0.99', price_minor: 99, price_shown: '$0.99', list_price_shown: '', currency: 'USD',
  typeKey: 'gems', typeSort: 1, goodsSort: 1, isLimit: false, isCoupon: false, isSpecial: false, couponPoints: 0, art: 'pack-1', tier: 1,
  amount: 0, flag: '', ...changes,
}); /* a row a line */ // prettier-ignore
const shelves = [{ typeKey: 'gems', display: 'Gems', unit: 'Crystals', typeSort: 1 }];
const small = make('small', {
  amount: 60,
  offer: {
    total: 60,
    per_shown: '$1.65',
    first_per_shown: '',
    per_count: 100,
    more_percent: 0,
    share_percent: 74,
    next_shown: '$4.00',
    next_count: 280,
  },
});
const large = make('large', {
  amount: 320,
  offer: {
    total: 340,
    per_shown: '$1.47',
    first_per_shown: '$0.78',
    per_count: 100,
    more_percent: 12,
    share_percent: 100,
    next_shown: '',
    next_count: 0,
  },
});

const show = (list: Goods[], selected: string | null, more: Partial<GoodsShelvesProps> = {}) =>
  draw(
    <GoodsShelves
      {...more}
      shelves={shelves}
      goods={list}
      gifts={[]}
      limits={[]}
      selected={selected}
      onSelect={vi.fn<() => void>()}
    />,
  );

test('every pack says its price per hundred; a larger one how much more it gives', async () => {
  await show([small, large], null);
  expect(shownText()).toContain('$1.65 per 100');
  expect(shownText()).toContain('$1.47 per 100');
  expect(shownText()).toContain('12% more');
});

test('with a pack chosen the next larger one says the step to it', async () => {
  await show([small, large], 'small');
  expect(shownText()).toContain('$1.65 per 100');
  expect(shownText()).toContain('280 more for $4.00 extra');
  expect(shownText()).not.toContain('$1.47 per 100');
});

const first = { times: 2, shown: '+320 Crystals' };
const doubled = { ...large, first, flag: 'best_value' };

test('a pack with a bonus to be had says its true price per hundred, and nothing is compared with it', async () => {
  await show([small, doubled], 'small', { firsts: new Set(['large']) });
  expect(shownText()).toContain('$0.78 per 100');
  expect(shownText()).toContain('$1.65 per 100');
  for (const claim of ['12% more', '280 more', 'Best value']) expect(shownText()).not.toContain(claim);
});

test.each([
  ['had before', new Set<string>(), true],
  ['not known yet', null, false],
])('a bonus that is %s leaves the price of the list', async (_name, firsts, isCompared) => {
  await show([small, doubled], null, { firsts });
  expect(shownText()).toContain('$1.47 per 100');
  expect(shownText().includes('12% more')).toBe(isCompared);
  expect(shownText().includes('Best value')).toBe(isCompared);
});

test('a deal says no price per hundred, and nothing is compared with it', async () => {
  const deal = { name: 'Deal', price_shown: '$3.00', was_shown: '$5.00', off_percent: 40, endsAt: 0 };
  await show([small, large], null, { deals: new Map([['large', deal]]) });
  expect(shownText()).not.toContain('$1.47');
  expect(shownText()).not.toContain('12% more');
});

test('a bundle lies open: its parts, what they cost one by one, and the saving', async () => {
  const parts = [
    { name: 'Crystals', count: 1000, worth_shown: '$13.50' },
    { name: 'Banner', count: 1, worth_shown: '' },
  ];
  await show([make('chest', { isSpecial: true, bundle: { parts, worth_shown: '$21.48', off_percent: 30 } })], null);
  for (const words of ['1,000', '$13.50', 'Banner', '$21.48 one by one · you save 30%'])
    expect(shownText()).toContain(words);
});

test('one press on the last purchase begins to pay it', async () => {
  const onPay = vi.fn<(goods: Goods) => void>();
  await draw(<AgainRow suggestions={[{ goods: large, reason: 'last' }]} method="PayPal" onPay={onPay} />);
  expect(shownText()).toContain('large');
  await press('Pay $0.99 with PayPal');
  expect(onPay).toHaveBeenCalledWith(large);
});
