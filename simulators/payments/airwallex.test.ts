// Airwallex over HTTP: token, intents, script, hosted page, wallets, refunds, webhooks and the note.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
let base: string;
let headers: Record<string, string>;

const setting = (name: string) => simulators.environment[`REFILL_AIRWALLEX_DEMO_${name}`]!;
const login = (apiKey: string) =>
  callJson(`${setting('API_BASE')}/api/v1/authentication/login`, {
    method: 'POST',
    headers: { 'x-client-id': setting('CLIENT_ID'), 'x-api-key': apiKey },
  });

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
  base = `${setting('API_BASE')}/api/v1/pa`;
  headers = { authorization: `Bearer ${(await login(setting('API_KEY'))).body.token}` };
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-W-${++count}`;
const body = (reference: string, extra: Record<string, unknown> = {}) => ({
  request_id: `req-${reference}`,
  amount: 4.99,
  currency: 'USD',
  merchant_order_id: reference,
  return_url: 'http://shop.test/back',
  order: { products: [{ name: '300 gems' }] },
  ...extra,
});
const create = (reference: string, extra: Record<string, unknown> = {}) =>
  callJson(`${base}/payment_intents/create`, { headers, body: body(reference, extra) });
const post = (path: string, sent: unknown) => callJson(`${base}${path}`, { headers, body: sent });
const query = (id: string) => callJson(`${base}/payment_intents/${id}`, { headers });
const control = (verb: string, sent: unknown) =>
  callJson(`${simulators.url}/control/airwallex/${verb}`, { body: sent });
const checkout = (made: { id: string; client_secret: string }) =>
  `${simulators.url}/airwallex/checkout/${made.id}?client_secret=${made.client_secret}`;

const posts = (reference: string) =>
  shop.received.filter((one) => one.path === '/callback/airwallex' && one.body.includes(`"${reference}"`));
const namesOf = (reference: string) => posts(reference).map((one) => JSON.parse(one.body).name as string);
const isSigned = (one: (typeof shop.received)[number]) =>
  one.headers['x-signature'] ===
  createHmac('sha256', setting('WEBHOOK_SECRETS'))
    .update(`${one.headers['x-timestamp'] as string}${one.body}`)
    .digest('hex');

it('refuses a wrong key, calls without a token and incomplete intents', async () => {
  expect((await login('wrong')).status).toBe(401);
  expect((await callJson(`${base}/payment_intents/create`, { body: body('x') })).status).toBe(401);
  for (const extra of [
    { amount: '4.99' },
    { amount: 4.999 },
    { amount: 0 },
    { currency: undefined },
    { merchant_order_id: undefined },
    { request_id: undefined },
  ])
    expect((await create('x', extra)).status).toBe(400);
});

it('takes a payment on its hosted page: refused once, then paid', async () => {
  const reference = newReference();
  const made = await create(reference);
  expect([made.status, made.body.status, made.body.amount]).toEqual([201, 'REQUIRES_PAYMENT_METHOD', 4.99]);
  const url = checkout(made.body);
  const page = await (await fetch(url)).text();
  for (const part of ['300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'Simulated Airwallex'])
    expect(page).toContain(part);
  expect(await (await pressButton(url, { action: 'decline', note: '' })).text()).toContain('refused');
  expect((await query(made.body.id)).body.status).toBe('REQUIRES_PAYMENT_METHOD');
  const paid = await pressButton(url, { action: 'pay', note: '', back: 'http://shop.test/back?ref=1' });
  expect(paid.headers.get('location')).toMatch(/^http:\/\/shop\.test\/back\?ref=1&id=int_/);
  expect((await query(made.body.id)).body).toMatchObject({ status: 'SUCCEEDED', captured_amount: 4.99 });
  expect(namesOf(reference)).toEqual(['payment_intent.requires_payment_method', 'payment_intent.succeeded']);
  expect(posts(reference).every(isSigned)).toBe(true);
  expect((await fetch(url)).status).toBe(410);
});

it('wants the client secret of the intent', async () => {
  const made = await create(newReference());
  expect((await fetch(checkout({ ...made.body, client_secret: 'x' }))).status).toBe(404);
  expect((await pressButton(checkout({ ...made.body, client_secret: '' }), { action: 'pay' })).status).toBe(404);
});

it('serves a script that leads to the checkout', async () => {
  const code = await (await fetch(setting('SCRIPT_URL'))).text();
  const went: string[] = [];
  const window = { location: { assign: (url: string) => went.push(url) } } as Record<string, unknown>;
  new Function('window', code)(window);
  const sdk = window['AirwallexComponentsSDK'] as {
    init(options: object): Promise<{ payments: { redirectToCheckout(options: object): void } }>;
  };
  const { payments } = await sdk.init({ env: 'demo', enabledElements: ['payments'] });
  payments.redirectToCheckout({ intent_id: 'int_1', client_secret: 's&', currency: 'USD', methods: ['card'] });
  expect(went).toEqual([`${simulators.url}/airwallex/checkout/int_1?client_secret=s%26&methods=card`]);
  expect(() => payments.redirectToCheckout({ intent_id: 'int_1' })).toThrow('client_secret');
  await expect(sdk.init({ env: 'sandbox' })).rejects.toThrow('env');
});

it('confirms a wallet and shows its page', async () => {
  const reference = newReference();
  const made = await create(reference);
  const confirm = (method: unknown) =>
    post(`/payment_intents/${made.body.id}/confirm`, { request_id: 'c1', payment_method: method });
  expect((await confirm({ type: 'card', card: {} })).status).toBe(400);
  expect((await confirm({ type: 'gcash', gcash: {} })).status).toBe(400);
  const confirmed = await confirm({ type: 'gcash', gcash: { flow: 'webqr' } });
  expect(confirmed.body.next_action).toMatchObject({ type: 'redirect', method: 'GET' });
  const paid = await pressButton(confirmed.body.next_action.url, { action: 'pay', note: '' });
  expect(paid.headers.get('location')).toContain('http://shop.test/back');
  expect(namesOf(reference)).toEqual(['payment_intent.succeeded']);
});

it('makes one intent of one request id and refuses another body under it', async () => {
  const reference = newReference();
  expect((await create(reference)).body.id).toBe((await create(reference)).body.id);
  expect((await create(reference, { amount: 5 })).body.code).toBe('duplicate_request');
  const { body: list } = await callJson(`${base}/payment_intents?merchant_order_id=${reference}`, { headers });
  expect(list.items).toHaveLength(1);
});

it('cancels what is open, refunds what was paid, and no more than that', async () => {
  const open = await create(newReference());
  const cancel = (id: string) => post(`/payment_intents/${id}/cancel`, { request_id: 'x' });
  expect((await cancel(open.body.id)).body.status).toBe('CANCELLED');
  const reference = newReference();
  const { id } = (await create(reference)).body;
  const refund = (amount: number, requestId: string) =>
    post('/refunds/create', { request_id: requestId, payment_intent_id: id, amount, metadata: { reference } });
  expect((await refund(1, 'r0')).status).toBe(400);
  await control('pay', { reference });
  expect((await cancel(id)).status).toBe(400);
  const first = await refund(4, 'r1');
  expect(first.body.status).toBe('RECEIVED');
  expect((await refund(4, 'r1')).body.id).toBe(first.body.id);
  expect((await refund(4, 'r2')).body.code).toBe('amount_above_limit');
  const notice = await eventually(() => posts(reference).find((one) => one.body.includes('"refund.settled"')));
  expect(JSON.parse(notice.body).data.object).toMatchObject({ amount: 4, payment_intent_id: id });
  await control('chargeback', { reference });
  expect(namesOf(reference).at(-1)).toBe('payment_dispute.requires_response');
});

it('completes what is paid later by webhook only', async () => {
  const reference = newReference();
  const { id } = (await create(reference)).body;
  await control('pay', { reference, decision: 'later' });
  expect((await query(id)).body.status).toBe('PENDING');
  await control('settle', { reference });
  expect((await query(id)).body.status).toBe('SUCCEEDED');
  expect(namesOf(reference)).toEqual(['payment_intent.pending', 'payment_intent.succeeded']);
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    const { id } = (await create(reference)).body;
    await control('pay', { reference, note });
    return { reference, id: id as string, posts: posts(reference) };
  };
  const wrong = await paid('wrong-amount');
  expect(JSON.parse(wrong.posts[0]!.body).data.object.captured_amount).toBe(4.98);
  expect((await query(wrong.id)).body.captured_amount).toBe(4.98);
  const currency = await paid('wrong-currency');
  expect(JSON.parse(currency.posts[0]!.body).data.object.currency).toBe('EUR');
  expect(isSigned((await paid('bad-signature')).posts[0]!)).toBe(false);
  const merchant = (await paid('wrong-merchant')).posts[0]!;
  expect([JSON.parse(merchant.body).account_id === setting('ACCOUNT_ID'), isSigned(merchant)]).toEqual([false, true]);
  const other = await paid('wrong-reference');
  expect([other.posts.length, posts(`${other.reference}X`).length]).toEqual([0, 1]);
  expect((await paid('duplicate')).posts).toHaveLength(3);
  expect((await paid('lost')).posts).toEqual([]);
  const failing = await paid('error500');
  expect([(await query(failing.id)).status, (await query(failing.id)).body.status]).toEqual([500, 'SUCCEEDED']);
  const { reference } = await paid('reorder');
  expect(await eventually(() => namesOf(reference).length === 2 && namesOf(reference))).toEqual([
    'payment_intent.requires_payment_method',
    'payment_intent.succeeded',
  ]);
});
