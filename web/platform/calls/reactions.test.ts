// One test a row of the catalogue. @source specification section 8, "Handling"
import { beforeEach, describe, expect, test } from 'vitest';
import { CODES, type CodeName } from '#contracts/errors.ts';
import { type Actions, react, REACTIONS, setActions } from './reactions.ts';

let done: string[] = [];
let isSdk = false;

const actions: Actions = {
  toast: (text) => void done.push(`toast ${text}`),
  report: ({ path }) => void done.push(`report ${path}`),
  toastNetwork: () => void done.push('toast network error'),
  openReport: () => undefined,
  clearUser: () => void done.push('clearUser'),
  openLogin: () => void done.push('openLogin'),
  clearRegion: () => void done.push('clearRegion'),
  clearGame: () => void done.push('clearGame'),
  askReopen: () => void done.push('askReopen'),
  explainRealName: () => void done.push('explainRealName'),
  offerCheckInGame: () => void done.push('offerCheckInGame'),
  askAge: () => void done.push('askAge'),
  showUnpaid: (orders, text, name) => void done.push(`unpaid ${orders.length} ${name} ${text}`),
  go: (to) => void done.push(`go ${to}`),
  showError: (reason) => void done.push(`showError ${reason}`),
  isSdkView: () => isSdk,
};

beforeEach(() => {
  done = [];
  isSdk = false;
  setActions(actions);
});

const refuse = (name: CodeName) => {
  react({ kind: 'code', name, code: CODES[name].code, msg: 'says the server', content: null });
  return done;
};

const rows: [CodeName, string[]][] = [
  ['notLoggedIn', ['clearUser', 'openLogin']],
  ['wrongDomain', ['clearRegion', 'go /notArea']],
  ['notRealName', ['clearUser', 'go /', 'explainRealName']],
  ['ageUnknown', ['askAge']],
  ['replenishError', ['go /errorReplenish']],
  ['noGame', ['toast says the server', 'clearGame']],
  ['illegalCoupon', []],
  ['promoRefused', []],
  ['repeatOrder', []],
  ['tooManyOrders', ['toast says the server']],
  ['openOrderOtherPrice', ['toast says the server']],
  ['orderStillPayable', []],
  ['success', []],
];

describe('codes with a handling of their own', () => {
  test.each(rows)('%s', (name, steps) => expect(refuse(name)).toEqual(steps));

  test('are all tested', () => {
    expect(Object.keys(REACTIONS).toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  });
});

test.each(['tooManyOrders', 'openOrderOtherPrice'] as const)('%s leads to the orders that it names', (name) => {
  const content = { billing_no: '', url: '', open_orders: [{}, {}] };
  react({ kind: 'code', name, code: CODES[name].code, msg: 'says the server', content });
  expect(done).toEqual([`unpaid 2 ${name} says the server`]);
});

test.each(Object.keys(CODES).filter((name) => !(name in REACTIONS)) as CodeName[])('%s shows the message', (name) => {
  expect(refuse(name)).toEqual(['toast says the server']);
});

test('a code this version does not know shows the message', () => {
  react({ kind: 'code', name: null, code: -99, msg: 'news', content: null });
  expect(done).toEqual(['toast news']);
});

test('the SDK view keeps the player at a lost login, and asks for the page to be opened from the game again', () => {
  isSdk = true;
  expect(refuse('notLoggedIn')).toEqual(['askReopen']);
});

test('L188 the SDK view logs nobody out for a real-name check: it is offered where the player is', () => {
  isSdk = true;
  expect(refuse('notRealName')).toEqual(['offerCheckInGame']);
});

test('L194 no answer is reported, then told; success is neither', () => {
  react({ kind: 'network', path: '/api/pay/getServerList', status: 0 });
  react({ kind: 'ok', content: 'goods' });
  expect(done).toEqual(['report /api/pay/getServerList', 'toast network error']);
});
