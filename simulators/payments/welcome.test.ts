// Welcome over HTTP: signed forms of desktops and phones, the way back, approval, network cancellation, cancel.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createManualClock, newDataFolder, pressButton } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { mKeyOf, signPairs } from './welcome-signature.ts';

const clock = createManualClock();
let simulators: Simulators;

const setting = (name: string) => simulators.environment[`REFILL_WELCOME_DEMO_${name}`]!;
const mKey = () => mKeyOf(setting('SIGN_KEY'));

beforeAll(async () => {
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: 'http://127.0.0.1:1', clock });
});
afterAll(async () => simulators.close());

let count = 0;
function pcForm(extra: Record<string, string> = {}) {
  count += 1;
  const [oid, price, timestamp] = [`BILL-W-${count}`, '5900', String(clock.now())];
  return {
    version: '1.0',
    mid: setting('MID'),
    oid,
    goodname: '300 gems',
    price,
    currency: 'WON',
    buyername: 'Ann',
    buyertel: '02-000-0000',
    timestamp,
    signature: signPairs([
      ['mKey', mKey()],
      ['oid', oid],
      ['price', price],
      ['timestamp', timestamp],
    ]),
    mKey: mKey(),
    returnUrl: 'http://shop.test/back',
    closeUrl: 'http://shop.test/close',
    gopaymethod: 'Card',
    ...extra,
  };
}

const unescape = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
/** Hidden fields of a page, as a browser would post them. */
function fieldsOf(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescape(value)]));
}
const post = async (url: string, fields: Record<string, string>) => {
  const response = await pressButton(url, fields);
  return { status: response.status, text: await response.text() };
};
const openPc = (form: Record<string, string>) => post(`${setting('PC_BASE')}/pc/open`, form);

/** The form opened and the button pressed: what the browser posts to the shop. */
async function agree(action = 'pay', note = '') {
  const form = pcForm();
  const page = await openPc(form);
  const { visit = '' } = fieldsOf(page.text);
  const back = await post(`${setting('PC_BASE')}/decide`, { visit, action, note });
  return { oid: form.oid, html: back.text, fields: fieldsOf(back.text) };
}
async function approve(
  fields: Record<string, string>,
  url = fields['authUrl'] ?? '',
  extra: Record<string, string> = {},
) {
  const { authToken = '' } = fields;
  const timestamp = String(clock.now());
  const signature = signPairs([
    ['authToken', authToken],
    ['timestamp', timestamp],
  ]);
  const answer = await post(url, {
    mid: setting('MID'),
    authToken,
    price: '5900',
    timestamp,
    signature,
    charset: 'UTF-8',
    format: 'JSON',
    ...extra,
  });
  return JSON.parse(answer.text) as Record<string, string>;
}
async function cancel(tid: string, extra: Record<string, string> = {}) {
  const timestamp = '20240101120000';
  const signature = signPairs([
    ['mid', setting('MID')],
    ['mkey', mKey()],
    ['timestamp', timestamp],
  ]);
  const answer = await post(`${setting('API_BASE')}/cancel/cancel`, {
    payType: 'card',
    mid: setting('MID'),
    tid,
    price: '5900',
    currency: 'WON',
    timestamp,
    signature,
    ...extra,
  });
  return JSON.parse(answer.text) as Record<string, string>;
}

it('opens no form that is not signed by the merchant, or lacks a field', async () => {
  expect((await openPc(pcForm({ price: '100' }))).status).toBe(403);
  expect((await openPc(pcForm({ mKey: 'guess' }))).status).toBe(403);
  expect((await openPc(pcForm({ buyertel: '' }))).status).toBe(400);
  expect((await openPc(pcForm({ gopaymethod: 'VBank' }))).status).toBe(400);
});

it('takes money by approval alone, once, and undoes it', async () => {
  const { fields, html, oid } = await agree();
  expect(html).toContain('target="_top"');
  expect(fields).toMatchObject({ resultCode: '0000', orderNumber: oid, mid: setting('MID') });
  expect((await approve(fields, fields['authUrl'], { signature: 'x' })).resultCode).not.toBe('0000');
  expect((await approve(fields, fields['authUrl'], { price: '100' })).resultCode).not.toBe('0000');
  expect((await approve(fields, fields['netCancelUrl'])).resultCode).not.toBe('0000');
  const paid = await approve(fields);
  expect(paid).toMatchObject({ resultCode: '0000', MOID: oid, TotPrice: '5900', payMethod: 'Card' });
  expect((await approve(fields)).resultCode).not.toBe('0000');
  expect((await approve(fields, fields['netCancelUrl'])).resultCode).toBe('0000');
  expect((await cancel(paid['tid']!)).ResultMsg).toContain('이미 취소');
});

it('brings back who left, keeps who pays later, and forgets after five minutes', async () => {
  expect((await agree('decline')).fields).toMatchObject({ resultCode: 'V013' });
  expect((await agree('later')).fields['authToken']).toBeUndefined();
  const { fields } = await agree();
  clock.advance(5 * 60_000 + 1);
  expect((await approve(fields)).resultMsg).toBe('too late');
});

it('reads the form of a phone in EUC-KR and answers its approval in pairs', async () => {
  const [oid, price, timestamp] = ['BILL-WM-1', '5900', '1700000000000'];
  const signature = signPairs([
    ['mkey', mKey()],
    ['P_AMT', price],
    ['P_OID', oid],
    ['P_TIMESTAMP', timestamp],
  ]);
  const form = new URLSearchParams({
    P_MID: setting('MID'),
    P_OID: oid,
    P_AMT: price,
    P_UNAME: 'Ann',
    P_NEXT_URL: 'http://shop.test/back?ref=1',
    P_TIMESTAMP: timestamp,
    P_SIGNATURE: signature,
  }).toString();
  // "다이아" in EUC-KR.
  const body = `${form}&P_GOODS=%B4%D9%C0%CC%BE%C6`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const page = await (await fetch(`${setting('MOBILE_BASE')}/smart/wcard/`, { method: 'POST', headers, body })).text();
  expect(page).toContain('다이아');
  const back = await post(`${setting('MOBILE_BASE')}/decide`, {
    visit: fieldsOf(page)['visit']!,
    action: 'pay',
    note: '',
  });
  const fields = fieldsOf(back.text);
  expect(fields).toMatchObject({ P_STATUS: '00', P_AMT: '5900' });
  const answer = await post(fields['P_REQ_URL']!, { P_TID: fields['P_TID']!, P_MID: setting('MID') });
  expect(Object.fromEntries(new URLSearchParams(answer.text))).toMatchObject({
    P_STATUS: '00',
    P_TYPE: 'CARD',
    P_OID: oid,
    P_AMT: '5900',
  });
  expect((await cancel(fields['P_TID']!, { payType: 'bank' })).ResultCode).toBe('01');
  expect((await cancel(fields['P_TID']!)).ResultCode).toBe('00');
});

it('serves the script that opens the overlay', async () => {
  const script = await (await fetch(`${setting('PC_BASE')}/stdjs/WelStdPay.js`)).text();
  expect(script).toContain('var WelStdPay');
  expect(script).toContain('/welcome/pc/open');
});

it('does what the note says', async () => {
  const less = await agree('pay', 'wrong-amount wrong-reference');
  expect(await approve(less.fields)).toMatchObject({ TotPrice: '5899', MOID: `${less.oid}X` });
  const failing = await agree('pay', 'error500');
  expect((await approve(failing.fields)).resultCode).toBeUndefined();
  expect((await approve(failing.fields)).resultCode).toBe('0000');
});
