// EBANX over HTTP: request, page, query, signed notifications, cancel, refund, and what it refuses.
import { createHash, verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;

const setting = (name: string) => simulators.environment[`REFILL_EBANX_DEMO_${name}`]!;
const call = (verb: string, fields: object) =>
  callJson(`${setting('API_BASE')}/ws/${verb}`, { body: { integration_key: setting('INTEGRATION_KEY'), ...fields } });

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
function order(extra: object = {}) {
  count += 1;
  return {
    name: 'Ana',
    email: 'ana@example.com',
    country: 'br',
    currency_code: 'BRL',
    amount: '24.90',
    merchant_payment_code: `BILL-E-${count}`,
    payment_type_code: '_all',
    redirect_url: 'http://shop.test/back',
    due_date: '31/12/2099',
    ...extra,
  };
}
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/ebanx/${verb}`, { body });
const notifications = (hash: string) =>
  shop.received.filter(({ path, body }) => path === '/callback/ebanx' && body.includes(hash));

function isSigned({ body, headers }: (typeof shop.received)[number]): boolean {
  const certificate = new X509Certificate(setting('CERTIFICATES'));
  const fingerprint = createHash('sha1').update(certificate.raw).digest('hex').toUpperCase();
  const content = Buffer.from(String(headers['x-signature-content']), 'base64');
  return (
    headers['x-signature-type'] === 'rsa,sha1' &&
    headers['x-signature-fingerprint'] === fingerprint &&
    certificate.verify(certificate.publicKey) &&
    verify('RSA-SHA1', Buffer.from(body), certificate.publicKey, content)
  );
}

async function pay(action = 'pay', note = '') {
  const { body } = await call('request', order());
  const answer = await pressButton(body.redirect_url, { action, note });
  const { hash } = body.payment;
  return {
    hash: hash as string,
    code: body.payment.merchant_payment_code as string,
    back: answer.headers.get('location'),
  };
}
const statusOf = async (hash: string) => (await call('query', { hash })).body.payment.status;

it('refuses without a key and with a wrong one, and what is incomplete, each with 200', async () => {
  const bare = await callJson(`${setting('API_BASE')}/ws/request`, { body: order() });
  expect([bare.status, bare.body.status_code]).toEqual([200, 'BP-SA-1']);
  expect((await call('request', order({ integration_key: 'guess' }))).body.status).toBe('ERROR');
  expect((await call('request', order({ email: undefined }))).body.status_message).toContain('email');
  expect((await call('request', order({ amount: '24.905' }))).body.status).toBe('ERROR');
});

it('takes a payment: page, signed notification without a word of the amount, query', async () => {
  const { hash, code, back } = await pay();
  expect(back).toBe(`http://shop.test/back?hash=${hash}&merchant_payment_code=${code}`);
  const [notice] = notifications(hash);
  expect(notice!.body).toBe(`operation=payment_status_change&notification_type=update&hash_codes=${hash}`);
  expect(isSigned(notice!)).toBe(true);
  expect((await call('query', { merchant_payment_code: code })).body.payment).toMatchObject({
    hash,
    status: 'CO',
    amount_ext: '24.90',
    currency_ext: 'BRL',
  });
});

it('makes one payment of a code', async () => {
  const asked = order();
  await call('request', asked);
  expect((await call('request', asked)).body).toMatchObject({
    status_code: 'BP-DR-0',
    status_message: expect.stringContaining('OP'),
  });
});

it('pays vouchers later, cancels what is declined or open, and nothing else', async () => {
  const later = await pay('later');
  expect(await statusOf(later.hash)).toBe('PE');
  expect((await call('cancel', { hash: later.hash })).body.status).toBe('ERROR');
  await control('settle', { id: later.hash });
  expect(await statusOf(later.hash)).toBe('CO');
  expect(await statusOf((await pay('decline')).hash)).toBe('CA');
  const open = (await call('request', order())).body.payment;
  expect((await call('cancel', { hash: open.hash })).body.payment.status).toBe('CA');
});

it('gives back what there is, once for a code', async () => {
  const { hash } = await pay();
  const refund = (amount: string, code: string) =>
    call('refund', { operation: 'request', hash, amount, description: 'test', merchant_refund_code: code });
  expect((await refund('24.91', 'R0')).body.status).toBe('ERROR');
  expect((await refund('24.90', 'R1')).body.refund).toMatchObject({ status: 'RE', merchant_refund_code: 'R1' });
  expect((await refund('24.90', 'R1')).body.status).toBe('ERROR');
  const notice = await eventually(() =>
    notifications(hash).find(({ body }) => body.includes('notification_type=refund')),
  );
  expect(isSigned(notice)).toBe(true);
  expect((await call('query', { hash })).body.payment.refunds).toMatchObject([{ status: 'CO', amount_ext: '24.90' }]);
});

it('does what the note says', async () => {
  const less = await pay('pay', 'wrong-amount wrong-reference');
  expect((await call('query', { hash: less.hash })).body.payment).toMatchObject({
    amount_ext: '24.89',
    merchant_payment_code: `${less.code}X`,
  });
  const bad = await pay('pay', 'bad-signature');
  expect(isSigned(notifications(bad.hash)[0]!)).toBe(false);
  const disputed = await pay();
  await control('chargeback', { id: disputed.hash });
  expect((await call('query', { hash: disputed.hash })).body.payment.chargeback).toBeTruthy();
});
