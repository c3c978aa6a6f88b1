// The recharge popup with coupons, as the shop puts it together: what is chosen, what it costs, what is sent.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GameListItem } from '#contracts/games.ts';
import type { Goods } from '#contracts/catalogue.ts';
import type { Coupon } from '#contracts/coupons.ts';
import type { Offer } from '#contracts/offers.ts';
import type { PaymentOption } from '#contracts/payments.ts';
import { english } from '#testing/english.ts';
import { dropCoupon } from '#web/features/coupons/choice.ts';
import { couponOf } from '#web/features/coupons/test-coupons.ts';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { readBoot } from '#web/platform/boot.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { setUser } from '#web/platform/visitor/session.ts';
import { clear } from '#web/platform/visitor/storage.ts';
import { appear, type Canned, draw, find, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { type Marks, OrderAhead, PricedBar } from './order-with-coupon.tsx';
import { RechargePopup } from './recharge-with-coupon.tsx';

speak(english);

const LIST = '/api/coupons/couponList';
const PRICE = '/api/pay/calculatePrice';
const PAY = '/api/pay/adyen_pay';

const option = (key: string, name: string, open_coupon: boolean): PaymentOption => ({
  payway_id: key,
  channel_id: key,
  key,
  pay_id: `${key}-p`,
  name,
  icon: '/i.svg',
  sort: 0,
  min_money: '0',
  max_money: '0',
  min: '0',
  max: '0',
  method: key,
  description: '',
  hint: '',
  open_coupon,
  pay_path: 'adyen_pay',
  sub_payment: [],
});
const card = option('c', 'Bank card', true);
const wallet = option('w', 'Wallet', false);
const methods = [card, wallet].map(({ key, name }) => ({
  key,
  name,
  mark: '/m.svg',
  networks: [],
  hint: '',
  group: 'country' as const,
  device: '' as const,
  option: key,
  second: '',
}));
const channels = { content: { country: 'SG', list: { SG: [card, wallet] }, methods } };

const order = {
  product: { title: '320 Crystals', gift: '', art: 'pack-2' },
  game: 'Emberfall',
  character: 'Kestrel',
  server: 'S1',
  price: '$5.00',
  listPrice: '',
};
const place = { clientId: '1', region: 'sea', country: 'SG', productId: 'p', price: '5.00', currency: 'USD' };
const target = {
  client_id: '1',
  server_id: 's1',
  role_id: 'r1',
  area_id: '',
  product_id: 'p',
  price_minor: 500,
  region: 'sea',
  country: 'SG',
};
const goods = { value: 'p', isCoupon: true } as Goods;

const fifth = couponOf('FIFTH', { discount_rate: '0.8' });
const half = couponOf('HALF', { discount_rate: '0.5' });
const priced = (minor: number): Canned => ({
  content: {
    points: 0,
    discountPrice: (minor / 100).toFixed(2),
    discount_price_shown: `$${(minor / 100).toFixed(2)}`,
    off_shown: `$${((500 - minor) / 100).toFixed(2)}`,
    price_minor: minor,
    currency: 'USD',
  },
});
const listOf = (...list: Coupon[]): Canned => ({ content: { list } });
const placed: Canned = { content: { billing_no: 'B1', url: 'https://pay.example/1' } };

beforeEach(() => {
  vi.spyOn(window, 'open').mockImplementation(
    () => ({ opener: {}, closed: false, location: { replace: () => undefined }, close: () => undefined }) as never,
  );
});
afterEach(() => {
  chooseChannel('');
  dropCoupon('');
  clear('payMethod');
  setUser(null);
});

type Answers = { list?: Canned | Canned[]; price?: Canned | Canned[]; pay?: Canned | Canned[]; offers?: Offer[] };
let shoppers = 0;

async function open(
  { list, price, pay, offers = [] }: Answers,
  given: { isVip?: boolean; goods?: Goods; isAhead?: boolean } = {},
) {
  const calls = serve({
    '/api/pay/getPayChannelList': channels,
    '/api/offers/list': { content: { now: Date.now(), list: offers } },
    [LIST]: list ?? listOf(fifth, half),
    [PRICE]: price ?? [priced(250), priced(400)],
    [PAY]: pay ?? placed,
  });
  const ends: unknown[] = [];
  await draw(<p>shop</p>);
  const before = given.isAhead ? <OrderAhead place={place} onMarks={() => undefined} /> : <p>shop</p>;
  await draw(before, { brand: { ...readBoot().brand, isVip: given.isVip ?? true } });
  shoppers += 1;
  setUser({ username: 'kestrel', suid: `s${shoppers}`, oauth_token: 'o', gp_id: '' });
  if (given.isAhead) await settle();
  const props = { order, place, target, goods: given.goods ?? goods };
  openPopup(RechargePopup, { ...props, onEnd: (...end: unknown[]) => ends.push(end) });
  await settle();
  return { ends, of: (path: string) => calls.filter((call) => call.path === path) };
}
const button = (text: string) => find(text, 'button').textContent;
const line = () => document.querySelector('[data-coupon]')?.textContent ?? '';
/** The list lies over the sheet. */
const cardButton = (code: string) =>
  [...document.querySelectorAll('li[data-ticket]')]
    .find(({ textContent }) => textContent?.includes(`Coupon ${code}`))
    ?.querySelector('button');
async function pressIn(code: string): Promise<void> {
  cardButton(code)?.click();
  await settle();
}
async function openList(): Promise<void> {
  (document.querySelector('[data-coupon] button') as HTMLElement).click();
  await appear('Used and expired');
}

test('L109 opening chooses the best coupon that works, and every price is the calculated one', async () => {
  const { of } = await open({});
  expect(of(LIST)[0]?.fields).toMatchObject({ product_id: 'p', server_id: 's1', role_id: 'r1', domain_area: 'sea' });
  expect(of(PRICE)[0]?.fields).toMatchObject({ product_id: 'p', coupon_code: 'HALF' });
  expect(line()).toContain('Coupon HALF');
  expect(line()).toContain('−$2.50');
  expect(button('Choose how to pay · ')).toContain('$2.50');
  await press('Bank card');
  expect(button('Pay ')).toBe('Pay $2.50');
});

test('L106 L109 the list from the sheet uses another one, and cancels the chosen one', async () => {
  await open({});
  await openList();
  expect([cardButton('HALF')?.textContent, cardButton('FIFTH')?.textContent]).toEqual(['Remove', 'Use']);
  await pressIn('FIFTH');
  expect(line()).toContain('Coupon FIFTH');
  expect(button('Choose how to pay · ')).toContain('$4.00');
  await openList();
  await pressIn('FIFTH');
  expect(line()).toContain('2 coupons to choose from');
  expect(button('Choose how to pay · ')).toContain('$5.00');
});

test('the room of the line is kept while the coupons of the goods are on their way, for a player who has some', async () => {
  const room = () => document.querySelector('[class*="lineBone"]');
  await open({ list: [listOf(fifth), 'dead'] }, { isAhead: true });
  expect(room()).not.toBeNull();
  await open({ list: [listOf(), 'dead'] }, { isAhead: true });
  expect(room()).toBeNull();
});

test('L174 coupon, price and pay_id travel with the order; the key changes with the coupon', async () => {
  const { of, ends } = await open({ pay: [{ name: 'unavailable' }, { name: 'unavailable' }, placed] });
  await press('Bank card');
  await press('Pay $2.50');
  await press('Pay $2.50');
  await openList();
  await pressIn('FIFTH');
  await press('Pay $4.00');
  await settle(50);
  expect(of(PAY).map(({ fields }) => [fields.coupon_code, fields.price_minor, fields.pay_id])).toEqual([
    ['HALF', 250, 'c-p'],
    ['HALF', 250, 'c-p'],
    ['FIFTH', 400, 'c-p'],
  ]);
  const [first, again, other] = of(PAY).map(({ key }) => key);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(ends).toEqual([
    [expect.objectContaining({ billingNo: 'B1' }), 'Bank card', expect.objectContaining({ price: '$4.00' })],
  ]);
});

test("L121 L199 a way to pay that takes no coupon has the full price, after the confirm 'tip_noUse_coupon'", async () => {
  const { of } = await open({});
  await press('Wallet');
  expect(line()).toContain('Not with this payment method');
  await press('Pay $5.00');
  await appear('Pay without a coupon?', 'h2');
  expect(shownText()).toContain('Your coupon does not work with this payment method');
  await press('Cancel');
  expect(of(PAY)).toEqual([]);
  await press('Pay $5.00');
  await appear('Pay without a coupon?', 'h2');
  [...document.querySelectorAll('button')].findLast(({ textContent }) => textContent === 'Pay $5.00')?.click();
  await settle(50);
  expect(of(PAY)[0]?.fields).toMatchObject({ price_minor: 500 });
  expect(of(PAY)[0]?.fields).not.toHaveProperty('coupon_code');
});

test('L121 none chosen while there are some is asked as well', async () => {
  const { of } = await open({});
  await openList();
  await pressIn('HALF');
  await press('Bank card');
  await press('Pay $5.00');
  expect(shownText()).toContain('this payment does not use one');
  await press('Cancel');
  expect(of(PAY)).toEqual([]);
});

test.each([
  ['goods that take none', { goods: { ...goods, isCoupon: false } }],
  ['L134 a brand without the VIP flag', { isVip: false }],
])('L121 no coupon, no call and no question for %s', async (_name, given) => {
  const { of } = await open({}, given);
  await press('Bank card');
  await press('Pay $5.00');
  await settle(50);
  expect([of(LIST), of(PRICE)]).toEqual([[], []]);
  expect(of(PAY)).toHaveLength(1);
  expect(shownText()).not.toContain('Coupon');
});

test('L199 a coupon that does not fit the goods says so when it is to be used', async () => {
  const other = couponOf('OTHER', { is_applicable: false });
  await open({ list: listOf(other) });
  expect(line()).toContain('None for this product');
  await openList();
  await pressIn('OTHER');
  expect(shownText()).toContain('This coupon does not work for this product.');
});

test('L192 -3062 on pay: no toast, the coupon is cleared, and after a second the coupons are read again', async () => {
  const { of, ends } = await open({
    list: [listOf(half), listOf(fifth)],
    pay: { name: 'illegalCoupon' },
  });
  await press('Bank card');
  await press('Pay $2.50');
  await settle(50);
  expect(document.querySelector('[data-toast], [role="status"]')?.textContent ?? '').not.toContain('illegalCoupon');
  expect(ends).toEqual([]);
  expect(line()).toContain('This coupon does not work for this product.');
  expect(button('Pay ')).toBe('Pay $5.00');
  expect(of(LIST)).toHaveLength(1);
  await settle(1100);
  expect(of(LIST)).toHaveLength(2);
  // The player chooses anew; nothing is taken behind their back.
  expect(button('Pay ')).toBe('Pay $5.00');
});

test('L192 a price that cannot be calculated clears the coupon, and can be asked again', async () => {
  const { of } = await open({ list: listOf(half), price: ['dead', priced(250)] });
  expect(button('Choose how to pay · ')).toContain('$5.00');
  expect(line()).toContain('The price with this coupon did not come.');
  await press('Try again');
  expect(of(PRICE)).toHaveLength(2);
  expect(button('Choose how to pay · ')).toContain('$2.50');
});

test('L195 a list that does not come clears the coupon and marks the area failed; the order can be paid', async () => {
  const { of } = await open({ list: [{ name: 'failed' }, listOf(half)] });
  expect(shownText()).toContain('Your coupons did not load.');
  expect(button('Choose how to pay · ')).toContain('$5.00');
  await press('Try again');
  expect(of(LIST)).toHaveLength(2);
  expect(button('Choose how to pay · ')).toContain('$2.50');
});

test('what the unpaid order of these goods holds stays chosen, also where a better one is free', async () => {
  const held = couponOf('HELD', { discount_rate: '0.9', use_category: 'lock', billing_no: 'B7' });
  const { of } = await open({ list: listOf(half, held), price: priced(450) });
  expect(of(PRICE)[0]?.fields).toMatchObject({ coupon_code: 'HELD' });
  expect(line()).toContain('Coupon HELD');
});

test('the bar on a phone says the price with the coupon as well', async () => {
  await open({ price: priced(250) });
  await draw(<PricedBar order={order} place={place} target={target} goods={goods} onPay={() => undefined} />, {
    brand: readBoot().brand,
  });
  await settle();
  expect(button('Pay ')).toBe('Pay $2.50');
  expect(document.querySelector('[data-reduced]')?.textContent).toMatch(/^Before: \$5\.00 · Coupon −\$/);
});

const deal: Offer = {
  code: 'offer:g/deal:1',
  kind: 'timed',
  name: 'Deal of the day',
  product_id: 'p',
  price: '3.00',
  price_minor: 300,
  price_shown: '$3.00',
  currency: 'USD',
  was_shown: '$5.00',
  off_percent: 40,
  ends_at: Date.now() + 36e5,
};

test('an offer is used in the place of a coupon and travels as one; left, the coupons are back', async () => {
  const { of } = await open({ offers: [deal], pay: [{ name: 'unavailable' }, { name: 'unavailable' }, placed] });
  expect(shownText()).toContain('Deal of the day');
  expect(button('Choose how to pay · ')).toContain('$3.00');
  expect(line()).toBe('');
  // It asks for nothing of a coupon: the wallet takes none, and takes this.
  await press('Wallet');
  await press('Pay $3.00');
  await settle(50);
  expect(of(PAY)[0]?.fields).toMatchObject({ offer_code: deal.code, price_minor: 300 });
  expect(of(PAY)[0]?.fields).not.toHaveProperty('coupon_code');
  await press('Leave it');
  await press('Bank card');
  expect(line()).toContain('Coupon HALF');
  await press('Pay $2.50');
  await settle(50);
  expect(of(PAY).at(-1)?.fields).toMatchObject({ coupon_code: 'HALF', price_minor: 250 });
  expect(of(PAY).at(-1)?.fields).not.toHaveProperty('offer_code');
  expect(of(PAY).at(-1)?.key).not.toBe(of(PAY)[0]?.key);
  await press('Use offer');
  expect(button('Pay ')).toBe('Pay $3.00');
});

test('an offer that is over when it is paid says so, and leaves the full price', async () => {
  const ended = { ...deal, code: 'offer:g/ended:1' };
  const { of, ends } = await open({ offers: [ended], list: listOf(), pay: { name: 'illegalCoupon' } });
  await press('Bank card');
  await press('Pay $3.00');
  await settle(50);
  expect(shownText()).toContain('This offer is over. You see the normal price.');
  expect(button('Pay ')).toBe('Pay $5.00');
  expect([of('/api/offers/list').length, ends]).toEqual([1, []]);
  await settle(1100);
  expect(of('/api/offers/list')).toHaveLength(2);
});

test('a coupon that the player holds is named for the goods of this game that take it, the best of each', async () => {
  const on = (gp_id: string, product_id: string) => ({ gp_id, product_id, name: '', price_shown: '' });
  const held = couponOf('TENTH', { discount_rate: '0.9', goods: [on('g1', 'p'), on('g1', 'q'), on('g2', 'other')] });
  const best = couponOf('HALF', { discount_rate: '0.5', goods: [on('g1', 'q')] });
  const claimable = couponOf('CLAIM', { use_category: 'claim', discount_rate: '0.1', goods: [on('g1', 'p')] });
  serve({ [LIST]: listOf(held, best, claimable) });
  const game = { client_id: '1', gp_id: 'g1', sub_game: {} } as unknown as GameListItem;
  await draw(<p>shop</p>);
  const seen: (Marks | undefined)[] = [];
  const onMarks = (marks: Marks | undefined) => void seen.push(marks);
  const ahead = <OrderAhead place={place} onMarks={onMarks} />;
  await draw(ahead, { brand: { ...readBoot().brand, isVip: true }, games: [game] });
  shoppers += 1;
  setUser({ username: 'kestrel', suid: `s${shoppers}`, oauth_token: 'o', gp_id: '' });
  await settle();
  const marks = seen.at(-1) ?? new Map();
  expect([...marks.keys()].toSorted()).toEqual(['p', 'q']);
  await draw(
    <ul>
      <li>{marks.get('p')}</li>
      <li>{marks.get('q')}</li>
    </ul>,
  );
  expect([...document.querySelectorAll('li')].map((one) => one.textContent)).toEqual([
    'Coupons: 10% off',
    'Coupons: 50% off',
  ]);
  // Whoever leaves takes them along.
  expect(seen.at(-1)).toBeUndefined();
});
