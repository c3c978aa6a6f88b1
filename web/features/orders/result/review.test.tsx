// An order in review, wherever its player meets it: no payment is claimed that was not made, and none is asked for.
import { beforeEach, expect, test, vi } from 'vitest';
import type { BillingInfo, ReviewKind } from '#contracts/orders.ts';
import { english } from '#testing/english.ts';
import { openReceipt } from '#web/features/orders/open.ts';
import { OrderHistory } from '#web/features/orders/history/OrderHistory.tsx';
import { rememberOrder } from '#web/features/orders/unfinished/order-info.ts';
import { UnfinishedNote } from '#web/features/orders/unfinished/UnfinishedNote.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { draw, find, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { ResultPopup } from './ResultPopup.tsx';
import { ReviewStanding } from './ReviewStanding.tsx';

speak(english);

beforeEach(() => localStorage.clear());

type Kind = ReviewKind | undefined;
/** Kinds, whether the payment is in our books, the title, the word of the chip. */
const KINDS: [Kind, boolean, string, string][] = [
  ['payment', false, 'We are checking your payment', 'Payment being checked'],
  ['received', true, 'Payment received', 'Paid, being checked'],
  ['delivery', true, 'Payment received', 'Delivery being checked'],
  ['refund', true, 'Part of your money went back', 'Partly refunded'],
  ['dispute', true, 'Your payment was disputed', 'Payment disputed'],
  // An older server names none; a newer one may name others.
  [undefined, true, 'We are checking this order', 'Being checked'],
  ['tomorrow' as ReviewKind, false, 'We are checking this order', 'Being checked'],
];

const order = (kind: Kind, isPaid: boolean): BillingInfo => ({
  billing_no: 'B1', status: -1, user_name: 'kestrel', game_name: 'Emberfall', game_server_name: 'S1', role_name: 'Kestrel', product_name: '320 Crystals',
  product_id: 'p', client_id: '1', art: 'pack-2', amount: 320, bonus_amount: 0, bonus: '', first_bonus: '', promo_code: '', off_shown: '', price_shown: '$4.99',
  channel_name: 'Bank card', stage: 'review', ...(kind && { review_kind: kind }), url: '', is_declined: false, created_at: 1, paid_at: isPaid ? 2 : 0,
  delivering_at: isPaid ? 3 : 0, delivered_at: 0, refunded_at: 0,
}); /* a row a line */ // prettier-ignore

const SUPPORT = 'https://help.example';

async function openResult(kind: Kind, isPaid: boolean): Promise<void> {
  serve({ '/api/pay/getOrderInfo': { content: order(kind, isPaid) } });
  await draw(<p>shop</p>);
  const { brand } = readBoot();
  await draw(<p>shop</p>, { brand: { ...brand, links: { ...brand.links, support: SUPPORT } } });
  const nothing = () => undefined;
  const props = { billingNo: 'B1', known: null, begun: 'back' as const, hrefOf: () => '' };
  openPopup(ResultPopup, { ...props, onToPay: nothing, onRecharge: nothing });
  await settle(50);
}

/** Words that claim money: allowed only where it is in the books. */
const CLAIMS = /Payment received|\bPaid\b/;

test.each(KINDS)('the result of %s, paid %j: %s', async (kind, isPaid, title) => {
  await openResult(kind, isPaid);
  const said = shownText();
  expect(said).toContain(title);
  expect(said).toContain('give the order number');
  expect(said).toContain('B1');
  expect(said.includes('Please don’t pay for this order again')).toBe(kind !== 'dispute');
  expect(find('Customer service', '[role="dialog"] a').getAttribute('href')).toBe(SUPPORT);
  expect(said.includes('Pay again')).toBe(false);
  expect(!isPaid && CLAIMS.test(said)).toBe(false);
});

test('the delivery line stands only where the delivery is what is checked', async () => {
  const lines: Record<string, boolean> = {};
  for (const [kind, isPaid] of KINDS) {
    await openResult(kind, isPaid);
    lines[String(kind)] = document.querySelector('[role="dialog"] li[data-state="now"]') !== null;
  }
  expect(Object.keys(lines).filter((kind) => lines[kind])).toEqual(['delivery']);
});

test.each(KINDS)('on My, %s, paid %j: chip and receipt', async (kind, isPaid, _title, chip) => {
  const reviewed = order(kind, isPaid);
  serve({ '/api/orders/history': { content: { list: [reviewed], next: '' } } });
  await draw(<OrderHistory shopLink={null} onContinue={() => undefined} />);
  await vi.waitFor(() => expect(shownText()).toContain(chip));
  // L205: day, hour and offset, as everywhere.
  expect(shownText()).toMatch(/Kestrel · \S\d{4}\/\d\d\/\d\d \d\d:\d\d UTC/);
  expect(!isPaid && CLAIMS.test(shownText())).toBe(false);
  openReceipt({ order: reviewed, onContinue: () => undefined });
  await vi.waitFor(() =>
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('give the order number'),
  );
  expect(shownText()).not.toContain('Go on with this order');
});

test.each(KINDS)('the card of a returning player, %s, paid %j: %s', async (kind, isPaid, title) => {
  rememberOrder('B1');
  serve({ '/api/pay/getOrderInfo': { content: order(kind, isPaid) } });
  await draw(<UnfinishedNote onShow={() => undefined} />);
  await vi.waitFor(() => expect(shownText()).toContain('320 Crystals'));
  expect(shownText()).toContain(title);
  expect(shownText()).not.toContain('not finished yet');
});

test('a make-up payment in review names its order and asks for no second payment', async () => {
  await draw(<ReviewStanding kind="payment" billingNo="B1" />);
  for (const text of ['We are checking your payment', 'Please don’t pay', 'B1']) expect(shownText()).toContain(text);
  expect(shownText()).not.toMatch(CLAIMS);
});
