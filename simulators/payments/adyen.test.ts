// Adyen over HTTP: links, page, notifications, captures, refunds and the note.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { type SignedItem, signItem } from './adyen-signature.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
let base: string;
let headers: Record<string, string>;

const setting = (name: string) => simulators.environment[`REFILL_ADYEN_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
  base = setting('API_BASE');
  headers = { 'x-api-key': setting('API_KEY') };
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-A-${++count}`;
const linkBody = (reference: string, extra: Record<string, unknown> = {}) => ({
  merchantAccount: setting('MERCHANT_ACCOUNT'),
  amount: { value: 499, currency: 'USD' },
  reference,
  description: '300 gems',
  returnUrl: 'http://shop.test/back',
  ...extra,
});
const create = (reference: string, extra: Record<string, unknown> = {}, more: Record<string, string> = {}) =>
  callJson(`${base}/paymentLinks`, { headers: { ...headers, ...more }, body: linkBody(reference, extra) });
const query = (id: string) => callJson(`${base}/paymentLinks/${id}`, { headers });
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/adyen/${verb}`, { body });
type Item = SignedItem & { additionalData: { hmacSignature: string } };
const itemsOf = (reference: string): Item[] =>
  shop.received
    .filter((one) => one.path === '/callback/adyen')
    .flatMap((one) => JSON.parse(one.body).notificationItems)
    .map((one) => one.NotificationRequestItem as Item)
    .filter((one) => one.merchantReference === reference);
const isSigned = (item: Item) => item.additionalData.hmacSignature === signItem(item, setting('HMAC_KEYS'));

it('refuses a wrong key, another account and incomplete links', async () => {
  expect((await callJson(`${base}/paymentLinks`, { body: linkBody('x') })).status).toBe(401);
  expect((await create('x', { merchantAccount: 'Other' })).body.errorCode).toBe('901');
  expect((await create('x', { amount: undefined })).body.errorCode).toBe('100');
  expect((await create('x', { amount: { value: 4.99, currency: 'USD' } })).body.errorCode).toBe('137');
  expect((await create('x', { reference: undefined })).body.errorCode).toBe('130');
  expect((await create('x', { expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(422);
});

it('lists payment methods for the merchant account alone, and makes nothing', async () => {
  const list = (merchantAccount: string) => callJson(`${base}/paymentMethods`, { headers, body: { merchantAccount } });
  expect(await list(setting('MERCHANT_ACCOUNT'))).toMatchObject({
    status: 200,
    body: { paymentMethods: [{ type: 'scheme' }, { type: 'ideal' }] },
  });
  expect(await list('Other')).toMatchObject({ status: 403, body: { errorCode: '901' } });
});

it('a payer in this process pays like one who calls, and only what there is', async () => {
  const reference = newReference();
  await create(reference);
  expect(await simulators.pay('adyen', reference)).toBeDefined();
  expect(itemsOf(reference).map((item) => [item.eventCode, item.success, isSigned(item)])).toEqual([
    ['AUTHORISATION', 'true', true],
  ]);
  expect(await simulators.pay('adyen', 'BILL-NOBODY')).toBeUndefined();
  expect(await simulators.pay('nobody', reference)).toBeUndefined();
});

it('takes a payment: link, page, signed AUTHORISATION, completed', async () => {
  const reference = newReference();
  const made = await create(reference);
  expect([made.status, made.body.status]).toEqual([201, 'active']);
  const page = await (await fetch(made.body.url)).text();
  for (const part of ['300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'Simulated Adyen'])
    expect(page).toContain(part);

  const refused = await pressButton(made.body.url, { action: 'decline', note: '' });
  expect(await refused.text()).toContain('refused');
  expect((await query(made.body.id)).body.status).toBe('active');
  const paid = await pressButton(made.body.url, { action: 'pay', note: '' });
  expect(await paid.text()).toContain('href="http://shop.test/back"');
  expect((await query(made.body.id)).body.status).toBe('completed');

  const items = itemsOf(reference);
  expect(items.map((item) => [item.eventCode, item.success])).toEqual([
    ['AUTHORISATION', 'false'],
    ['AUTHORISATION', 'true'],
  ]);
  expect(items.every(isSigned)).toBe(true);
  expect(items[1]!.amount).toEqual({ value: 499, currency: 'USD' });
  expect(items[0]!.pspReference).not.toBe(items[1]!.pspReference);
  expect(JSON.parse(shop.received[0]!.body).live).toBe('false');
});

it('repeats its answer for a repeated Idempotency-Key and refuses another body under it', async () => {
  const reference = newReference();
  const [first, second] = [
    await create(reference, {}, { 'idempotency-key': 'k1' }),
    await create(reference, {}, { 'idempotency-key': 'k1' }),
  ];
  expect(second.body).toEqual(first.body);
  expect((await create('other', {}, { 'idempotency-key': 'k1' })).body.errorCode).toBe('704');
});

it('expires a link on demand, but not one that is paid', async () => {
  const expire = (id: string) =>
    callJson(`${base}/paymentLinks/${id}`, { method: 'PATCH', headers, body: { status: 'expired' } });
  const open = await create(newReference());
  expect((await expire(open.body.id)).body.status).toBe('expired');
  expect((await fetch(open.body.url)).status).toBe(410);
  expect((await control('pay', { id: open.body.id })).status).toBe(404);
  const paid = await create(newReference());
  await control('pay', { id: paid.body.id });
  expect((await expire(paid.body.id)).status).toBe(422);
});

it('captures by hand where the link says so, and refunds only what was captured', async () => {
  const reference = newReference();
  const made = await create(reference, { manualCapture: true });
  const { pspReference } = (await control('pay', { id: made.body.id })).body.payment;
  const modify = (verb: string, value: number, own: string) =>
    callJson(`${base}/payments/${pspReference}/${verb}`, {
      headers,
      body: { merchantAccount: setting('MERCHANT_ACCOUNT'), amount: { value, currency: 'USD' }, reference: own },
    });
  const outcome = (own: string) => eventually(() => itemsOf(own)[0]);

  expect((await modify('refunds', 499, 'too-early')).body.status).toBe('received');
  expect(await outcome('too-early')).toMatchObject({ eventCode: 'REFUND', success: 'false' });
  await modify('captures', 499, 'capture-1');
  expect(await outcome('capture-1')).toMatchObject({
    eventCode: 'CAPTURE',
    success: 'true',
    originalReference: pspReference,
  });
  await modify('refunds', 100, 'refund-1');
  expect(await outcome('refund-1')).toMatchObject({ eventCode: 'REFUND', success: 'true', amount: { value: 100 } });
  await modify('refunds', 400, 'refund-2');
  expect(await outcome('refund-2')).toMatchObject({ eventCode: 'REFUND', success: 'false' });
  expect(isSigned(await outcome('refund-1'))).toBe(true);
});

it('completes what is paid later by callback only', async () => {
  const reference = newReference();
  const made = await create(reference);
  await control('pay', { reference, decision: 'later' });
  expect((await query(made.body.id)).body.status).toBe('paymentPending');
  expect(itemsOf(reference).map((item) => item.eventCode)).toEqual(['PENDING']);
  await control('settle', { reference });
  expect((await query(made.body.id)).body.status).toBe('completed');
  expect(itemsOf(reference).at(-1)).toMatchObject({ eventCode: 'AUTHORISATION', success: 'true' });
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    const made = await create(reference);
    await control('pay', { reference, note });
    return { reference, id: made.body.id as string, items: itemsOf(reference) };
  };
  const wrong = await paid('wrong-amount');
  expect(wrong.items[0]!.amount.value).toBe(498);
  expect(isSigned(wrong.items[0]!)).toBe(true);
  expect((await query(wrong.id)).body.amount.value).toBe(498);
  expect((await paid('wrong-currency')).items[0]!.amount.currency).toBe('EUR');
  expect(isSigned((await paid('bad-signature')).items[0]!)).toBe(false);
  const merchant = (await paid('wrong-merchant')).items[0]!;
  expect([merchant.merchantAccountCode === setting('MERCHANT_ACCOUNT'), isSigned(merchant)]).toEqual([false, true]);
  const other = await paid('wrong-reference');
  expect([other.items.length, itemsOf(`${other.reference}X`).length]).toEqual([0, 1]);
  expect((await paid('duplicate')).items).toHaveLength(3);
  expect((await paid('lost')).items).toEqual([]);
  expect((await paid('late')).items).toEqual([]);
  const failing = await paid('error500');
  expect([(await query(failing.id)).status, (await query(failing.id)).body.status]).toEqual([500, 'completed']);
  const { reference } = await paid('reorder');
  expect(
    (await eventually(() => itemsOf(reference).length === 2 && itemsOf(reference))).map((one) => one.success),
  ).toEqual(['false', 'true']);
});

it('spoils the next calls as told', async () => {
  const spoiled = async (fault: string) => {
    await control('faults', { on: 'create', fault });
    return create(newReference()).then(
      (answer) => answer.status,
      () => 'no answer',
    );
  };
  expect(await spoiled('error429')).toBe(429);
  expect(await spoiled('html')).toBe(200);
  expect(await spoiled('reset')).toBe('no answer');
  expect(await spoiled('reset-after')).toBe('no answer');
  const held = (await callJson(`${simulators.url}/control/adyen`)).body.payments as { reference: string }[];
  // The refused and the cut-off call made nothing; the one cut off afterwards did.
  expect(held[0]!.reference).toBe(`BILL-A-${count}`);
  expect(held.some((one) => one.reference === `BILL-A-${count - 1}`)).toBe(false);
});
