// The result popup in a document: what it says, its polls, its buttons.
import { beforeEach, expect, test, vi } from 'vitest';
import type { BillingInfo, OrderStage } from '#contracts/orders.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { english } from '#testing/english.ts';
import { appear, type Canned, draw, find, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { listUnfinished, rememberOrder } from '#web/features/orders/unfinished/order-info.ts';
import { ResultPopup, type ResultPopupProps } from './ResultPopup.tsx';

speak(english);

beforeEach(() => localStorage.clear());

const STATUS: Partial<Record<OrderStage, number>> = { delivered: 1, failed: -2, expired: -2 };

const order = (stage: OrderStage): BillingInfo => ({
  billing_no: 'B1',
  status: STATUS[stage] ?? -1,
  user_name: 'kestrel',
  game_name: 'Emberfall',
  game_server_name: 'S1',
  role_name: 'Kestrel',
  product_name: '320 Crystals',
  product_id: 'p',
  client_id: '1',
  art: 'pack-2',
  amount: 320,
  bonus_amount: 32,
  first_bonus: '',
  promo_code: '',
  off_shown: '',
  bonus: '+32 Crystals',
  price_shown: '$4.99',
  channel_name: 'Bank card',
  stage,
  url: stage === 'unpaid' ? 'https://pay.example/1' : '',
  is_declined: false,
  created_at: 1,
  paid_at: 2,
  delivering_at: 3,
  delivered_at: stage === 'delivered' ? 4 : 0,
  refunded_at: 0,
});

async function open(
  answers: Canned | Canned[],
  more: Partial<ResultPopupProps> = {},
  page: Parameters<typeof draw>[1] = {},
) {
  const calls = serve({ '/api/pay/getOrderInfo': answers });
  const onToPay = vi.fn<(event: { preventDefault: () => void }, url: string) => void>((event) =>
    event.preventDefault(),
  );
  const onRecharge = vi.fn<() => void>();
  rememberOrder('B1');
  await draw(<p>shop</p>, page);
  const hrefOf = (url: string) => url;
  openPopup(ResultPopup, { billingNo: 'B1', known: null, begun: 'window', hrefOf, onToPay, onRecharge, ...more });
  await settle(50);
  return { calls, onToPay, onRecharge };
}

test.each<[OrderStage, string, string[]]>([
  ['unpaid', 'Waiting for your payment', ['Go to payment', 'I’ve paid', 'Choose another way to pay']],
  ['delivering', 'Payment received', ['Delivering', 'Close']],
  ['review', 'We are checking this order', ['Please don’t pay for this order again', 'Close']],
  ['delivered', 'Delivered! 320 Crystals for Kestrel', ['+32 Crystals', 'Done']],
  ['failed', 'Payment did not go through', ['Pay again · $4.99', 'Choose another way to pay']],
  ['expired', 'Payment did not go through', ['The time to pay ran out']],
  ['refunded', 'Refunded', ['It went back the way you paid', 'Close']],
])('%s says %s', async (stage, title, more) => {
  await open({ content: order(stage) });
  for (const text of [title, ...more, 'B1']) expect(shownText()).toContain(text);
});

test('where the clipboard is shut the number is given to be copied by hand', async () => {
  await open({ content: order('delivered') });
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  await press('Copy');
  await expect.poll(() => document.querySelector('input')?.value).toBe('B1');
  expect(shownText()).toContain(english['result.copy_by_hand']);
});

test('L94 pending gives three hints', async () => {
  await open({ content: order('unpaid') });
  expect(document.querySelectorAll('[role="dialog"] ol li')).toHaveLength(3);
});

test('L93 right after a payment the first poll waits a second; success asks in full and ends the polling', async () => {
  const { calls } = await open({ content: order('delivered') }, { known: order('unpaid') });
  expect(calls).toEqual([]);
  expect(shownText()).toContain('Waiting for your payment');
  await settle(1100);
  expect(calls.map((call) => call.fields.simple)).toEqual(['1', undefined]);
  expect(shownText()).toContain('Delivered!');
  expect(listUnfinished()).toEqual([]);
  await settle(2200);
  expect(calls).toHaveLength(2);
});

test('an unpaid order is asked for again', async () => {
  const { calls } = await open([{ content: order('unpaid') }, { content: order('paid') }]);
  expect(calls).toHaveLength(1);
  await settle(1100);
  expect(calls.length).toBeGreaterThan(1);
  expect(shownText()).toContain('Payment received');
});

test('L94 "I’ve paid" asks the provider and says when nothing came in', async () => {
  const { calls } = await open({ content: order('unpaid') });
  await press('I’ve paid');
  expect(calls.at(-1)?.fields).not.toHaveProperty('simple');
  expect(shownText()).toContain('No payment seen yet');
  expect(find('Go to payment').parentElement?.textContent).toContain('No payment seen yet');
});

test('"Go to payment" and the ways to pay again', async () => {
  const { onToPay, onRecharge } = await open({ content: order('unpaid') });
  await press('Go to payment');
  expect(onToPay).toHaveBeenCalledWith(expect.anything(), 'https://pay.example/1');
  await press('Choose another way to pay');
  expect(onRecharge).toHaveBeenCalledWith(expect.objectContaining({ billing_no: 'B1' }), 'change');
});

test('an order that is not ours is told and forgotten', async () => {
  await open({ name: 'orderNotFound' });
  expect(shownText()).toContain('We cannot find this order');
  expect(listUnfinished()).toEqual([]);
});

test('a refused try can be paid again on the same page', async () => {
  const { onToPay } = await open({ content: { ...order('unpaid'), is_declined: true } }, { begun: 'back' });
  expect(shownText()).toContain('Payment declined');
  await press('Pay again');
  expect(onToPay).toHaveBeenCalledWith(expect.anything(), 'https://pay.example/1');
});

test('L96 a failed order goes back to the ways to pay', async () => {
  const { onRecharge } = await open({ content: order('failed') });
  await press('Pay again');
  expect(onRecharge).toHaveBeenCalledWith(expect.objectContaining({ billing_no: 'B1' }), 'again');
});

test.each<[ResultPopupProps['begun'], string, string]>([
  ['window', 'in the window that just opened', 'Waiting for your payment'],
  ['none', 'Tap “Go to payment” to pay', 'Waiting for your payment'],
  ['back', 'Tap “Go to payment” to pay', 'Waiting for your payment'],
  ['earlier', 'Tap “Go to payment” to pay', 'There is an unpaid order for this product'],
])('L94 an order begun by %s says only what has happened', async (begun, hint, title) => {
  await open({ content: order('unpaid') }, { begun });
  expect(shownText()).toContain(title);
  expect(shownText()).toContain(hint);
  expect(shownText().includes('just opened')).toBe(begun === 'window');
  expect(document.querySelectorAll('[role="dialog"] ol li')).toHaveLength(3);
});

test('L199 an unpaid order of earlier says when it was begun, and leads on', async () => {
  const at = new Date(2026, 10, 22, 16, 11).getTime();
  await open({ content: { ...order('unpaid'), created_at: at } }, { begun: 'earlier' });
  expect(shownText()).toMatch(/You started this order at \S2026\/11\/22 16:11 UTC\S+ Carry on, or pay another way\./);
  expect(find('Go to payment').getAttribute('href')).toBe('https://pay.example/1');
});

test('L95 of a delivered order one button stays in view; what else there is lies above it', async () => {
  await open({ content: order('delivered') }, { afterSale: () => <button type="button">Get it for $3.49</button> });
  const texts = [...document.querySelectorAll('[role="dialog"] button')].map(({ textContent }) => textContent);
  expect(texts.slice(-3)).toEqual(['Get it for $3.49', 'Receipt', 'Done']);
  const foot = find('Done').parentElement;
  expect(foot?.querySelectorAll('button, a')).toHaveLength(1);
});

test('an earlier try that was declined is no answer to the one that begins', async () => {
  const declined = { ...order('unpaid'), is_declined: true };
  await open({ content: declined }, { begun: 'window' });
  expect(shownText()).toContain('Not paid yet');
  expect(shownText()).not.toContain('Payment declined');
});

test('tells once that an order is paid, and nothing while it can still be', async () => {
  const onPaid = vi.fn<() => void>();
  const declined = { ...order('unpaid'), is_declined: true };
  await open([{ content: declined }, { content: order('delivering') }, { content: order('delivered') }], { onPaid });
  expect(onPaid).not.toHaveBeenCalled();
  await settle(1100);
  expect(onPaid).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ stage: 'delivering' }));
  await settle(2100);
  expect(shownText()).toContain('Delivered!');
  expect(onPaid).toHaveBeenCalledOnce();
});

test('L94 "Go to payment" is a link, and the last of the buttons, where Pay has been', async () => {
  await open({ content: order('unpaid') });
  const link = find('Go to payment');
  expect([link.tagName, link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'A',
    '_blank',
    'noopener noreferrer',
  ]);
  const names = [...(link.parentElement?.children ?? [])].map((one) => one.textContent);
  expect(names).toEqual(['Cancel this orderChoose another way to pay', 'I’ve paid', 'Go to payment']);
});

test('L199 a link that may not be opened is no link', async () => {
  const { onToPay } = await open({ content: order('unpaid') }, { hrefOf: () => '' });
  expect(find('Go to payment').tagName).toBe('BUTTON');
  await press('Go to payment');
  expect(onToPay).toHaveBeenCalledOnce();
});

test('a page that did not open is said, with another way to pay, and nothing to look for', async () => {
  const noPage = { ...order('unpaid'), url: '' };
  const { onRecharge } = await open({ content: noPage });
  expect(shownText()).toContain('The payment page did not open');
  expect(shownText()).not.toContain('Go to payment');
  expect(shownText()).not.toContain('I’ve paid');
  await press('Choose another way to pay');
  expect(onRecharge).toHaveBeenCalledWith(expect.objectContaining({ billing_no: 'B1' }), 'change');
});

test('before the server has said so, a page that is not there yet is no failure', async () => {
  await open({ content: order('delivered') }, { known: { ...order('unpaid'), url: '' } });
  expect(shownText()).not.toContain('did not open');
  expect(shownText()).not.toContain('Tap “Go to payment”');
});

test('who left the payment page reads so, until they go there again', async () => {
  await open({ content: { ...order('unpaid'), left_at: 7 } });
  expect(shownText()).toContain('You left the payment page');
  await press('Go to payment');
  expect(shownText()).not.toContain('You left the payment page');
  expect(shownText()).toContain('Waiting for your payment');
});

test('an order is cancelled after a question, and says so', async () => {
  await open({ content: order('unpaid') });
  const calls = serve({
    '/api/pay/getOrderInfo': { content: order('unpaid') },
    '/api/orders/cancel': { content: { ...order('cancelled'), status: -2 } },
  });
  await press('Cancel this order');
  await press('Keep it');
  expect(calls.some(({ path }) => path === '/api/orders/cancel')).toBe(false);
  await press('Cancel this order');
  await appear('Cancel this order?', 'h2');
  last('Cancel this order').click();
  await vi.waitFor(() => expect(shownText()).toContain('Order cancelled'), 4000);
  expect(calls.filter(({ path }) => path === '/api/orders/cancel')).toMatchObject([{ fields: { billing_no: 'B1' } }]);
  expect(listUnfinished()).toEqual([]);
});

test('one that cannot be cancelled says why beside the buttons, and stays', async () => {
  await open({ content: order('unpaid') });
  serve({
    '/api/pay/getOrderInfo': { content: order('unpaid') },
    '/api/orders/cancel': { name: 'orderStillPayable' },
  });
  await press('Cancel this order');
  await appear('Cancel this order?', 'h2');
  last('Cancel this order').click();
  await vi.waitFor(() => expect(find('Go to payment').parentElement?.textContent).toContain('says orderStillPayable'));
});

const last = (text: string) =>
  [...document.querySelectorAll('button')].findLast(({ textContent }) => textContent === text) as HTMLButtonElement;

test('what the game could not deliver names the character, and leads to another one', async () => {
  const onCharacter = vi.fn<() => void>();
  await open({ content: { ...order('refunded'), status: -2, refund_kind: 'game_declined' } }, { onCharacter });
  expect(shownText()).toContain('The game could not deliver this to \u2068Kestrel\u2069.');
  expect(shownText()).toContain('It went back the way you paid');
  await press('Another character');
  expect(onCharacter).toHaveBeenCalledWith(expect.objectContaining({ billing_no: 'B1' }));
});

const game = {
  client_id: '1',
  gp_id: 'g',
  name: 'Emberfall',
  logo: '/logo.svg',
  is_select_game: true,
  sub_game: {},
  terms_link: '',
  privacy_link: '',
};
const delivered = {
  ...order('delivered'),
  paid_at: new Date(2026, 10, 22, 16, 7, 9, 200).getTime(),
  delivered_at: new Date(2026, 10, 22, 16, 7, 12).getTime(),
};

test('L95 a delivered order says where it lies, since when, and how long after the payment', async () => {
  await open({ content: delivered });
  expect(shownText()).toMatch(/In \S+’s bag on \S+ at \S2026\/11\/22 16:07 UTC\S+, 2\.8 s after you paid/);
  expect(shownText()).toContain('including 32 bonus');
});

test('L95 Done closes the popup where the game names no way to open it', async () => {
  await open({ content: delivered });
  expect(shownText()).not.toContain('Open Emberfall');
  await press('Done');
  await settle(1200);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('the game is opened by the link of its file, and the popup closes', async () => {
  await open({ content: delivered }, {}, { games: [{ ...game, open_link: 'emberfall://open' }] });
  const link = find('Open Emberfall');
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['emberfall://open', null]);
  link.addEventListener('click', (event) => event.preventDefault());
  await press('Open Emberfall');
  await settle(1200);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('the next offer is taken by one press', async () => {
  const take = vi.fn<() => void>();
  await open({ content: delivered }, { nextAfter: () => ({ product: '980 Crystals', price: '$14.99', take }) });
  await press('Get 980 Crystals for $14.99');
  expect(take).toHaveBeenCalledOnce();
});

test('the counter runs up when the player has seen the order wait, and stands where they have not', async () => {
  await open([{ content: order('unpaid') }, { content: delivered }], { known: order('unpaid') });
  expect(shownText()).not.toContain('+352');
  await settle(1200);
  await expect.poll(shownText).toContain('+352');
  await open({ content: delivered }, { begun: 'earlier' });
  expect(shownText()).toContain('+352');
});

test('the order number stands in groups of five, the last of six, and is one number to whoever copies it', async () => {
  await open({ content: { ...order('unpaid'), billing_no: '01HZY3C2X5VYH3M2Q1G8TK7N4A' } });
  const code = document.querySelector('code');
  expect([...(code?.children ?? [])].map((one) => one.textContent)).toEqual([
    '01HZY',
    '3C2X5',
    'VYH3M',
    '2Q1G8',
    'TK7N4A',
  ]);
  expect(code?.textContent).toBe('01HZY3C2X5VYH3M2Q1G8TK7N4A');
});
