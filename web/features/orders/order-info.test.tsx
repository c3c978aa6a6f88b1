// What the browser keeps of orders, also when somebody wrote nonsense there.
import { beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#kernel/time.ts';
import { forgetOrder, listUnfinished, loadDraft, readOrderInfo, rememberOrder, saveDraft } from './order-info.ts';

beforeEach(() => localStorage.clear());

const draft = { client_id: '1', product_id: 'p', channelKey: 'a', resume: true };

test('draft and unfinished orders live side by side', () => {
  saveDraft(draft);
  rememberOrder('A');
  rememberOrder('B');
  expect(loadDraft()).toEqual(draft);
  expect(listUnfinished().map((one) => one.billing_no)).toEqual(['B', 'A']);
  forgetOrder('B');
  saveDraft(null);
  expect(loadDraft()).toBeNull();
  expect(listUnfinished().map((one) => one.billing_no)).toEqual(['A']);
});

test('an order is forgotten after seven days', () => {
  rememberOrder('A', Date.now() - 7 * DAY_MS - 1);
  expect(listUnfinished()).toEqual([]);
});

test.each([[null], ['text'], [{ draft: { client_id: 1 }, unfinished: 'x' }], [{ draft: { ...draft, resume: 'yes' } }]])(
  'storage holding %j is nothing',
  (value) => {
    expect(readOrderInfo(value)).toEqual({ draft: null, unfinished: [] });
  },
);
