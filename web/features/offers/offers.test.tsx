// Offers on the page: on the card, in the row above the goods, and how long they stand.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import { english } from '#testing/english.ts';
import { showLeft } from '#web/platform/EndsIn.tsx';
import { draw, press, serve, shownText, speak } from '#web/platform/test-page.tsx';
import { GoodsShelves } from '#web/features/catalogue/GoodsShelves.tsx';
import { OfferLine } from './OfferLine.tsx';
import { OfferRow } from './OfferRow.tsx';
import { type OpenOffer, useOffers } from './queries.ts';

speak(english);
beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

const NOW = Date.UTC(2026, 10, 23, 12);
const goods: Goods = {
  value: 'keys', display: 'Ring of keys', description: '', price: '3.99', price_minor: 399, price_shown: '$3.99', list_price_shown: '', currency: 'USD',
  typeKey: 'gems', typeSort: 1, goodsSort: 1, isLimit: false, isCoupon: false, isSpecial: false, couponPoints: 0, art: 'pack-1', tier: 1,
  amount: 0, flag: '',
}; // prettier-ignore
const offer = (over: Partial<OpenOffer> = {}): OpenOffer => ({
  code: 'offer:g/one:1', kind: 'timed', name: 'Deal of the day', product_id: 'keys', price: '2.79', price_minor: 279, price_shown: '$2.79',
  currency: 'USD', was_shown: '$3.99', off_percent: 30, ends_at: NOW + 1, endsAt: Date.now() + 7_440_000, ...over,
}); // prettier-ignore

test.each([
  [59_000, '00:59'],
  [3_599_000, '59:59'],
  [3_600_000, '1 h 00 min'],
  [7_440_000, '2 h 04 min'],
  [90_000_000, '1 d 01 h'],
  [-5, '00:00'],
])('%d milliseconds are left: %s', (left, shown) => {
  expect(showLeft(left)).toBe(shown);
});

test('a card has the price of its offer, the price before, and how long it stands', async () => {
  vi.setSystemTime(NOW);
  const deals = new Map([['keys', offer({ endsAt: NOW + 7_440_000 })]]);
  await draw(<GoodsShelves shelves={[]} goods={[goods]} gifts={[]} limits={[]} deals={deals} selected={null} onSelect={() => {}} />); // prettier-ignore
  for (const words of ['$2.79', 'Before: $3.99', '−30%', 'Deal of the day', 'Ends in 2 h 04 min'])
    expect(shownText()).toContain(words);
});

test("the row holds what is the player's own; one press takes it", async () => {
  vi.setSystemTime(NOW);
  const onTake = vi.fn<(one: Goods) => void>();
  const own = offer({ kind: 'personal', name: '', endsAt: NOW + 600_000 });
  await draw(<OfferRow offers={[own]} goods={[goods]} onTake={onTake} />);
  expect(shownText()).toContain('Only for you');
  expect(shownText()).toContain('Ends in 10:00');
  await press('Get it for $2.79');
  expect(onTake).toHaveBeenCalledWith(goods);
  await draw(<OfferRow offers={[offer()]} goods={[goods]} onTake={onTake} />);
  expect(shownText()).toBe('');
});

test('in the order it can be left and taken again, and says when it is over', async () => {
  vi.setSystemTime(NOW);
  const line = { offer: offer(), isUsed: true, isOver: false, isTaken: true, onLeave: vi.fn<() => void>(), onTake: vi.fn<() => void>() }; // prettier-ignore
  await draw(<OfferLine {...line} />);
  await press('Leave it');
  expect(line.onLeave).toHaveBeenCalledOnce();
  await draw(<OfferLine {...line} isUsed={false} />);
  await press('Use offer');
  expect(line.onTake).toHaveBeenCalledOnce();
  await draw(<OfferLine {...line} isTaken={false} />);
  expect(shownText()).toContain('Not with this payment method');
  await draw(<OfferLine {...line} isOver />);
  expect(shownText()).toContain('This offer is over.');
});

function Ends() {
  const [first] = useOffers({ clientId: '70013', region: 'universal', country: 'US' });
  return <output>{first ? String(first.endsAt) : 'none'}</output>;
}

test('an end is by the clock of the server, whatever this one says', async () => {
  vi.setSystemTime(NOW);
  // The server is an hour ahead of this browser; there the offer has a minute left.
  const there = NOW + 3_600_000;
  serve({ '/api/offers/list': { content: { now: there, list: [{ ...offer(), ends_at: there + 60_000 }] } } });
  await draw(<Ends />);
  await vi.waitFor(() => expect(shownText()).toBe(String(NOW + 60_000)));
});
