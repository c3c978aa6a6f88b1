// Razer Gold over HTTP: signatures both ways, wall, PIN page, callbacks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { signed, signFields } from './razer-signature.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
const setting = (name: string) => simulators.environment[`REFILL_RAZER_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-R-${++count}`;
type Fields = Record<string, string>;
const fieldsOf = (referenceId: string, extra: Fields = {}): Fields => ({
  applicationCode: setting('APPLICATION_CODE'),
  referenceId,
  version: 'v1',
  amount: '1000',
  currencyCode: 'MYR',
  returnUrl: 'http://shop.test/back',
  description: '60 Embers',
  customerId: 'player-1',
  ...extra,
});
const post = async (fields: Fields) => {
  const answer = await fetch(setting('API_BASE'), { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, body: (await answer.json()) as Fields };
};
const create = (referenceId: string, extra?: Fields) =>
  post(signed(fieldsOf(referenceId, extra), setting('SECRET_KEY')));
const query = async (referenceId: string) => {
  const fields = signed(
    { applicationCode: setting('APPLICATION_CODE'), referenceId, version: 'v1' },
    setting('SECRET_KEY'),
  );
  return callJson(`${setting('API_BASE')}?${new URLSearchParams(fields).toString()}`);
};
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/razer/${verb}`, { body });
const callbacksOf = (reference: string): Fields[] =>
  shop.received
    .filter((one) => one.path === '/callback/razer')
    .map((one) => Object.fromEntries(new URLSearchParams(one.body)))
    .filter((one) => one['referenceId'] === reference);
const isGood = (fields: Fields) => fields['signature'] === signFields(fields, setting('SECRET_KEY'));
const texts = (body: object): Fields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));

it('signs as the manual prints it', () => {
  const callback = {
    applicationCode: '3f2504e04f8911d39a0c0305e82c3301',
    referenceId: 'TRX1708901',
    version: 'v1',
    amount: '1000',
    currencyCode: 'MYR',
    paymentId: 'MPO000000000001',
    paymentStatusCode: '00',
    paymentStatusDate: '2012-12-31T14:59:59Z',
    customerId: '12321144221',
    VirtualCurrencyAmount: '',
    hashType: 'hmac-sha256',
  };
  expect(signFields(callback, 'Ziu61T9xY227aazS530Pk8C5424y663r')).toBe(
    '46153203baf9562e64daed3cc54bd8d183eb31faaf60778673bd8ce6c1de7890',
  );
});

it('refuses in its own words', async () => {
  const codeOf = async (extra: Fields) => (await create(newReference(), extra)).body['code'];
  expect(await codeOf({ applicationCode: 'other' })).toBe('40101');
  expect(await codeOf({ version: 'v2' })).toBe('40002');
  expect(await codeOf({ currencyCode: 'XXX' })).toBe('40003');
  expect(await codeOf({ channelId: '99' })).toBe('40005');
  expect(await codeOf({ amount: '10.00' })).toBe('40006');
  expect(await codeOf({ returnUrl: '' })).toBe('40001');
  expect((await post({ ...signed(fieldsOf('x'), 'wrong') })).body['code']).toBe('40103');
  const reference = newReference();
  expect((await create(reference)).status).toBe(200);
  expect((await create(reference)).body['code']).toBe('40004');
  expect((await query('nobody')).body.code).toBe('40400');
});

it('takes a payment: signed answer, wall, signed callback, way back', async () => {
  const reference = newReference();
  const made = await create(reference);
  expect(isGood(texts(made.body))).toBe(true);
  const url = made.body['paymentUrl']!;
  const page = await (await fetch(url)).text();
  for (const part of ['60 Embers', 'MYR', '10.00', '>Pay<', '>Decline<', '>Pay later<', 'Online banking'])
    expect(page).toContain(part);
  expect((await query(reference)).body).toMatchObject({ paymentStatusCode: '01', amount: 1000 });

  const back = await pressButton(url, { action: 'pay', note: '' });
  expect([back.status, back.headers.get('location')]).toEqual([303, 'http://shop.test/back']);
  const [callback] = callbacksOf(reference);
  expect(callback).toMatchObject({
    paymentStatusCode: '00',
    amount: '1000',
    currencyCode: 'MYR',
    customerId: 'player-1',
  });
  expect(isGood(callback!)).toBe(true);
  const asked = (await query(reference)).body;
  expect(asked.paymentStatusCode).toBe('00');
  expect(isGood(texts(asked))).toBe(true);
});

it('a PIN is its own price', async () => {
  const reference = newReference();
  const {
    amount: _amount,
    currencyCode: _currency,
    ...fields
  } = fieldsOf(reference, { channelId: setting('CHANNEL_PIN') });
  const made = await post(signed(fields, setting('SECRET_KEY')));
  expect(made.body['amount']).toBeUndefined();
  const url = made.body['paymentUrl']!;
  expect(await (await fetch(url)).text()).toContain('By the value of your card');
  const refused = await pressButton(url, { action: 'pay', note: '', pin: '1234' });
  expect(await refused.text()).toContain('This PIN is not valid.');
  await pressButton(url, { action: 'pay', note: '', pin: 'MYR-20.00-12345678' });
  expect(callbacksOf(reference)).toMatchObject([{ paymentStatusCode: '00', amount: '2000', currencyCode: 'MYR' }]);
});

it.each([
  ['CHANNEL_PIN', '60 Embers (MYR 44.90)', 'MYR', '4490', 'Razer Gold PIN'],
  ['CHANNEL_CARRIER', '60 Embers (THB 349.00)', 'THB', '34900', 'Phone bill'],
  ['CHANNEL_CARRIER', '60 Embers', 'USD', '499', 'Phone bill'],
])('%s: the payer of "%s" brings a card of that value', async (channel, description, currency, amount, heading) => {
  const reference = newReference();
  const url = (await create(reference, { channelId: setting(channel), description })).body['paymentUrl']!;
  const page = await (await fetch(url)).text();
  expect(page).toContain(`<h1>${heading}</h1>`);
  const [, pin = ''] = /name="pin"[^>]* value="([^"]+)"/.exec(page) ?? [];
  await pressButton(url, { action: 'pay', note: '', pin });
  expect(callbacksOf(reference)).toMatchObject([{ paymentStatusCode: '00', amount, currencyCode: currency }]);
});

it('declines for good, and pays later by callback', async () => {
  const declined = newReference();
  const made = await create(declined);
  await pressButton(made.body['paymentUrl']!, { action: 'decline', note: '' });
  expect(callbacksOf(declined).map((one) => one['paymentStatusCode'])).toEqual(['03']);
  expect((await control('pay', { reference: declined })).status).toBe(404);

  const later = newReference();
  await create(later);
  await control('pay', { reference: later, decision: 'later' });
  expect((await query(later)).body.paymentStatusCode).toBe('01');
  await control('settle', { reference: later });
  expect(callbacksOf(later).map((one) => one['paymentStatusCode'])).toEqual(['01', '00']);
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    await create(reference);
    await control('pay', { reference, note });
    return { reference, callback: callbacksOf(reference) };
  };
  expect((await paid('wrong-amount')).callback[0]).toMatchObject({ amount: '999' });
  expect((await paid('wrong-currency')).callback[0]).toMatchObject({ currencyCode: 'EUR' });
  expect(isGood((await paid('bad-signature')).callback[0]!)).toBe(false);
  const strange = (await paid('wrong-merchant')).callback[0]!;
  expect([strange['applicationCode'] === setting('APPLICATION_CODE'), isGood(strange)]).toEqual([false, true]);
  const { reference } = await paid('wrong-reference');
  expect(callbacksOf(`${reference}X`)).toHaveLength(1);
  expect((await paid('duplicate')).callback).toHaveLength(3);
  expect((await paid('lost')).callback).toEqual([]);
  const reordered = await paid('reorder');
  await eventually(() => callbacksOf(reordered.reference).length === 2);
  expect(callbacksOf(reordered.reference).map((one) => one['paymentStatusCode'])).toEqual(['03', '00']);
  await control('emit', { reference: reordered.reference, kind: '77' });
  expect(callbacksOf(reordered.reference).at(-1)).toMatchObject({ paymentStatusCode: '77' });
});
