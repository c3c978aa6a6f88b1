// Xsolla over HTTP: token, user validation, page, webhooks, reports, refunds and the note.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { signBody } from './xsolla-signature.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
let merchant: string;
let headers: Record<string, string>;

const setting = (name: string) => simulators.environment[`REFILL_XSOLLA_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
  merchant = `${setting('API_BASE')}/merchant/v2/merchants/${setting('MERCHANT_ID')}`;
  headers = { authorization: `Basic ${btoa(`${setting('MERCHANT_ID')}:${setting('API_KEY')}`)}` };
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});
beforeEach(() => {
  shop.answer = () => 204;
});

let count = 0;
const newReference = () => `BILL-X-${++count}`;

function tokenBody(reference: string, checkout: unknown = { amount: 4.99, currency: 'USD' }) {
  return {
    user: { id: { value: 'player-1' }, name: { value: 'Kestrel' } },
    settings: {
      project_id: Number(setting('PROJECT_ID')),
      external_id: reference,
      mode: 'sandbox',
      return_url: 'http://shop.test/back',
    },
    purchase: { checkout, description: { value: '300 gems' } },
    custom_parameters: { brand: 'watt' },
  };
}

async function newToken(reference: string): Promise<string> {
  const made = await callJson(`${merchant}/token`, { headers, body: tokenBody(reference) });
  expect(made.status).toBe(200);
  return made.body.token as string;
}
const pageOf = (token: string) => `${setting('PAY_STATION_BASE')}/paystation4/?token=${token}`;
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/xsolla/${verb}`, { body });
const search = (reference: string, extra = '&show_dry_run=1') =>
  callJson(
    `${merchant}/reports/transactions/search.json?external_id=${reference}&datetime_from=2020-01-01&datetime_to=2099-01-01${extra}`,
    { headers },
  );
const bodiesOf = (reference: string) =>
  shop.received.map((one) => JSON.parse(one.body)).filter((body) => JSON.stringify(body).includes(`"${reference}"`));
const kindsOf = (reference: string) => bodiesOf(reference).map((body) => body.notification_type);

it('refuses a wrong key, another merchant and an incomplete token request', async () => {
  expect((await callJson(`${merchant}/token`, { body: {} })).status).toBe(401);
  const other = merchant.replace(/\d+$/, '1');
  expect((await callJson(`${other}/token`, { headers, body: {} })).status).toBe(403);
  const incomplete = await callJson(`${merchant}/token`, {
    headers,
    body: tokenBody('x', { amount: 4.999, currency: 'USD' }),
  });
  expect(incomplete.status).toBe(422);
  expect(Object.keys(incomplete.body.extended_message.property_errors)).toEqual(['purchase.checkout']);
  const won = await callJson(`${merchant}/token`, {
    headers,
    body: tokenBody('x', { amount: 4900.5, currency: 'KRW' }),
  });
  expect(won.status).toBe(422);
});

it('opens the page only for a player whom the shop knows', async () => {
  const token = await newToken(newReference());
  shop.answer = () => 400;
  const refused = await fetch(pageOf(token));
  expect([refused.status, (await refused.text()).includes('>Pay<')]).toEqual([403, false]);
  shop.answer = () => 500;
  expect((await fetch(pageOf(token))).status).toBe(503);
  shop.answer = () => 204;
  const opened = await fetch(pageOf(token));
  const text = await opened.text();
  expect(opened.status).toBe(200);
  for (const part of ['300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'Simulated Xsolla'])
    expect(text).toContain(part);
});

it('takes a payment: validation, signed payment and order_paid, return, report', async () => {
  const reference = newReference();
  const token = await newToken(reference);
  expect((await search(reference)).body).toEqual([]);
  const pressed = await pressButton(pageOf(token).split('?')[0]!, { token, action: 'pay', note: '' });
  const back = new URL(pressed.headers.get('location')!);
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    user_id: 'player-1',
    status: 'done',
    external_id: reference,
  });

  expect(kindsOf(reference)).toEqual(['payment', 'order_paid']);
  const [payment, order] = bodiesOf(reference);
  expect(payment).toMatchObject({
    purchase: { checkout: { amount: 4.99, currency: 'USD' } },
    transaction: { external_id: reference, dry_run: 1 },
    custom_parameters: { brand: 'watt' },
  });
  expect(order).toMatchObject({ order: { mode: 'sandbox', amount: '4.99' }, user: { external_id: 'player-1' } });
  for (const one of shop.received) {
    expect(one.path).toBe('/callback/xsolla');
    expect(one.headers.authorization).toBe(`Signature ${signBody(one.body, setting('PROJECT_SECRET'))}`);
  }
  const [found] = (await search(reference)).body;
  expect(found.transaction).toMatchObject({ status: 'done', external_id: reference });
  expect((await search(reference, '')).body).toEqual([]);
  const details = await callJson(`${merchant}/reports/transactions/${found.transaction.id}/details`, { headers });
  expect(details.body[0].purchase.simple_checkout).toEqual({ amount: 4.99, currency: 'USD' });
});

it('takes one payment for one token, however often it is paid', async () => {
  const reference = newReference();
  await newToken(reference);
  const [first, second] = [await control('pay', { reference }), await control('pay', { reference })];
  expect(second.body.transaction.id).toBe(first.body.transaction.id);
  expect(kindsOf(reference).filter((kind) => kind === 'payment')).toHaveLength(1);
});

it('refunds, once', async () => {
  const reference = newReference();
  await newToken(reference);
  const { id } = (await control('pay', { reference })).body.transaction;
  const refund = (body: unknown, verb = 'refund') =>
    callJson(`${merchant}/reports/transactions/${id}/${verb}`, { method: 'PUT', headers, body });
  expect((await refund({})).status).toBe(422);
  expect((await refund({ description: 'part', refund_amount: 1.5 }, 'partial_refund')).status).toBe(200);
  expect((await search(reference)).body[0].transaction.status).toBe('partial_refunded');
  // A call for all of it is refused then, and so is one for more than is left.
  expect((await refund({ description: 'all' })).status).toBe(422);
  expect((await refund({ description: 'more', refund_amount: 3.5 }, 'partial_refund')).status).toBe(422);
  expect((await refund({ description: 'rest', refund_amount: 3.49 }, 'partial_refund')).status).toBe(200);
  expect((await refund({ description: 'again', refund_amount: 3.49 }, 'partial_refund')).status).toBe(422);
  const partsOf = () => kindsOf(reference).filter((kind) => kind === 'partial_refund');
  await eventually(() => partsOf().length === 2);
  expect((await search(reference)).body[0].transaction.status).toBe('refunded');
});

it('refunds all at once', async () => {
  const reference = newReference();
  await newToken(reference);
  const { id } = (await control('pay', { reference })).body.transaction;
  const url = `${merchant}/reports/transactions/${id}/refund`;
  const call = () => callJson(url, { method: 'PUT', headers, body: { description: 'all' } });
  expect([(await call()).status, (await call()).status]).toEqual([200, 422]);
  await eventually(() => kindsOf(reference).includes('refund'));
});

it('declines, then lets the same token be paid', async () => {
  const reference = newReference();
  const token = await newToken(reference);
  await control('pay', { reference, decision: 'decline' });
  expect((await search(reference)).body[0].transaction.status).toBe('error');
  expect(await (await fetch(pageOf(token))).text()).toContain('declined');
  await control('pay', { reference });
  expect(
    (await search(reference)).body.map((one: { transaction: { status: string } }) => one.transaction.status),
  ).toEqual(['error', 'done']);
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    await newToken(reference);
    await control('pay', { reference, note });
    return reference;
  };
  const wrong = await paid('wrong-amount');
  expect(bodiesOf(wrong)[0].purchase.checkout.amount).toBe(4.98);
  expect((await search(wrong)).body[0].purchase.simple_checkout.amount).toBe(4.98);
  expect(bodiesOf(await paid('wrong-currency'))[0].purchase.checkout.currency).toBe('EUR');
  expect(kindsOf(await paid('lost'))).toEqual([]);
  const other = await paid('wrong-reference');
  expect([kindsOf(other), kindsOf(`${other}X`)]).toEqual([[], ['payment', 'order_paid']]);
  const project = bodiesOf(await paid('wrong-merchant')).map((body) => body.settings.project_id);
  expect(project).toEqual([Number(setting('PROJECT_ID')) + 1, Number(setting('PROJECT_ID')) + 1]);
  const bad = await paid('bad-signature');
  const sent = shop.received.find((one) => one.body.includes(bad))!;
  expect(sent.headers.authorization).not.toBe(`Signature ${signBody(sent.body, setting('PROJECT_SECRET'))}`);
  const reordered = await paid('reorder');
  expect(kindsOf(reordered)[0]).toBe('afs_reject');
  const failing = await paid('error500');
  expect([(await search(failing)).status, (await search(failing)).status]).toEqual([500, 200]);
  // The other two are sent at once, and which arrives first is the network's business.
  expect(await eventually(() => kindsOf(reordered).length === 3 && kindsOf(reordered).toSorted())).toEqual([
    'afs_reject',
    'order_paid',
    'payment',
  ]);
});

it('can tell of the payment before the token call is answered', async () => {
  await control('faults', { on: 'create', fault: 'early' });
  const reference = newReference();
  await newToken(reference);
  expect(kindsOf(reference)).toEqual(['payment', 'order_paid']);
});
