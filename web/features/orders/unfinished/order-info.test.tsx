// Tests the browser's store of orders, also when somebody wrote nonsense there.
import { beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '#kernel/time.ts';
import {
  changeDraft,
  type Draft,
  dropDraft,
  EMPTY_DRAFT,
  dropOrder,
  listUnfinished,
  loadDraft,
  loadOrigin,
  NO_ROLE,
  readOrderInfo,
  rememberOrder,
  saveOrigin,
  settleDraft,
} from './order-info.ts';

beforeEach(() => localStorage.clear());

const draft: Draft = {
  gameName: 'Emberfall',
  clientId: '70021',
  gameProductId: '7002',
  area: { display: 'Asia', value: 'as' },
  server: { display: 'S12 Dawn', value: 's12' },
  realServer: 's3',
  role: { display: 'Kestrel', value: '9007199254740993' },
  goods: { display: '320 Crystals', value: 'ember_320', price: '4.99' },
  region: 'sea',
  rechargeInfo: { name: 'PayPal', pay_id: '10201' },
  rechargeKey: '10201_paypal',
  billing_no: '01JD7',
  payUntil: 1,
};

test('draft and unfinished orders live side by side', () => {
  changeDraft(draft);
  rememberOrder('A');
  rememberOrder('B');
  expect(loadDraft()).toEqual(draft);
  expect(listUnfinished().map((one) => one.billing_no)).toEqual(['B', 'A']);
  dropOrder('B');
  dropDraft();
  expect(loadDraft()).toBeNull();
  expect(listUnfinished().map((one) => one.billing_no)).toEqual(['A']);
});

test('an order is forgotten after seven days', () => {
  rememberOrder('A', Date.now() - 7 * DAY_MS - 1);
  expect(listUnfinished()).toEqual([]);
});

test('L63 the draft keeps every part, and a change leaves the others alone', () => {
  changeDraft({ clientId: '70021' });
  expect(loadDraft()).toEqual({ ...EMPTY_DRAFT, clientId: '70021' });
  changeDraft(draft);
  expect(loadDraft()).toEqual(draft);
  changeDraft({ ...NO_ROLE, goods: null });
  expect(loadDraft()).toEqual({ ...draft, area: null, server: null, realServer: '', role: null, goods: null });
});

test('a paid order uses up the draft that it came from, and no other', () => {
  changeDraft(draft);
  settleDraft('B');
  expect(loadDraft()).toEqual(draft);
  settleDraft('01JD7');
  expect(loadDraft()).toEqual({ ...draft, goods: null, rechargeInfo: null, rechargeKey: '' });
});

test.each(['area', 'server', 'role', 'goods', 'rechargeInfo'] as const)(
  'L63 a draft whose %s is not what was written is none',
  (part) => {
    expect(readOrderInfo({ draft: { ...draft, [part]: null } }).draft).not.toBeNull();
    for (const nonsense of ['text', {}, { display: 1, value: 2 }])
      expect(readOrderInfo({ draft: { ...draft, [part]: nonsense } }).draft).toBeNull();
  },
);

test('L63 L208 the draft is kept for seven days', () => {
  vi.useFakeTimers({ now: 0 });
  try {
    changeDraft(draft);
    vi.setSystemTime(7 * DAY_MS - 1);
    expect(loadDraft()).toEqual(draft);
    vi.setSystemTime(7 * DAY_MS);
    expect(loadDraft()).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('L43 the origin of a result is kept beside the draft', () => {
  changeDraft(draft);
  expect(loadOrigin()).toBe('');
  saveOrigin('Recharge');
  expect([loadOrigin(), loadDraft()]).toEqual(['Recharge', draft]);
});

test.each([
  [null],
  ['text'],
  [{ draft: { clientId: 1 }, unfinished: 'x', origin: 'Elsewhere' }],
  [{ draft: { ...draft, payUntil: 'yes' } }],
  [{ draft: { ...draft, role: { display: 'Kestrel' } } }],
  [{ draft: { ...draft, goods: 'ember_320' } }],
])('storage holding %j is nothing', (value) => {
  expect(readOrderInfo(value)).toEqual({ draft: null, unfinished: [], origin: '' });
});
