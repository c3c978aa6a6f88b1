// The recharge popup in a document: when its button works, what it sends, what each answer does.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PaymentMethod, PaymentOption } from '#contracts/payments.ts';
import { clear } from '#web/platform/visitor/storage.ts';
import { closeAllPopups, openPopup } from '#web/platform/popups/popups.tsx';
import { type Actions, setActions } from '#web/platform/calls/reactions.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { visit, visitorId } from '#web/platform/visitor/visitor.ts';
import { english } from '#testing/english.ts';
import {
  appear,
  type Canned,
  draw,
  find,
  press,
  serve,
  settle,
  shownText,
  speak,
  type,
} from '#web/platform/test-page.tsx';
import { keepRegion } from '#web/platform/region.ts';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { type PayEnd, payOrder } from '#web/features/payments/paying/pay-order.ts';
import { ProductBlock } from '#web/features/payments/OrderBlocks.tsx';
import { RechargePopup } from './RechargePopup.tsx';

speak(english);

const option = (key: string, name: string, more: Partial<PaymentOption> = {}): PaymentOption => ({
  payway_id: key,
  channel_id: `${key}-c`,
  key,
  pay_id: `${key}-p`,
  name,
  icon: '/icon.svg',
  sort: 0,
  min_money: '0',
  max_money: '0',
  min: '0',
  max: '0',
  method: key,
  description: '',
  hint: '',
  open_coupon: false,
  pay_path: 'adyen_pay',
  sub_payment: [],
  ...more,
});
const second = (key: string, name: string) => option(key, name, { method: '' });
const wallet = option('w', 'E-wallet', { sub_payment: [second('w1', 'GrabPay'), second('w2', 'Touch n Go')] as never });
const card = option('c', 'Bank card');
const strange = option('s', 'Strange way', { pay_path: 'nobody_pay' });

/** The server turns options into methods: each is one of its own here, unless told otherwise. */
const methodOf = ({ key, name, icon }: PaymentOption, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  key,
  name,
  mark: icon,
  networks: [],
  hint: '',
  group: 'country',
  device: '',
  option: key,
  second: '',
  ...more,
});
const listOf = (channels: PaymentOption[], methods = channels.map((one) => methodOf(one))) => ({
  content: { country: 'SG', list: { SG: channels }, methods },
});

const order = {
  product: { title: '320 Crystals', gift: '+20 Bonus', art: 'pack-2' },
  game: 'Emberfall',
  character: 'Kestrel',
  server: 'S1',
  price: '$4.99',
  listPrice: '',
};
const bundle = {
  ...order.product,
  gift: '+20 Keys',
  parts: [
    { name: 'Crystals', count: 1000, worth_shown: '' },
    { name: 'Keys', count: 20, worth_shown: '' },
  ],
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

const PAY = '/api/pay/adyen_pay';
const good = { content: { billing_no: 'B1', url: 'https://pay.example/1' } };
const opened = {
  opener: {} as unknown,
  closed: false,
  location: { replace: vi.fn<() => void>() },
  close: vi.fn<() => void>(),
};

/** The page's hands, as far as a press of the button may need them. */
const acts = {
  toast: vi.fn<() => void>(),
  report: vi.fn<() => void>(),
  toastNetwork: vi.fn<() => void>(),
  clearUser: vi.fn<() => void>(),
  openLogin: vi.fn<() => void>(),
};
const onLogin = () => undefined;

beforeEach(() => {
  vi.clearAllMocks();
  setActions({ ...acts, isSdkView: () => false } as unknown as Actions);
  Object.assign(opened, { opener: {}, closed: false });
  vi.spyOn(window, 'open').mockImplementation(() => opened as unknown as Window);
});
afterEach(() => {
  chooseChannel('');
  clear('payMethod');
});

async function open(
  pay: Canned | Canned[],
  channels: PaymentOption[] = [card, wallet, strange],
  methods?: PaymentMethod[],
  isDeclined = false,
  more: Parameters<typeof serve>[0] = {},
) {
  const calls = serve({
    '/api/pay/getPayChannelList': listOf(channels, methods),
    [PAY]: pay,
    ...more,
    '/api/pay/getOrderInfo': { content: { is_declined: isDeclined } },
  });
  const ends: PayEnd[] = [];
  await draw(<p>shop</p>);
  keepRegion('sea', 'SG');
  openPopup(RechargePopup, { order, place, target, onEnd: (end: PayEnd) => ends.push(end), onLogin });
  await settle();
  return { calls: () => calls.filter((call) => call.path === PAY), ends };
}

const payButton = () => find('$4.99', 'button') as HTMLButtonElement;
/** Reads the button's text, and whether a press pays. */
const said = () => ({ text: payButton().textContent, isOff: payButton().getAttribute('aria-disabled') === 'true' });
const READY = { text: 'Pay $4.99', isOff: false };

test('L116 the button pays once a method is chosen; before, it says so, and a press leads to the list', async () => {
  const { calls } = await open(good);
  expect(said()).toEqual({ text: 'Choose how to pay · $4.99', isOff: true });
  payButton().click();
  await settle();
  expect(document.activeElement).toBe(document.querySelector('fieldset input[type=radio]'));
  expect(document.querySelector('fieldset')?.hasAttribute('data-pointed')).toBe(true);
  expect(calls()).toEqual([]);
  await press('Bank card');
  expect(said()).toEqual(READY);
});

test('a bundle says all that is in it, its own amount first', async () => {
  serve({ '/api/pay/getPayChannelList': listOf([card]) });
  await draw(<ProductBlock product={bundle} />);
  expect(document.querySelector('[data-order-art]')?.textContent).toBe('320 Crystals1,000 Crystals, 20 Keys');
});

test('the sheet says right above the button whose account pays and which character receives', async () => {
  setUser({ username: 'kestrel@example', suid: 's', oauth_token: 'public-id', gp_id: '' });
  await open(good);
  // Beside the order on low screens, and above the button on all others.
  const lines = [...document.querySelectorAll('[data-payer]')].at(-1) ?? null;
  expect(lines?.textContent).toBe('Accountkestrel@exampleCharacterKestrel · S1');
  expect(payButton().parentElement?.contains(lines)).toBe(true);
});

test('paying sends the order with a key, opens the window cut off from us, and closes', async () => {
  const { calls, ends } = await open(good);
  await press('Bank card');
  await press('Pay $4.99');
  const [call] = calls();
  expect(call?.fields).toMatchObject({
    client_id: '1',
    server_id: 's1',
    role_id: 'r1',
    product_id: 'p',
    price_minor: 499,
    domain_area: 'sea',
    country: 'SG',
    pay_id: 'c-p',
    channel_id: 'c-c',
    platform: 'web',
    bcp47_lang: 'en',
  });
  expect(call?.fields).not.toHaveProperty('areaId');
  expect(call?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(opened.opener).toBeNull();
  expect(opened.location.replace).toHaveBeenCalledWith('https://pay.example/1');
  await settle(50);
  expect(ends).toEqual([
    { kind: 'order', billingNo: 'B1', url: 'https://pay.example/1', page: 'window', isEarlier: false },
  ]);
});

test('L174 the pay call carries every key of the payload', async () => {
  history.replaceState(
    null,
    '',
    '/selectGoods?utm_source=tube&utm_medium=video&utm_pay=kf&game_channel_id=huawei&idfv=D-1',
  );
  try {
    const { calls } = await open(good);
    await press('Bank card');
    await press('Pay $4.99');
    const fields = calls()[0]?.fields ?? {};
    expect(Object.keys(fields).toSorted()).toEqual([
      'bcp47_lang', 'channel_id', 'client_id', 'country', 'did', 'domain_area', 'game_channel_id', 'idfv', 'pay_id', 'platform',
      'price_minor', 'product_id', 'role_id', 'server_id', 'session_id', 'session_time', 'spec_lang', 'traffic_source', 'utm_pay',
    ]); /* a row a line */ // prettier-ignore
    expect(fields).toMatchObject({ traffic_source: 'tube/video', utm_pay: 'kf', game_channel_id: 'huawei' });
    expect([fields['did'], fields['session_id']]).toEqual([visitorId(), visit().id]);
    expect(fields['session_time']).toBe(String(visit().startedAt));
  } finally {
    history.replaceState(null, '', '/');
  }
});

test('L174 the area goes along where the game has area roles', async () => {
  const calls = serve({ [PAY]: good });
  await draw(null);
  await payOrder({ ...target, area_id: 'asia' }, card);
  await payOrder(target, card);
  expect(calls.map((one) => one.fields.areaId)).toEqual(['asia', undefined]);
});

test('after an answer that leaves it open the second press carries the same key; after an answer a new one', async () => {
  const { calls } = await open([{ name: 'unavailable' }, { name: 'gameUnavailable' }, good]);
  await press('Bank card');
  await press('Pay $4.99');
  expect(opened.close).toHaveBeenCalledOnce();
  await press('Pay $4.99');
  await press('Pay $4.99');
  const [lost, refused, placed] = calls().map((call) => call.key);
  expect(refused).toBe(lost);
  expect(placed).not.toBe(lost);
});

test('L193 why the press did not pay is told by a toast, and stands above the button until the next press', async () => {
  await open([{ name: 'gameUnavailable' }, { name: 'notLoggedIn' }]);
  await press('Bank card');
  await press('Pay $4.99');
  const note = () => payButton().parentElement?.querySelector('[role="alert"]')?.textContent;
  expect(note()).toBe('says gameUnavailable');
  expect(acts.toast).toHaveBeenCalledExactlyOnceWith('says gameUnavailable');
  // A reaction that leads elsewhere needs no words. The page is told when the login is there again.
  await press('Pay $4.99');
  expect(note()).toBeUndefined();
  expect(acts.openLogin).toHaveBeenCalledExactlyOnceWith(onLogin);
});

/** A cap of a day, with so many cents left. */
const spending = (left: number) => ({
  content: {
    currency: 'USD',
    needs_age: false,
    age_tiers: [],
    limits: [{ kind: 'day', cap_shown: '$5.00', left_minor: left, left_shown: `$${left / 100}`, ends_at: 0 }],
    caps: [],
    paused_until: 0,
  },
});
const LEFT = 'Left today of your own limit';
const warnings = () => document.querySelectorAll('[role="dialog"] [data-tone="wait"]');

test.each([
  [498, 2],
  [499, 0],
])('with %i cents left of a limit the price is warned of before the press: %i notes', async (left, count) => {
  setUser({ username: 'kestrel', suid: 's', oauth_token: 'public-id', gp_id: '' });
  await open(good, undefined, undefined, false, { '/api/spending/state': spending(left) });
  await appear(LEFT, count === 0 ? 'p' : 'div');
  // One beside the order, for low screens, and one above the button.
  expect(warnings()).toHaveLength(count);
  expect([...warnings()].every((one) => one.textContent?.includes(english['spending.too_little'] as string))).toBe(
    true,
  );
  // An unpaid order of these goods is counted too, and may be paid: the button is not taken away.
  await press('Bank card');
  expect(said()).toEqual(READY);
});

test('a press that a limit refuses leaves one warning, and the limit is read again', async () => {
  setUser({ username: 'kestrel', suid: 's', oauth_token: 'public-id', gp_id: '' });
  const state = { '/api/spending/state': [spending(499), spending(100)] };
  await open({ name: 'ownCapReached' }, undefined, undefined, false, state);
  await press('Bank card');
  await press('Pay $4.99');
  expect(payButton().parentElement?.querySelector('[role="alert"]')?.textContent).toBe('says ownCapReached');
  await appear('$1 of $5.00', 'p');
  expect(warnings()).toHaveLength(0);
});

test('L194 a lost connection is reported and told by a toast, and stands above the button in the same words', async () => {
  await open('dead');
  await press('Bank card');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  payButton().click();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await settle();
  expect(payButton().parentElement?.querySelector('[role="alert"]')?.textContent).toBe(`${english['network.failed']}`);
  expect(acts.report).toHaveBeenCalledOnce();
  expect(acts.toastNetwork).toHaveBeenCalledOnce();
});

test('L199 an unpaid order is shown, not opened', async () => {
  const { ends } = await open({ name: 'repeatOrder', content: good.content });
  await press('Bank card');
  await press('Pay $4.99');
  await settle(50);
  expect(opened.location.replace).not.toHaveBeenCalled();
  expect(ends).toMatchObject([{ kind: 'order', billingNo: 'B1', page: 'earlier', isEarlier: true }]);
});

test('an unpaid order whose last try was declined is tried again: its page opens', async () => {
  const { ends } = await open({ name: 'repeatOrder', content: good.content }, undefined, undefined, true);
  await press('Bank card');
  await press('Pay $4.99');
  await settle(50);
  expect(opened.location.replace).toHaveBeenCalledExactlyOnceWith('https://pay.example/1');
  expect(ends).toMatchObject([{ kind: 'order', billingNo: 'B1', page: 'window', isEarlier: true }]);
});

test('a link that may not be opened is not', async () => {
  const { ends } = await open({ content: { billing_no: 'B1', url: 'javascript:alert(1)' } });
  await press('Bank card');
  await press('Pay $4.99');
  await settle(50);
  expect(opened.location.replace).not.toHaveBeenCalled();
  expect(opened.close).toHaveBeenCalledOnce();
  expect(shownText()).toContain('The link is invalid, please refresh and try again.');
  expect(ends).toMatchObject([{ kind: 'order', url: '' }]);
});

test('another price reads the goods again', async () => {
  const { ends } = await open({ name: 'priceChanged' });
  await press('Bank card');
  await press('Pay $4.99');
  await settle(50);
  expect(ends).toEqual([{ kind: 'reloadGoods' }]);
});

test('a refused window is told, so that the page itself can go to the provider', async () => {
  vi.spyOn(window, 'open').mockImplementation(() => null);
  const { ends } = await open(good);
  await press('Bank card');
  await press('Pay $4.99');
  await settle(50);
  expect(ends).toMatchObject([{ kind: 'order', page: 'refused' }]);
});

test('L118 L197 a pay call that this version does not know says so and sends nothing', async () => {
  const { calls } = await open(good);
  await press('Strange way');
  await press('Pay $4.99');
  expect(shownText()).toContain('This payment method has just changed. Choose again.');
  expect(calls()).toEqual([]);
});

test('L53 a method with ways inside asks which one', async () => {
  const { calls } = await open(good);
  await press('E-wallet');
  expect(said().isOff).toBe(true);
  const use = (await appear('Use this one', 'button')) as HTMLButtonElement;
  expect(use.disabled).toBe(true);
  await press('Touch n Go');
  await press('Use this one');
  await settle(50);
  expect(said()).toEqual(READY);
  expect(shownText()).toContain('with Touch n Go');
  await press('Pay $4.99');
  expect(calls()[0]?.fields.pay_id).toBe('w2-p');
});

test('a channel with ways inside is no way to pay by itself, also when it was kept from an earlier visit', async () => {
  chooseChannel('w');
  await open(good);
  await appear('E-wallet');
  expect(said()).toEqual({ text: 'E-wallet: choose one · $4.99', isOff: true });
  // The press opens the choice instead of saying nothing.
  payButton().click();
  await appear('Use this one', 'button');
});

test('no channel at all is told', async () => {
  await open(good, []);
  expect(shownText()).toContain('No payment method covers this price in Singapore.');
  expect(said().isOff).toBe(true);
});

afterEach(() => closeAllPopups());

const prepaid = option('k', 'Prepaid card', { pay_path: 'card_pay' });
const balance = option('b', 'Balance', { pay_path: 'platform_pay' });

async function openHere(way: PaymentOption, canned: Record<string, Canned | Canned[]>) {
  const calls = serve({
    '/api/pay/getPayChannelList': listOf([card, way]),
    ...canned,
  });
  const ends: PayEnd[] = [];
  await draw(<p>shop</p>);
  openPopup(RechargePopup, { order, place, target, onEnd: (end: PayEnd) => ends.push(end) });
  await settle();
  await press(way.name);
  return { calls, ends };
}

const paidHere = { content: { billing_no: 'B2', url: '' } };
const worth = {
  price: '$9.99',
  price_minor: 999,
  currency: 'USD',
  gems_number: 640,
  extra_gems_number: 40,
  product_name: '',
  can_confirm: false,
  valid_end_time: 0,
};

async function typeCard(number: string, password: string): Promise<void> {
  await type('Card number', number);
  await type('Card password', password);
}

test('L116 L121 a prepaid card: both fields first, then what it is worth, then the question, then one order and no window', async () => {
  const { calls, ends } = await openHere(prepaid, {
    '/api/pay/card_info': { content: worth },
    '/api/pay/card_pay': paidHere,
  });
  expect(said()).toEqual({ text: 'Enter your card · $4.99', isOff: true });
  await typeCard(' ABCD-2345 ', '');
  expect(said().isOff).toBe(true);
  // The dialog puts its own first focus a moment after it has opened.
  await vi.waitFor(() => {
    payButton().click();
    expect(document.activeElement).toBe(document.querySelector('[autocomplete="one-time-code"]'));
  }, 15_000);
  await typeCard(' ABCD-2345 ', '72946150');
  expect(said()).toEqual(READY);
  await press('Pay $4.99');
  await appear('Use your $9.99 card', 'p');
  expect(calls.filter(({ path }) => path === '/api/pay/card_pay')).toEqual([]);
  expect(shownText()).toContain(
    'Use your $9.99 card for 320 Crystals ($4.99)? What is left over goes to your balance.',
  );
  // The question lies above the popup that asked it.
  [...document.querySelectorAll('button')]
    .filter((button) => button.textContent?.includes('Pay $4.99'))
    .at(-1)
    ?.click();
  await settle(50);
  const sent = calls.find(({ path }) => path === '/api/pay/card_pay')?.fields as { card_info: string };
  expect(JSON.parse(atob(sent.card_info))).toEqual({
    card_id: 'ABCD-2345',
    card_password: '72946150',
    hash: createHash('sha256').update('ABCD-2345:72946150').digest('hex'),
  });
  expect(window.open).not.toHaveBeenCalled();
  expect(ends).toEqual([{ kind: 'order', billingNo: 'B2', url: '', page: 'none', isEarlier: false }]);
});

test('a card that is refused is told under its password, which has the focus, and nothing is ordered', async () => {
  const { calls, ends } = await openHere(prepaid, {
    '/api/pay/card_info': { name: 'cardRefused' },
  });
  await typeCard('ABCD2345', '1');
  await press('Pay $4.99');
  const words = await appear('says cardRefused', 'span');
  const [number, password] = document.querySelectorAll('[role="dialog"] input:not([type=radio])');
  expect(document.activeElement).toBe(password);
  expect(password?.getAttribute('aria-describedby')).toContain(words.id);
  expect(number?.getAttribute('aria-invalid')).toBeNull();
  await typeCard('ABCD2345', '2');
  expect(shownText()).not.toContain('says cardRefused');
  expect(calls.some(({ path }) => path === '/api/pay/card_pay')).toBe(false);
  expect(ends).toEqual([]);
});

test('the balance is paid from without a window', async () => {
  const { ends } = await openHere(balance, { '/api/pay/platform_pay': paidHere });
  expect(shownText()).toContain('It is taken from your balance');
  await press('Pay $4.99');
  await settle(50);
  expect(window.open).not.toHaveBeenCalled();
  expect(ends).toMatchObject([{ kind: 'order', billingNo: 'B2' }]);
});

test('L199 payment parameters that do not fit together are told in their own words', async () => {
  const { ends } = await open({ name: 'badRequest' });
  await press('Bank card');
  await press('Pay $4.99');
  await settle(50);
  expect(shownText()).toContain('The payment details do not fit together');
  expect(ends).toEqual([]);
});

test('the fields of a card open inside its row, and a press puts the focus into the first', async () => {
  await openHere(prepaid, {});
  const row = find('Prepaid card', 'label')?.parentElement;
  expect(row?.querySelectorAll('input:not([type=radio])')).toHaveLength(2);
  await press('Bank card');
  expect(document.querySelectorAll('input:not([type=radio])')).toHaveLength(0);
  find('Prepaid card', 'label')
    ?.querySelector('input')
    ?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  await press('Prepaid card');
  expect(document.activeElement).toBe(document.querySelector('input[autocomplete="off"]'));
});

test('after a provider fell away the list is asked again, and the method leads to the next one', async () => {
  const other = option('c2', 'Card by another', { method: 'c', pay_id: 'c2-p' });
  const lists = [listOf([card, other], [methodOf(card)]), listOf([card, other], [methodOf(card, { option: 'c2' })])];
  const calls = serve({ '/api/pay/getPayChannelList': lists, [PAY]: [{ name: 'providerUnavailable' }, good] });
  await draw(<p>shop</p>);
  openPopup(RechargePopup, { order, place, target, onEnd: () => undefined });
  await settle();
  await press('Bank card');
  await press('Pay $4.99');
  await settle();
  await press('Pay $4.99');
  expect(calls.filter(({ path }) => path === PAY).map(({ fields }) => fields.pay_id)).toEqual(['c-p', 'c2-p']);
});
