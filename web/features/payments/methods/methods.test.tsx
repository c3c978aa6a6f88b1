// The list of methods in a document: what folds, what is chosen already, what the balance says.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PaymentMethod, PaymentOption } from '#contracts/payments.ts';
import { english } from '#testing/english.ts';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { BalanceCard } from '#web/features/payments/BalanceCard.tsx';
import { PanelPayment } from '#web/features/payments/ChosenOrder.tsx';
import { setUser } from '#web/platform/visitor/session.ts';
import { clear, loadText, save } from '#web/platform/visitor/storage.ts';
import { draw, find, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';

speak(english);
beforeEach(() => {
  vi.spyOn(window, 'open').mockImplementation(() => null);
});
afterEach(() => {
  chooseChannel('');
  clear('payMethod');
  setUser(null);
});

const option = (key: string, more: Partial<PaymentOption> = {}): PaymentOption => ({
  payway_id: key, channel_id: key, key, pay_id: `${key}-p`, name: key, icon: '/i.svg', sort: 0, min_money: '0', max_money: '0', min: '0', max: '0',
  method: key, description: '', hint: '', open_coupon: false, pay_path: 'adyen_pay', sub_payment: [], ...more,
}); /* a row a line */ // prettier-ignore
const method = (key: string, name: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  key,
  name,
  mark: '/m.svg',
  networks: [],
  hint: '',
  group: 'country',
  device: '',
  option: key,
  second: '',
  ...more,
});

const order = {
  product: { title: '320 Crystals', gift: '', art: 'pack-2' },
  game: 'Emberfall',
  character: 'Kestrel',
  server: 'S1',
  price: '$4.99',
  listPrice: '',
};
const place = { clientId: '1', region: 'sea', country: 'SG', productId: 'p', price: '4.99', currency: 'USD' };
const target = {
  client_id: '1',
  server_id: 's1',
  role_id: 'r1',
  area_id: '',
  product_id: 'p',
  price_minor: 499,
  region: 'sea',
  country: 'SG',
};

const card = method('card', 'Card', { networks: ['/visa.svg', '/mastercard.svg'] });
const far = ['Xa', 'Yb', 'Zc'].map((name) => method(name.toLowerCase(), name, { group: 'more' }));

async function show(
  methods: PaymentMethod[],
  more: { options?: PaymentOption[]; balance?: number; isGuest?: boolean } = {},
) {
  const ends: string[] = [];
  let needs = 0;
  const options = more.options ?? methods.map(({ key }) => option(key));
  const total = more.balance ?? 0;
  const balance = {
    currency: 'USD',
    paid_minor: total,
    free_minor: 0,
    total_minor: total,
    total_shown: `$${total / 100}`,
  };
  const calls = serve({
    '/api/pay/getPayChannelList': { content: { country: 'SG', list: { SG: options }, methods } },
    '/api/pay/balance': { content: { list: total > 0 ? [balance] : [] } },
    '/api/pay/adyen_pay': { content: { billing_no: 'B1', url: '' } },
    '/api/pay/platform_pay': { content: { billing_no: 'B2', url: '' } },
  });
  await draw(
    <PanelPayment
      order={order}
      place={place}
      target={more.isGuest ? null : target}
      onEnd={(end, name) => ends.push(`${end.kind} ${name}`)}
      onNeed={() => (needs += 1)}
    />,
  );
  if (!more.isGuest) setUser({ username: 'kestrel', suid: 's', oauth_token: 'id', gp_id: '' });
  await settle();
  return { calls, ends, needs: () => needs };
}

const rows = () => [...document.querySelectorAll('label')].map((label) => label.querySelector('bdi')?.textContent);
const chosen = () =>
  [...document.querySelectorAll<HTMLInputElement>('input[type=radio]:checked')].map(({ value }) => value);
const payButton = () => find('$4.99', 'button') as HTMLButtonElement;

test('a mark that did not come is taken away, and fetched again once the device is online', async () => {
  await show([card]);
  const marks = () => [...document.querySelectorAll('label img')].map((image) => image.getAttribute('src'));
  const all = marks();
  const visa = document.querySelector('img[src="/visa.svg"]')!;
  visa.dispatchEvent(new Event('error'));
  await settle();
  expect(marks()).toEqual(all.filter((src) => src !== '/visa.svg'));
  dispatchEvent(new Event('online'));
  await settle();
  expect(marks()).toEqual(all);
  expect(visa.isConnected).toBe(false);
});

test('the country comes first, the rest waits behind a button that counts it', async () => {
  await show([card, method('paypal', 'PayPal'), ...far]);
  expect(rows()).toEqual(['Card', 'PayPal']);
  expect(document.querySelectorAll('label img')).toHaveLength(4);
  const more = find('More ways (3)', 'button');
  expect(more?.getAttribute('aria-expanded')).toBe('false');
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {});
  await press('More ways (3)');
  expect(rows()).toEqual(['Card', 'PayPal', 'Xa', 'Yb', 'Zc']);
  // Under the edge of a full sheet the press would seem to do nothing.
  expect(shown.mock.contexts).toEqual([document.getElementById(more?.getAttribute('aria-controls') ?? '')]);
  expect(find('Show fewer', 'button')?.getAttribute('aria-expanded')).toBe('true');
  // It stands at the end of what it has opened, where the focus has gone on to.
  expect(document.querySelector('fieldset')?.lastElementChild?.textContent).toBe('Show fewer');
  expect((document.activeElement as HTMLInputElement).value).toBe('xa');
  await press('Show fewer');
  expect(rows()).toEqual(['Card', 'PayPal']);
});

test('L116 the panel pays by itself: one press with a method chosen, none before', async () => {
  const { calls, ends } = await show([card, ...far]);
  expect(payButton().textContent).toBe('Choose how to pay · $4.99');
  payButton().click();
  await settle();
  expect(calls.some(({ path }) => path === '/api/pay/adyen_pay')).toBe(false);
  await press('Card');
  await press('Pay $4.99');
  await settle();
  expect(calls.find(({ path }) => path === '/api/pay/adyen_pay')?.fields).toMatchObject({
    pay_id: 'card-p',
    role_id: 'r1',
  });
  expect(ends).toEqual(['order Card']);
  expect(document.querySelector('[role=dialog]')).toBeNull();
});

test('without a character a press asks for one, and pays nothing', async () => {
  const { calls, needs } = await show([card], { isGuest: true });
  await press('Card');
  await press('Pay $4.99');
  expect(needs()).toBe(1);
  expect(calls.some(({ path }) => path.endsWith('_pay'))).toBe(false);
});

test('what was paid with last is chosen already, alone until it is to be changed', async () => {
  await show([method('paypal', 'PayPal', { group: 'last' }), card, ...far]);
  expect(rows()).toEqual(['PayPal']);
  expect(chosen()).toEqual(['paypal']);
  expect(shownText()).toContain('Last used');
  expect(payButton().textContent).toBe('Pay $4.99');
  await press('Change');
  expect(rows()).toEqual(['PayPal', 'Card']);
  await press('Card');
  expect(chosen()).toEqual(['card']);
});

test('a browser remembers it for whom the server does not know', async () => {
  await show([card, method('paypal', 'PayPal'), ...far]);
  await press('PayPal');
  await press('Pay $4.99');
  await settle();
  expect(loadText('payMethod')).toBe('paypal');
  chooseChannel('');
  await show([card, method('paypal', 'PayPal'), ...far]);
  expect(rows()).toEqual(['PayPal']);
  expect(chosen()).toEqual(['paypal']);
});

test('a second choice is remembered with its method', async () => {
  save('payMethod', 'store/lawson');
  const store = option('store', { sub_payment: [option('seven', { method: '' }), option('lawson', { method: '' })] });
  await show([card, method('store', 'Convenience store')], { options: [option('card'), store] });
  expect(rows()).toEqual(['Convenience store']);
  expect(shownText()).toContain('with lawson');
  expect(payButton().textContent).toBe('Pay $4.99');
});

const store = method('balance', 'Store balance');
const wallet = { options: [option('card'), option('balance', { pay_path: 'platform_pay' })] };

test.each([
  [1240, '$12.4, enough', 'Pay $4.99', null],
  [499, '$4.99, enough', 'Pay $4.99', null],
  [498, '$4.98, not enough', 'Balance too low · $4.99', 'true'],
  [0, 'Nothing on it yet', 'Balance too low · $4.99', 'true'],
])('a balance of %i cents says "%s"', async (balance, text, button, off) => {
  await show([card, store], { ...wallet, balance });
  expect(shownText()).toContain(text);
  await press('Store balance');
  expect(payButton().textContent).toBe(button);
  expect(payButton().getAttribute('aria-disabled')).toBe(off);
});

test('a method whose providers are all away says so and cannot be chosen', async () => {
  await show([card, method('paypal', 'PayPal', { option: '' })], { options: [option('card')] });
  expect(shownText()).toContain('Down right now');
  expect(document.querySelector<HTMLInputElement>('input[value=paypal]')?.disabled).toBe(true);
});

test.each([
  [[1240, 0], ['$12.4 USD']],
  [
    [1240, 900],
    ['$12.4 USD', '$9 EUR'],
  ],
  [[0, 0], []],
])('My shows what lies in the balance, the rest on demand: %j', async (totals, expected) => {
  const list = totals.map((total, index) => ({
    currency: index === 0 ? 'USD' : 'EUR',
    paid_minor: total,
    free_minor: 0,
    total_minor: total,
    total_shown: `$${total / 100}`,
  }));
  serve({ '/api/pay/balance': { content: { list } } });
  await draw(<BalanceCard />);
  setUser({ username: 'kestrel', suid: 's', oauth_token: 'id', gp_id: '' });
  await settle();
  const shown = document.querySelectorAll('section > p, details li');
  expect([...shown].map((one) => one.textContent)).toEqual(expected);
  expect(document.querySelector('h2')?.textContent ?? '').toBe(expected.length > 0 ? 'Balance in this shop' : '');
});
