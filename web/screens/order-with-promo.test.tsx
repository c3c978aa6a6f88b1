// The recharge popup with a promo code, as the shop puts it together: typed or linked, alone or beside a coupon, what
// it costs and what is sent.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import type { PaymentOption } from '#contracts/payments.ts';
import { english } from '#testing/english.ts';
import { chooseCode, clearCode } from '#web/features/codes/code-choice.ts';
import { chooseCoupon, dropCoupon } from '#web/features/coupons/choice.ts';
import { couponOf } from '#web/features/coupons/test-coupons.ts';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { readBoot } from '#web/platform/boot.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { setUser } from '#web/platform/visitor/session.ts';
import { clear } from '#web/platform/visitor/storage.ts';
import { type Canned, draw, find, press, serve, settle, shownText, speak, type } from '#web/platform/test-page.tsx';
import { RechargePopup } from './recharge-with-coupon.tsx';

speak(english);

const PRICE = '/api/pay/calculatePrice';
const PAY = '/api/pay/adyen_pay';
const card: PaymentOption = {
  payway_id: 'c', channel_id: 'c', key: 'c', pay_id: 'c-p', name: 'Bank card', icon: '/i.svg', sort: 0, min_money: '0', max_money: '0', min: '0', max: '0',
  method: 'c', description: '', hint: '', open_coupon: true, pay_path: 'adyen_pay', sub_payment: [],
}; /* a row a line */ // prettier-ignore
const method = {
  key: 'c',
  name: 'Bank card',
  mark: '/m.svg',
  networks: [],
  hint: '',
  group: 'country',
  device: '',
  option: 'c',
  second: '',
};
const order = {
  product: { title: '320 Crystals', gift: '', first: '+320 Crystals', art: 'pack-2' },
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
  first_bonus: '1',
  region: 'sea',
  country: 'SG',
};
const goods = { value: 'p', isCoupon: true } as Goods;
const half = couponOf('HALF', { discount_rate: '0.5' });
const priced = (minor: number, over: object = {}): Canned => ({
  content: {
    points: 0,
    discountPrice: (minor / 100).toFixed(2),
    discount_price_shown: `$${(minor / 100).toFixed(2)}`,
    off_shown: '',
    promo_code: 'EMBER10',
    promo_off_shown: `$${((500 - minor) / 100).toFixed(2)}`,
    goes_with_coupon: false,
    price_minor: minor,
    currency: 'USD',
    ...over,
  },
});

beforeEach(() => {
  vi.spyOn(window, 'open').mockImplementation(
    () => ({ opener: {}, closed: false, location: { replace: () => undefined }, close: () => undefined }) as never,
  );
});
afterEach(() => {
  chooseChannel('');
  chooseCode('');
  dropCoupon('');
  clear('payMethod');
  setUser(null);
});

let shoppers = 0;
async function open(
  given: { price?: Canned | Canned[]; pay?: Canned; coupons?: boolean; hasPromoCodes?: boolean } = {},
) {
  const calls = serve({
    '/api/pay/getPayChannelList': { content: { country: 'SG', list: { SG: [card] }, methods: [method] } },
    '/api/coupons/couponList': { content: { list: given.coupons ? [half] : [] } },
    [PRICE]: given.price ?? priced(450),
    [PAY]: given.pay ?? { content: { billing_no: 'B1', url: 'https://pay.example/1' } },
  });
  await draw(<p>shop</p>);
  const { brand } = readBoot();
  const isVip = given.coupons === true;
  await draw(<p>shop</p>, { brand: { ...brand, isVip, hasPromoCodes: given.hasPromoCodes ?? true } });
  shoppers += 1;
  setUser({ username: 'kestrel', suid: `p${shoppers}`, oauth_token: 'o', gp_id: '' });
  const ends: unknown[] = [];
  openPopup(RechargePopup, { order, place, target, goods, onEnd: (...end: unknown[]) => ends.push(end) });
  await settle();
  return { ends, of: (path: string) => calls.filter((call) => call.path === path) };
}
const line = () => document.querySelector('[data-promo]')?.textContent ?? '';
const button = (text: string) => find(text, 'button').textContent;
async function enter(code: string): Promise<void> {
  await press('Enter a promo code');
  await type('Promo code', code);
  await press('Apply');
  await settle();
}

test('a typed code is priced by the server, shown, and travels with the order; its key is its own', async () => {
  const { of, ends } = await open();
  expect(shownText()).toContain('First-purchase bonus: +320 Crystals');
  expect(line()).toContain('Enter a promo code');
  await enter(' ember10 ');
  expect(of(PRICE)[0]?.fields).toMatchObject({ product_id: 'p', promo_code: 'ember10', role_id: 'r1' });
  expect(line()).toContain('EMBER10');
  expect(line()).toContain('−$0.50');
  await press('Bank card');
  await press('Pay $4.50');
  await settle(50);
  expect(of(PAY)[0]?.fields).toMatchObject({ promo_code: 'EMBER10', price_minor: 450, first_bonus: '1' });
  expect(of(PAY)[0]?.fields).not.toHaveProperty('coupon_code');
  expect(ends).toHaveLength(1);
});

test('a code in the address is there by itself, and can be taken out', async () => {
  history.replaceState(null, '', '/selectGoods?promo_code=ember10');
  clearCode();
  await open();
  expect(line()).toContain('EMBER10');
  expect(button('Choose how to pay · ')).toContain('$4.50');
  document.querySelector<HTMLElement>('[data-promo] [aria-label="Remove"]')?.click();
  await settle();
  expect(button('Choose how to pay · ')).toContain('$5.00');
  history.replaceState(null, '', '/selectGoods');
});

test('a code that does not work says why, in the words of the server, and leaves the price', async () => {
  await open({ price: { name: 'promoRefused' } });
  await enter('OLD');
  expect(line()).toContain('says promoRefused');
  expect(button('Choose how to pay · ')).toContain('$5.00');
});

test('an order that is refused with it stays open, and says why', async () => {
  const { ends } = await open({ pay: { name: 'promoRefused' } });
  await enter('EMBER10');
  await press('Bank card');
  await press('Pay $4.50');
  await settle(50);
  expect(ends).toEqual([]);
  expect(line()).toContain('says promoRefused');
  expect(button('Pay ')).toBe('Pay $5.00');
});

test('a code that goes with no coupon takes its place', async () => {
  const { of } = await open({ coupons: true, price: [priced(250), priced(450), priced(450)] });
  expect(button('Choose how to pay · ')).toContain('$2.50');
  await enter('EMBER10');
  await settle(50);
  expect(line()).toContain('Your coupon does not go with this code');
  await press('Bank card');
  await press('Pay $4.50');
  await settle(50);
  expect(of(PAY)[0]?.fields).toMatchObject({ promo_code: 'EMBER10', price_minor: 450 });
  expect(of(PAY)[0]?.fields).not.toHaveProperty('coupon_code');
});

test('a code of the address leaves a coupon that saves more, and is there once that is taken out', async () => {
  history.replaceState(null, '', '/selectGoods?promo_code=ember10');
  clearCode();
  const { of } = await open({ coupons: true, price: [priced(450), priced(250), priced(450)] });
  await settle(50);
  expect(line()).toContain('Your coupon saves more');
  expect(button('Choose how to pay · ')).toContain('$2.50');
  dropCoupon('1/p');
  await settle(50);
  expect(line()).not.toContain('coupon');
  await press('Bank card');
  await press('Pay $4.50');
  await settle(50);
  expect(of(PAY)[0]?.fields).toMatchObject({ promo_code: 'EMBER10', price_minor: 450 });
  history.replaceState(null, '', '/selectGoods');
});

test('a code of the address takes the place of a coupon that saves less, until that is chosen', async () => {
  history.replaceState(null, '', '/selectGoods?promo_code=ember10');
  clearCode();
  await open({ coupons: true, price: [priced(450), priced(475)] });
  await settle(50);
  expect(line()).toContain('Your coupon does not go with this code');
  expect(button('Choose how to pay · ')).toContain('$4.50');
  chooseCoupon('1/p', 'HALF');
  await settle(50);
  expect(button('Choose how to pay · ')).toContain('$4.75');
  expect(line()).toContain('This code does not go with a coupon.');
  history.replaceState(null, '', '/selectGoods');
});

test('a code that goes with a coupon is taken off what the coupon leaves, and both travel', async () => {
  const { of } = await open({
    coupons: true,
    price: [
      priced(250),
      priced(450, { goes_with_coupon: true }),
      priced(225, { goes_with_coupon: true, promo_off_shown: '$0.25' }),
    ],
  });
  await enter('EMBER10');
  await settle(50);
  expect(of(PRICE).at(-1)?.fields).toMatchObject({ coupon_code: 'HALF', promo_code: 'ember10'.toUpperCase() });
  expect(line()).toContain('−$0.25');
  await press('Bank card');
  await press('Pay $2.25');
  await settle(50);
  expect(of(PAY)[0]?.fields).toMatchObject({ coupon_code: 'HALF', promo_code: 'EMBER10', price_minor: 225 });
});

test('a brand without codes has no line for one', async () => {
  await open({ hasPromoCodes: false });
  expect(document.querySelector('[data-promo]')).toBeNull();
});
