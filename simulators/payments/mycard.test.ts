// MyCard over HTTP: hashes, pages, the way back, confirmation and notices.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callJson,
  createManualClock,
  eventually,
  newDataFolder,
  pressButton,
  startRecordingShop,
} from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { signValues } from './mycard-signature.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
const clock = createManualClock();
const setting = (name: string) => simulators.environment[`REFILL_MYCARD_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url, clock });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-M-${++count}`;

/** The fields of AuthGlobal, v1.6, in their order. */
function fieldsOf(reference: string, extra: Record<string, string> = {}) {
  return {
    FacServiceId: setting('FAC_SERVICE_ID'),
    FacTradeSeq: reference,
    FacGameId: '',
    FacGameName: 'Game',
    TradeType: '2',
    ServerId: '',
    CustomerId: 'player-1',
    PaymentType: 'INGAME',
    ItemCode: '',
    ProductName: '60 Embers',
    Amount: '150',
    Currency: 'TWD',
    SandBoxMode: 'true',
    FacReturnURL: `${shop.url}/return/mycard?ref=${reference}`,
    ...extra,
  };
}
const post = async (call: string, fields: Record<string, string>) => {
  const answer = await fetch(`${setting('API_BASE')}/v1.6/${call}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return (await answer.json()) as Record<string, string>;
};
const create = (reference: string, extra?: Record<string, string>) => {
  const fields = fieldsOf(reference, extra);
  return post('AuthGlobal', { ...fields, Hash: signValues(Object.values(fields), setting('KEY'), 'v1.6') });
};
const query = (AuthCode: string) => post('TradeQuery', { AuthCode });
const confirm = async (AuthCode: string) => (await post('PaymentConfirm', { AuthCode }))['ReturnCode'];
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/mycard/${verb}`, { body });
const receivedOf = (path: string, reference: string) =>
  shop.received.filter((one) => one.path.startsWith(path) && one.body.includes(reference));
const press = (url: string, fields: Record<string, string>) =>
  pressButton(url, { AuthCode: new URL(url).searchParams.get('AuthCode')!, note: '', ...fields });

it('hashes like the integrations, in both styles', () => {
  const values = ['1', '3', 'FT20260101000001', 'INGAME', '150', 'TWD', 'MCTEST00000001', '2', 'A0000'];
  expect(signValues(values, 'TestKeyABC123', 'v1.2')).toBe(
    '8c2fc2320b2379dbb15b56a4c585790a122bdf2d2f2971a38e5ece6adf75d544',
  );
  expect(signValues(values, 'TestKeyABC123', 'v1.1')).toBe(
    '30bb87a2c493fe304fa180806fbd9fb7749db861cfa8a3b8f0196d60ddff9978',
  );
});

it('refuses a wrong hash, another service, wrong fields and a number used before', async () => {
  const fields = fieldsOf(newReference());
  expect((await post('AuthGlobal', { ...fields, Hash: '0' }))['ReturnCode']).toBe('MBP003');
  const wrong: Record<string, string>[] = [
    { FacServiceId: 'OTHER' },
    { Amount: '1.234' },
    { Currency: 'XXX' },
    { SandBoxMode: 'false' },
    { FacTradeSeq: "a'b" },
    { ProductName: '' },
  ];
  const codes: (string | undefined)[] = [];
  for (const extra of wrong) codes.push((await create(newReference(), extra))['ReturnCode']);
  expect(codes).toEqual(['MBP002', 'MBP001', 'MBP001', 'MBP001', 'MBP001', 'MBP001']);
  const reference = newReference();
  expect((await create(reference))['ReturnCode']).toBe('1');
  expect((await create(reference))['AuthCode']).toBeUndefined();
});

describe('a point card', () => {
  it('is typed at MyCard, leads back by a form, is told by the server too, and is confirmed once', async () => {
    const reference = newReference();
    const made = await create(reference);
    const url = made['TransactionUrl']!;
    const page = await (await fetch(url)).text();
    for (const part of [
      '60 Embers',
      'NT$150.00',
      'name="CardID"',
      'name="CardPW"',
      '>Pay<',
      '>Decline<',
      '>Pay later<',
    ])
      expect(page).toContain(part);
    expect(await query(made['AuthCode']!)).toMatchObject({ ReturnCode: '1', PayResult: '0' });
    expect(await confirm(made['AuthCode']!)).toBe('MBP006');

    const wrong = await press(url, { action: 'pay', CardID: 'MC1', CardPW: 'wrong' });
    expect(await wrong.text()).toContain('The card number or the password is wrong.');
    const back = await (await press(url, { action: 'pay', CardID: 'mc-0001 0002', CardPW: 'x' })).text();
    expect(back).toContain(`action="${shop.url}/return/mycard?ref=${reference}"`);
    expect(await query(made['AuthCode']!)).toMatchObject({
      PayResult: '3',
      FacTradeSeq: reference,
      PaymentType: 'INGAME',
      Amount: '150.00',
      MyCardTradeNo: 'MC00010002',
    });

    const [notice] = await eventually(() => {
      const found = receivedOf('/return/mycard', reference);
      return found.length > 0 && found;
    });
    expect(notice!.headers['user-agent']).toBe('MyCardGlobalBilling/1.0');
    const {
      Hash,
      ReturnMsg: _message,
      SerialId: _serial,
      ...signed
    } = Object.fromEntries(new URLSearchParams(notice!.body));
    expect(Hash).toBe(signValues(Object.values(signed), setting('KEY'), 'v1.6'));
    expect(back).toContain(`value="${Hash}"`);

    expect(await confirm(made['AuthCode']!)).toBe('1');
    expect(await confirm(made['AuthCode']!)).toBe(setting('CONFIRMED_CODES'));
    clock.advance(120_000);
    expect(receivedOf('/callback/mycard/makeup', reference)).toEqual([]);
  });

  it('that nobody confirms is told by a make-up notice', async () => {
    const reference = newReference();
    const made = await create(reference);
    await press(made['TransactionUrl']!, { action: 'pay', CardID: 'MC1', CardPW: 'x' });
    clock.advance(60_000);
    const [notice] = await eventually(() => {
      const found = receivedOf('/callback/mycard/makeup', reference);
      return found.length > 0 && found;
    });
    expect(JSON.parse(new URLSearchParams(notice!.body).get('DATA')!)).toMatchObject({
      ReturnCode: '1',
      FacServiceId: setting('FAC_SERVICE_ID'),
      FacTradeSeq: [reference],
    });
  });
});

it('takes points, and lets the player choose where nothing was asked for', async () => {
  const points = await create(newReference(), { PaymentType: 'COSTPOINT' });
  expect(await (await fetch(points['TransactionUrl']!)).text()).toContain('name="Member"');
  await press(points['TransactionUrl']!, { action: 'pay', Member: 'm' });
  const paid = await query(points['AuthCode']!);
  expect(paid['PaymentType']).toBe('COSTPOINT');
  expect(paid['MyCardTradeNo']).toMatch(/^MMS\d+$/);

  const any = await create(newReference(), { PaymentType: '' });
  expect(await (await fetch(any['TransactionUrl']!)).text()).toContain('<option value="FA029">Convenience store');
  await press(any['TransactionUrl']!, { action: 'pay', PaymentType: 'FA029' });
  expect(await query(any['AuthCode']!)).toMatchObject({ PayResult: '3', PaymentType: 'FA029' });
});

it('a declined payment leads back as unpaid, and one for later is paid later', async () => {
  const declined = await create(newReference());
  const back = await (await press(declined['TransactionUrl']!, { action: 'decline' })).text();
  expect(back).toContain('name="PayResult" value="0"');
  expect(await query(declined['AuthCode']!)).toMatchObject({ ReturnCode: '1', PayResult: '0' });

  const reference = newReference();
  const made = await create(reference);
  await control('pay', { reference, decision: 'later' });
  expect(await query(made['AuthCode']!)).toMatchObject({ PayResult: '0' });
  clock.advance(15_000);
  expect(await query(made['AuthCode']!)).toMatchObject({ PayResult: '3' });
  await eventually(() => receivedOf('/callback/mycard/makeup', reference).length === 1);
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    const made = await create(reference);
    await control('pay', { reference, note });
    const notices = receivedOf('/callback/mycard/makeup', reference);
    return { trade: await query(made['AuthCode']!), notices, reference };
  };
  expect((await paid('wrong-amount')).trade['Amount']).toBe('149.00');
  expect((await paid('wrong-currency')).trade['Currency']).toBe('HKD');
  const other = await paid('wrong-reference');
  expect(other.trade['FacTradeSeq']).toBe(`${other.reference}X`);
  expect((await paid('duplicate')).notices).toHaveLength(3);
  expect((await paid('lost')).notices).toEqual([]);
  const strange = new URLSearchParams((await paid('wrong-merchant')).notices[0]!.body).get('DATA')!;
  expect(JSON.parse(strange).FacServiceId).not.toBe(setting('FAC_SERVICE_ID'));
});

it('asks for the difference report', async () => {
  const reference = newReference();
  await create(reference);
  await control('emit', { reference, kind: 'difference' });
  const asked = shop.received.filter((one) => one.path === '/callback/mycard/difference').at(-1)!;
  expect(asked.body).toMatch(/^StartDateTime=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d&EndDateTime=/);
});
