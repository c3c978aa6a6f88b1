// Offers on the page: in the row above the goods, in the order, and how long they stand.
import { expect, test, vi } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import { english } from '#testing/english.ts';
import { showLeft } from '#web/platform/EndsIn.tsx';
import { draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { OfferLine } from './OfferLine.tsx';
import { OfferRow } from './OfferRow.tsx';
import { type OpenOffer, useOffers } from './queries.ts';

speak(english);

/** A moment in so many milliseconds, by this browser's clock. */
const inMs = (left: number) => Date.now() + left;
const goods: Goods = {
  value: 'keys', display: 'Ring of keys', description: '', price: '3.99', price_minor: 399, price_shown: '$3.99', list_price_shown: '', currency: 'USD',
  typeKey: 'gems', typeSort: 1, goodsSort: 1, isLimit: false, isCoupon: false, isSpecial: false, couponPoints: 0, art: 'pack-1', tier: 1,
  amount: 0, flag: '',
}; /* a row a line */ // prettier-ignore
const offer = (over: Partial<OpenOffer> = {}): OpenOffer => ({
  code: 'offer:g/one:1', kind: 'timed', name: 'Deal of the day', product_id: 'keys', price: '2.79', price_minor: 279, price_shown: '$2.79',
  currency: 'USD', was_shown: '$3.99', off_percent: 30, ends_at: 1, endsAt: inMs(7_470_000), ...over,
}); /* a row a line */ // prettier-ignore

test('what is left is told by the largest two parts', async () => {
  await draw(<p>shop</p>);
  const shown = [59_000, 3_599_000, 3_600_000, 7_440_000, 90_000_000, -5].map(showLeft);
  expect(shown).toEqual(['00:59', '59:59', '1 h 00 min', '2 h 04 min', '1 d 01 h', '00:00']);
});

test("the row holds what is the player's own; one press takes it", async () => {
  const onTake = vi.fn<(one: Goods) => void>();
  const own = offer({ kind: 'personal', name: '', endsAt: inMs(600_000) });
  await draw(<OfferRow offers={[own]} goods={[goods]} onTake={onTake} />);
  expect(shownText()).toContain('Only for you');
  expect(shownText()).toMatch(/Ends in (10:00|09:5\d)/);
  await press('Get it for $2.79');
  expect(onTake).toHaveBeenCalledWith(goods);
  await draw(<OfferRow offers={[offer()]} goods={[goods]} onTake={onTake} />);
  expect(shownText()).toBe('');
});

test('in the order it can be left and taken again, and says when it is over', async () => {
  const line = {
    offer: offer(),
    isUsed: true,
    isOver: false,
    isTaken: true,
    onLeave: vi.fn<() => void>(),
    onTake: vi.fn<() => void>(),
  };
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
  // The server is an hour ahead of this browser; there the offer has a minute left.
  const there = inMs(3_600_000);
  serve({ '/api/offers/list': { content: { now: there, list: [{ ...offer(), ends_at: there + 60_000 }] } } });
  await draw(<Ends />);
  await vi.waitFor(() => expect(shownText()).toMatch(/^\d+$/));
  const left = Number(shownText()) - Date.now();
  expect(left).toBeGreaterThan(40_000);
  expect(left).toBeLessThanOrEqual(60_000);
});

test('a stranger’s page asks again by the calendar at the latest, however far away the end is', async () => {
  // More than a timer of the browser takes, which would fire at once, again and again.
  const far = Date.now() + 60 * 86_400_000;
  const calls = serve({ '/api/offers/list': { content: { now: Date.now(), list: [{ ...offer(), ends_at: far }] } } });
  await draw(<Ends />);
  await vi.waitFor(() => expect(shownText()).toMatch(/^\d+$/));
  await settle(300);
  expect(calls).toHaveLength(1);
});
