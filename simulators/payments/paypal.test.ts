// PayPal over HTTP: token, order, page, capture, refund, webhooks and the note.
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { isSignedBy, signedText } from './paypal-signature.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
let base: string;
let headers: Record<string, string>;

const setting = (name: string) => simulators.environment[`REFILL_PAYPAL_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
  base = setting('API_BASE');
  const response = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${setting('CLIENT_ID')}:${setting('CLIENT_SECRET')}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const token = (await response.json()) as { access_token: string };
  headers = { authorization: `Bearer ${token.access_token}`, prefer: 'return=representation' };
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-P-${++count}`;

function orderBody(reference: string, value = '4.99', currency_code = 'USD') {
  return {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: reference, description: '300 gems', amount: { currency_code, value } }],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: 'http://shop.test/back',
          cancel_url: 'http://shop.test/cancel',
          brand_name: 'Watt',
        },
      },
    },
  };
}

const create = (reference: string, extra: Record<string, string> = {}, value?: string, currency?: string) =>
  callJson(`${base}/v2/checkout/orders`, {
    headers: { ...headers, 'paypal-request-id': reference, ...extra },
    body: orderBody(reference, value, currency),
  });
const capture = (id: string, key = id) =>
  callJson(`${base}/v2/checkout/orders/${id}/capture`, { headers: { ...headers, 'paypal-request-id': key }, body: {} });
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/paypal/${verb}`, { body });
const eventsOf = (reference: string) =>
  shop.received.filter((one) => one.path === '/callback/paypal' && one.body.includes(`"${reference}"`));
const kindOf = (received: { body: string }) => (JSON.parse(received.body) as { event_type: string }).event_type;

it('refuses a wrong client, a wrong token and a body that is not JSON', async () => {
  const wrong = await fetch(`${base}/v1/oauth2/token`, { method: 'POST', headers: { authorization: 'Basic eDp5' } });
  expect(wrong.status).toBe(401);
  const bad = await callJson(`${base}/v2/checkout/orders`, { headers: { authorization: 'Bearer A21AA9.x' }, body: {} });
  expect(bad.body.error).toBe('invalid_token');
  const text = await callJson(`${base}/v2/checkout/orders`, { headers, body: '{not json' });
  expect([text.status, text.body.name]).toEqual([400, 'INVALID_REQUEST']);
});

it('takes a payment through approval page, capture and signed callbacks', async () => {
  const reference = newReference();
  const made = await create(reference);
  expect([made.status, made.body.status]).toEqual([201, 'PAYER_ACTION_REQUIRED']);
  const link = made.body.links.find((one: { rel: string }) => one.rel === 'payer-action').href as string;
  const page = await (await fetch(link)).text();
  for (const text of ['Watt', '300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'no real money']) {
    expect(page).toContain(text);
  }
  expect((await capture(made.body.id)).body.details[0].issue).toBe('ORDER_NOT_APPROVED');

  const pressed = await pressButton(link, { token: made.body.id, action: 'pay', note: '' });
  expect(pressed.status).toBe(303);
  const back = new URL(pressed.headers.get('location')!);
  expect(back.searchParams.get('token')).toBe(made.body.id);
  expect(back.searchParams.has('PayerID')).toBe(true);

  const captured = await capture(made.body.id);
  const money = captured.body.purchase_units[0].payments.captures[0];
  expect(captured.status).toBe(201);
  expect(money).toMatchObject({
    status: 'COMPLETED',
    amount: { currency_code: 'USD', value: '4.99' },
    custom_id: reference,
  });
  expect((await capture(made.body.id)).status).toBe(200);
  expect((await capture(made.body.id, 'other')).body.details[0].issue).toBe('ORDER_ALREADY_CAPTURED');

  const received = await eventually(() =>
    eventsOf(reference).find((one) => kindOf(one) === 'PAYMENT.CAPTURE.COMPLETED'),
  );
  expect(eventsOf(reference).map(kindOf)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  expect(received.headers.host).toBe(`product.demo.localhost:${new URL(shop.url).port}`);
  const header = (name: string) => String(received.headers[`paypal-${name}`]);
  const certificate = await (await fetch(header('cert-url'))).text();
  expect(new X509Certificate(certificate).subject).toBe('CN=messageverificationcerts.sandbox.paypal.com');
  const text = signedText({
    transmissionId: header('transmission-id'),
    time: header('transmission-time'),
    webhookId: setting('WEBHOOK_ID'),
    rawBody: received.body,
  });
  expect(isSignedBy(text, header('transmission-sig'), certificate)).toBe(true);
  const verify = (event: string) =>
    callJson(`${base}/v1/notifications/verify-webhook-signature`, {
      headers,
      body: `{"auth_algo":"SHA256withRSA","cert_url":"${header('cert-url')}","transmission_id":"${header('transmission-id')}","transmission_sig":"${header('transmission-sig')}","transmission_time":"${header('transmission-time')}","webhook_id":"${setting('WEBHOOK_ID')}","webhook_event":${event}}`,
    });
  expect((await verify(received.body)).body.verification_status).toBe('SUCCESS');
  expect((await verify(received.body.replace('4.99', '4.98'))).body.verification_status).toBe('FAILURE');
});

it('answers a repeated request id with the same order and status 200', async () => {
  const reference = newReference();
  const [first, second] = [await create(reference), await create(reference)];
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body.id).toBe(first.body.id);
});

it('checks amounts by currency', async () => {
  const issue = async (value: string, currency: string) => {
    const answer = await create(newReference(), {}, value, currency);
    return answer.status === 201 ? 'ok' : answer.body.details[0].issue;
  };
  expect(await issue('500', 'JPY')).toBe('ok');
  expect(await issue('500.00', 'JPY')).toBe('DECIMAL_PRECISION');
  expect(await issue('4.999', 'USD')).toBe('DECIMAL_PRECISION');
  expect(await issue('4900', 'KRW')).toBe('CURRENCY_NOT_SUPPORTED');
});

it('says only id, status and links without Prefer', async () => {
  const made = await create(newReference(), { prefer: 'return=minimal' });
  expect(Object.keys(made.body).toSorted()).toEqual(['id', 'links', 'status']);
});

it('refunds in parts, once per request id, and never more than there was', async () => {
  const made = await create(newReference());
  await control('pay', { id: made.body.id });
  const id = (await capture(made.body.id)).body.purchase_units[0].payments.captures[0].id as string;
  const refund = (key: string, body: unknown) =>
    callJson(`${base}/v2/payments/captures/${id}/refund`, { headers: { ...headers, 'paypal-request-id': key }, body });
  const part = { amount: { currency_code: 'USD', value: '1.00' } };
  expect((await refund('r1', part)).status).toBe(201);
  expect((await refund('r1', part)).status).toBe(200);
  expect((await callJson(`${base}/v2/payments/captures/${id}`, { headers })).body.status).toBe('PARTIALLY_REFUNDED');
  const tooMuch = { amount: { currency_code: 'USD', value: '4.00' } };
  expect((await refund('r2', tooMuch)).body.details[0].issue).toBe('REFUND_AMOUNT_EXCEEDED');
  expect((await refund('r3', {})).body.amount.value).toBe('3.99');
  expect((await refund('r4', {})).body.details[0].issue).toBe('CAPTURE_FULLY_REFUNDED');
});

it('lets a payer pay later: pending at capture, completed by callback', async () => {
  const reference = newReference();
  const made = await create(reference);
  await control('pay', { reference, decision: 'later' });
  expect((await capture(made.body.id)).body.purchase_units[0].payments.captures[0].status).toBe('PENDING');
  await control('settle', { reference });
  expect(eventsOf(reference).map(kindOf).at(-1)).toBe('PAYMENT.CAPTURE.COMPLETED');
});

it('does what the note says', async () => {
  const afterCapture = async (note: string) => {
    const reference = newReference();
    const made = await create(reference);
    await control('pay', { reference, note });
    const answer = await capture(made.body.id);
    return { reference, id: made.body.id as string, answer };
  };
  const wrong = await afterCapture('wrong-amount');
  expect(wrong.answer.body.purchase_units[0].payments.captures[0].amount.value).toBe('4.98');
  const other = await afterCapture('wrong-reference');
  await eventually(() => eventsOf(`${other.reference}X`).length === 1);
  const lost = await afterCapture('lost');
  expect(lost.answer.status).toBe(201);
  const twice = await afterCapture('duplicate');
  await eventually(() => eventsOf(twice.reference).length === 6);
  const failing = await afterCapture('error500');
  expect(failing.answer.status).toBe(500);
  expect((await capture(failing.id)).status).toBe(201);
  const refused = await afterCapture('instrument-declined');
  expect(refused.answer.body.details[0].issue).toBe('INSTRUMENT_DECLINED');
  expect(eventsOf(lost.reference)).toEqual([]);
});
