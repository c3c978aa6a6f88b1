// Orders in the way of another one: each can be gone on with or cancelled.
import { beforeEach, expect, test, vi } from 'vitest';
import type { BillingInfo } from '#contracts/orders.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { english } from '#testing/english.ts';
import { appear, type Canned, draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { OpenOrdersPopup } from './OpenOrdersPopup.tsx';

speak(english);
beforeEach(() => localStorage.clear());

const CLOSES = Date.UTC(2026, 10, 29, 12, 30);
const order = (billing_no: string, more: Partial<BillingInfo> = {}) =>
  ({
    billing_no,
    stage: 'unpaid',
    product_name: `${billing_no} Crystals`,
    role_name: 'Kestrel',
    price_shown: '$4.99',
    art: 'pack-2',
    url: 'https://pay.example/1',
    created_at: 1,
    closes_at: CLOSES,
    ...more,
  }) as BillingInfo;

async function open(answer: Canned, isCancellable = true) {
  const calls = serve({ '/api/orders/cancel': answer });
  const onContinue = vi.fn<(billingNo: string) => void>();
  await draw(<p>shop</p>);
  openPopup(OpenOrdersPopup, { orders: [order('A'), order('B')], text: 'Too many.', isCancellable, onContinue });
  await settle(50);
  return { calls, onContinue };
}

/** In the question, which is drawn over the list. */
async function agree() {
  await appear('Keep it');
  [...document.querySelectorAll('button')].findLast((one) => one.textContent === 'Cancel this order')?.click();
  await settle(50);
}

test('says why, and when each closes; one that is cancelled makes room', async () => {
  await open({ content: order('A', { stage: 'cancelled' }) });
  expect(shownText()).toContain('Too many.');
  expect(shownText().match(/closes by/g)).toHaveLength(2);
  await press('Cancel this order');
  await agree();
  await expect.poll(shownText).toContain('There is room for a new order.');
  expect(shownText().match(/closes by/g)).toHaveLength(1);
  expect(shownText()).toContain('Cancelled');
});

test('one that cannot be cancelled says until when', async () => {
  await open({ name: 'orderStillPayable', content: order('A') });
  await press('Cancel this order');
  await agree();
  await expect.poll(shownText).toMatch(/says orderStillPayable Without a payment it closes by .*2026\/11\/29/);
  expect(shownText()).toContain('Too many.');
});

test('where the shop could not close it, it can be gone on with alone', async () => {
  const { onContinue } = await open('dead', false);
  expect(shownText()).not.toContain('Cancel this order');
  await press('Go on with this order');
  expect(onContinue).toHaveBeenCalledExactlyOnceWith('A');
});
