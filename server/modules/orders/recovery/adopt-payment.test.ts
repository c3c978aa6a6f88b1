// Money of an order that a restored database does not know and no game got: a person says what it was for.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ulid } from 'ulid';
import type { BillingNo } from '#kernel/ids.ts';
import type { CallbackReading, PaymentReport } from '#server/modules/payments/provider.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { marketOf } from '#server/modules/pricing/service.ts';
import { leaseRefunds } from '#server/modules/orders/refunds/refund-store.ts';
import { FAKE_ACKNOWLEDGEMENT, reportOn } from '#testing/fake-payments.ts';
import { PRICE, callBack, showRoles, stateOf } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { DONE, deliver } from '#testing/dumps/fill-acts.ts';
import { adoptLostPayment } from './adopt-payment.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
  await showRoles(shop, player);
});
afterAll(() => shop.close());
afterEach(async () => {
  shop.paypal.reset();
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
});

const reference = () => ({ billingNo: ulid() as BillingNo, attemptNo: 1 });
const says = (over: Partial<PaymentReport> = {}) => {
  shop.paypal.script.query = (payment) => reportOn(payment, over.status ?? 'paid', { providerRef: 'PSP-7', ...over });
};
function adopt(lost: ReturnType<typeof reference>, isRefund = false) {
  const market = marketOf(shop.configuration.brands.get('watt' as never)!, undefined, undefined, '70021');
  const { game } = shop.configuration.gameOfClient('70021')!;
  return adoptLostPayment(
    { db: shop.db, payments: shop.services.payments, by: 'anna' },
    {
      ...lost,
      provider: 'paypal',
      providerRef: null,
      amount: PRICE,
      player: { player_id: player.playerId, suid: player.suid },
      market: market!,
      game,
      product: game.products.get('star_50')!,
      character: { client_id: '70021', server_id: 's1', area_id: '', role_id: 'r1' },
      isRefund,
    },
  );
}
const rowsOf = async (text: string, billingNo: string) => (await shop.db.query(text, [billingNo])).rows;

test('it is booked and delivered as any order, once', async () => {
  const lost = reference();
  says();
  expect(await adopt(lost)).toMatchObject({ kind: 'done', outcome: 'paid' });
  expect(shop.paypal.calls.query.at(-1)).toMatchObject({ reference: `${lost.billingNo}-1`, amount: PRICE });
  expect(await stateOf(shop, lost.billingNo)).toMatchObject({ state: 'paid' });
  await deliver(shop, DONE);
  expect(await stateOf(shop, lost.billingNo)).toMatchObject({ state: 'delivered' });
  expect(
    await rowsOf(
      'select role_name, adopted_at is not null as adopted from orders where billing_no = $1',
      lost.billingNo,
    ),
  ).toEqual([{ role_name: 'Kestrel_07', adopted: true }]);
  expect(await rowsOf('select actor, act from audit_entry where billing_no = $1', lost.billingNo)).toEqual([
    { actor: 'anna', act: 'adopt-payment' },
  ]);
  expect(await adopt(lost)).toMatchObject({ kind: 'impossible', outcome: 'known' });
});

test('it is given back where that is the decision; nothing is handed over', async () => {
  const lost = reference();
  says();
  expect(await adopt(lost, true)).toMatchObject({ kind: 'done', outcome: 'refund_due' });
  expect(await leaseRefunds(shop.db, 10, 60)).toMatchObject([
    { billing_no: lost.billingNo, amount_minor: PRICE.amountMinor },
  ]);
  await deliver(shop, DONE);
  expect(await stateOf(shop, lost.billingNo)).toMatchObject({ state: 'refund_due' });
});

test('a callback that waited for the order is a repetition of what was booked', async () => {
  const lost = reference();
  const paid = reportOn({ reference: `${lost.billingNo}-1`, amount: PRICE }, 'paid');
  const event: CallbackReading = {
    kind: 'events',
    events: [{ dedupKey: `lost-${lost.billingNo}`, report: paid }],
    answer: FAKE_ACKNOWLEDGEMENT,
  };
  await callBack(shop, event);
  says();
  await adopt(lost);
  const [row] = await rowsOf(
    'select state, next_try_at <= now() as is_due from callback_inbox where dedup_key = $1',
    `lost-${lost.billingNo}`,
  );
  expect(row).toEqual({ state: 'stored', is_due: true });
  await callBack(shop, event);
  expect(
    await rowsOf(
      `select sum(amount_minor)::integer from ledger_entry where account = 'provider_receivable' and billing_no = $1`,
      lost.billingNo,
    ),
  ).toEqual([{ sum: PRICE.amountMinor }]);
});

test.each<[string, Partial<PaymentReport>]>([
  ['provider_says_pending', { status: 'pending' }],
  ['provider_says_another_amount', { amount: { ...PRICE, amountMinor: 98 } }],
  ['went_back', { status: 'refunded' }],
])('what its provider does not confirm is not booked: %s', async (outcome, said) => {
  const lost = reference();
  says(said);
  expect(await adopt(lost)).toMatchObject({ kind: 'impossible', outcome });
  expect(await rowsOf('select from orders where billing_no = $1', lost.billingNo)).toEqual([]);
});
