// Goods cards in a document: what they say, and when they can be chosen.
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { Goods, LimitProductInfo } from '#contracts/catalogue.ts';
import { english } from '#testing/english.ts';
import { draw, find, press, shownText, speak } from '#web/platform/test-page.tsx';
import { GoodsShelves } from './GoodsShelves.tsx';

speak(english);
afterEach(() => void vi.unstubAllGlobals());

const goods = (value: string, more: Partial<Goods> = {}): Goods => ({
  value,
  display: value,
  description: '',
  price: '4.99',
  price_minor: 499,
  price_shown: '$4.99',
  list_price_shown: '',
  currency: 'USD',
  typeKey: 'gems',
  typeSort: 1,
  goodsSort: 1,
  isLimit: false,
  isCoupon: false,
  isSpecial: false,
  couponPoints: 0,
  art: 'pack-1',
  tier: 1,
  amount: 0,
  flag: '',
  ...more,
});
const shelves = [{ typeKey: 'gems', display: 'Gems', unit: 'Crystals', typeSort: 1 }];
const limit = (product_id: string, more: Partial<LimitProductInfo>): LimitProductInfo => ({
  product_id,
  limit_type: 'time',
  frequency: 3,
  day_info: 7,
  extra_pay_times: 2,
  next_pay_time: 0,
  ...more,
});

test.each([
  ['half bought', {}, [true, true, false]],
  ['not begun', { extra_pay_times: 3 }, [true, true, true]],
  ['of one time', { limit_type: 'role', frequency: 1, extra_pay_times: 1 }, []],
  ['of more than can be counted at a glance', { frequency: 11, extra_pay_times: 3 }, []],
  ['of stock', { limit_type: 'stock', frequency: 5, extra_pay_times: 2 }, []],
] as const)('L204 a limit %s shows a dot for each time, those that are left filled', async (_name, more, dots) => {
  const one = goods('p', { isLimit: true, isSpecial: true });
  await draw(
    <GoodsShelves
      shelves={shelves}
      goods={[one]}
      gifts={[]}
      limits={[limit('p', more)]}
      selected={null}
      onSelect={vi.fn<() => void>()}
    />,
  );
  const shown = [...document.querySelectorAll<HTMLElement>('label i')].map((dot) => dot.dataset.left !== undefined);
  expect(shown).toEqual(dots);
});

test('a card tells amount, bonus, flag, price and what it cost before', async () => {
  const one = goods('p', { amount: 1280, flag: 'best_value', price_shown: '$17.99', list_price_shown: '$19.99' });
  const gifts = [{ product_id: 'p', id: 'g', name: 'Bonus', count: 128 }];
  await draw(
    <GoodsShelves
      shelves={shelves}
      goods={[one]}
      gifts={gifts}
      limits={[]}
      selected={null}
      onSelect={vi.fn<() => void>()}
    />,
  );
  for (const text of ['1,280', 'Crystals', '+128 Bonus', 'Best value', '$17.99', 'Before:']) {
    expect(shownText()).toContain(text);
  }
  expect(document.querySelector('s')?.textContent).toContain('$19.99');
});

test('choosing tells which, and where it stands', async () => {
  const onSelect = vi.fn<() => void>();
  const list = [goods('a'), goods('b')];
  await draw(<GoodsShelves shelves={shelves} goods={list} gifts={[]} limits={[]} selected="a" onSelect={onSelect} />);
  expect((find('a', 'input') as HTMLInputElement).checked).toBe(true);
  await press('b');
  expect(onSelect).toHaveBeenCalledWith(list[1], find('b', 'label'));
  // The browser's own tick, and the only one.
  expect([...document.querySelectorAll('input')].map(({ checked }) => checked)).toEqual([false, true]);
});

test('what is left shows; a reached limit closes the card and says when it opens again', async () => {
  const inDays = Math.floor(Date.now() / 1000) + 3 * 86_400 + 4 * 3600 + 60;
  const limits = [
    limit('a', {}),
    limit('b', { extra_pay_times: 0, next_pay_time: inDays }),
    limit('c', { limit_type: 'stock', extra_pay_times: 0 }),
  ];
  const list = [goods('a'), goods('b'), goods('c')];
  await draw(
    <GoodsShelves
      shelves={shelves}
      goods={list}
      gifts={[]}
      limits={limits}
      selected={null}
      onSelect={vi.fn<() => void>()}
    />,
  );
  expect(shownText()).toContain('2 left per 7 days');
  expect(shownText()).toContain('Back in 3 d 04 h');
  expect(shownText()).toContain('Sold out');
  const disabled = [...document.querySelectorAll<HTMLInputElement>('input')].map((input) => input.disabled);
  expect(disabled).toEqual([false, true, true]);
});

test('specials have a shelf of their own', async () => {
  const list = [goods('pass', { isSpecial: true, description: '100 a day' }), goods('a')];
  await draw(
    <GoodsShelves
      shelves={shelves}
      goods={list}
      gifts={[]}
      limits={[]}
      selected={null}
      onSelect={vi.fn<() => void>()}
    />,
  );
  expect([...document.querySelectorAll('h2')].map((head) => head.textContent)).toEqual(['Special offers', 'Gems']);
  expect(shownText()).toContain('100 a day');
});

test.each([
  ['a desktop', 1440, false, 6],
  ['a phone', 390, false, 4],
  ['a phone under special offers', 390, true, 3],
] as const)(
  'the first picture of %s holds what it shows, the next ones the rest',
  async (_name, width, isSpecial, at) => {
    vi.stubGlobal('innerWidth', width);
    const list = Array.from({ length: 10 }, (_, place) => goods(`g${place}`, { isSpecial: isSpecial && place === 0 }));
    const others = [goods('x', { typeKey: 'packs' }), goods('y', { typeKey: 'packs' })];
    const part = (
      <GoodsShelves
        shelves={[...shelves, { typeKey: 'packs', display: 'Packs', unit: '', typeSort: 2 }]}
        goods={[...list, ...others]}
        gifts={[]}
        limits={[]}
        selected={null}
        onSelect={vi.fn<() => void>()}
      />
    );
    await draw(part);
    expect(document.querySelectorAll('input')).toHaveLength(12);
    // The server draws these before anything is put off.
    expect(renderToStaticMarkup(part).match(/<input/g)).toHaveLength(at);
  },
);

test('a mark stands on the card of its goods, but not where a deal takes its place or nothing is left', async () => {
  const deal = { name: 'Deal', price_shown: '$1.00', was_shown: '$4.99', off_percent: 80, endsAt: 0 };
  const marks = new Map(['free', 'dealt', 'gone'].map((id) => [id, <i key={id}>{`mark ${id}`}</i>]));
  await draw(
    <GoodsShelves
      shelves={shelves}
      goods={[goods('free'), goods('dealt'), goods('gone', { isLimit: true }), goods('plain')]}
      gifts={[]}
      limits={[limit('gone', { extra_pay_times: 0 })]}
      deals={new Map([['dealt', deal]])}
      marks={marks}
      selected={null}
      onSelect={vi.fn<() => void>()}
    />,
  );
  expect([...document.querySelectorAll('label i')].map((one) => one.textContent)).toEqual(['mark free']);
});
