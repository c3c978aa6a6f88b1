// Codapay over HTTP: init, page, notifications by GET, inquiries and the note.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;

const setting = (name: string) => simulators.environment[`REFILL_CODAPAY_DEMO_${name}`]!;
beforeAll(async () => {
  shop = await startRecordingShop();
  shop.say = () => 'ResultCode=0';
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-C-${++count}`;
const keys = () => ({ apiKey: setting('API_KEY'), projectId: Number(setting('PROJECT_ID')) });
const body = (reference: string, extra: Record<string, unknown> = {}) => ({
  initRequest: {
    ...keys(),
    orderId: `TWD-${reference}`,
    country: 158,
    currency: 901,
    payType: 0,
    items: [{ code: 'sku', name: '300 gems', price: 150 }],
    profile: {
      entry: [
        { key: 'user_id', value: '105' },
        { key: 'return_url', value: 'http://shop.test/back?t={transactionId}&o={orderId}' },
      ],
    },
    ...extra,
  },
});
/** As text: the id would lose its last digits as a number. */
async function callText(verb: string, sent: unknown): Promise<string> {
  const response = await fetch(`${setting('API_BASE')}/${verb}.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  expect(response.headers.get('content-type')).toContain('application/json');
  return response.text();
}
async function create(reference: string, extra: Record<string, unknown> = {}) {
  const text = await callText('init', body(reference, extra));
  return {
    code: JSON.parse(text).initResult.resultCode as number,
    txnId: /"txnId":(\d+)/.exec(text)?.[1] ?? '',
    url: JSON.parse(text).initResult.redirectUrl as string,
  };
}
const inquire = (txnId: string, extra: Record<string, unknown> = {}) =>
  callText('inquiryPaymentResult', { inquiryPaymentRequest: { ...keys(), txnId, needStatusFinal: 'true', ...extra } });
const resultOf = async (txnId: string) => JSON.parse(await inquire(txnId)).paymentResult;
const control = (verb: string, sent: unknown) => callJson(`${simulators.url}/control/codapay/${verb}`, { body: sent });
const notices = (reference: string) =>
  shop.received
    .filter((one) => one.path.startsWith('/callback/codapay?'))
    .map(
      (one) =>
        ({ method: one.method, ...Object.fromEntries(new URL(one.path, 'http://x').searchParams) }) as Record<
          string,
          string
        >,
    )
    .filter((one) => one['OrderId'] === `TWD-${reference}`);
const isSigned = (one: Record<string, string>) =>
  one['Checksum'] ===
  createHash('md5')
    .update(`${one['TxnId']}${setting('API_KEY')}${one['OrderId']}${one['ResultCode']}`)
    .digest('hex');

it('refuses a wrong key, decimals, other letters and incomplete orders', async () => {
  const codeOf = async (extra: Record<string, unknown>) => (await create('x', extra)).code;
  expect(await codeOf({ apiKey: 'wrong' })).toBe(204);
  expect(await codeOf({ projectId: 1 })).toBe(204);
  expect(await codeOf({ items: [{ name: 'Gems', price: 150.5 }] })).toBe(203);
  expect(await codeOf({ items: [{ name: '寶石', price: 150 }] })).toBe(202);
  expect(await codeOf({ items: [{ name: 'Gems', price: 0 }] })).toBe(202);
  expect(await codeOf({ currency: 999 })).toBe(202);
  expect(await codeOf({ profile: { entry: [] } })).toBe(202);
  expect(await codeOf({ orderId: 'abc' })).toBe(202);
  expect((await create('x', { apiKey: 'wrong' })).txnId).toBe('0');
});

it('takes a payment: an id of 19 digits, page, signed notification by GET, result', async () => {
  const reference = newReference();
  const made = await create(reference);
  expect([made.code, made.txnId]).toEqual([0, expect.stringMatching(/^\d{19}$/)]);
  expect(await resultOf(made.txnId)).toMatchObject({ resultCode: 209 });
  const page = await (await fetch(made.url)).text();
  for (const part of ['300 gems', 'NT$150', '>Pay<', '>Decline<', '>Pay later<', 'Simulated Codapay'])
    expect(page).toContain(part);
  const paid = await pressButton(made.url, { action: 'pay', note: '' });
  expect(paid.headers.get('location')).toBe(`http://shop.test/back?t=${made.txnId}&o=TWD-${reference}`);
  const [notice, ...more] = notices(reference);
  expect(notice).toMatchObject({ method: 'GET', TxnId: made.txnId, ResultCode: '0', TotalPrice: '150' });
  expect([isSigned(notice!), more]).toEqual([true, []]);
  expect(await inquire(made.txnId)).toContain(`"txnId":${made.txnId},"orderId":"TWD-${reference}","resultCode":0`);
  expect((await fetch(made.url)).status).toBe(410);
});

it('writes an order id of digits as a number, however long', async () => {
  const { txnId } = await create('', { orderId: '20260102030405060708' });
  expect(await inquire(txnId)).toContain('"orderId":20260102030405060708,');
});

it('sends again until it is answered ResultCode=0', async () => {
  const reference = newReference();
  await create(reference);
  shop.say = () => 'OK';
  await control('pay', { reference });
  const waiting = (await callJson(`${simulators.url}/control/codapay`)).body.pendingCallbacks as {
    reference: string;
  }[];
  expect(waiting.map((one) => one.reference)).toEqual([reference]);
  shop.say = () => 'ResultCode=0';
  await control('callbacks/flush', {});
  expect((await callJson(`${simulators.url}/control/codapay`)).body.pendingCallbacks).toEqual([]);
});

it('tells a declined payment, and completes what is paid later', async () => {
  const declined = newReference();
  const { txnId } = await create(declined);
  await control('pay', { reference: declined, decision: 'decline' });
  expect(notices(declined).map((one) => one['ResultCode'])).toEqual(['210']);
  expect(await resultOf(txnId)).toMatchObject({
    resultCode: 210,
    profile: { entry: expect.arrayContaining([{ key: 'isStatusFinal', value: true }]) },
  });
  const later = newReference();
  const made = await create(later);
  await control('pay', { reference: later, decision: 'later' });
  expect([(await resultOf(made.txnId)).resultCode, notices(later)]).toEqual([431, []]);
  await control('settle', { reference: later });
  expect([(await resultOf(made.txnId)).resultCode, notices(later).length]).toEqual([0, 1]);
});

it('knows its own transactions only', async () => {
  expect((await resultOf('6850822175662776971')).resultCode).toBe(207);
  const { txnId } = await create(newReference());
  expect(JSON.parse(await inquire(txnId, { apiKey: 'x' })).paymentResult.resultCode).toBe(204);
  expect((await control('chargeback', { id: txnId })).status).toBe(404);
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    const { txnId } = await create(reference);
    await control('pay', { reference, note });
    return { reference, txnId, notices: notices(reference) };
  };
  const wrong = await paid('wrong-amount');
  expect([wrong.notices[0]!['TotalPrice'], (await resultOf(wrong.txnId)).totalPrice]).toEqual(['149', 149]);
  expect(isSigned((await paid('bad-signature')).notices[0]!)).toBe(false);
  expect(isSigned((await paid('wrong-merchant')).notices[0]!)).toBe(false);
  const other = await paid('wrong-reference');
  expect([other.notices.length, notices(`${other.reference}X`).map(isSigned)]).toEqual([0, [true]]);
  expect((await paid('duplicate')).notices).toHaveLength(3);
  expect((await paid('lost')).notices).toEqual([]);
  const { reference } = await paid('reorder');
  expect(
    await eventually(() => notices(reference).length === 2 && notices(reference).map((one) => one['ResultCode'])),
  ).toEqual(['210', '0']);
});
