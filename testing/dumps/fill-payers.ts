// Fills a shop with the limits of payers and with blocked ones: real names, ages, caps and pauses, make-up payments;
// for `fill-shop.ts`.
import type { BillingNo } from '#kernel/ids.ts';
import { saveRealName } from '#server/modules/realname/store.ts';
import { closeReplenish } from '#server/modules/replenish/store.ts';
import { declareAge, pauseSpending, setCap } from '#server/modules/spending/store.ts';
import { makePlayer, report } from '#testing/orders.ts';
import { REPLENISH_MINOR, openTestReplenish, payReplenish } from '#testing/replenish.ts';
import type { TestShop } from '#testing/shop.ts';
import { DONE, deliver, refund, workRefunds } from './fill-acts.ts';

export async function fillPayers(shop: TestShop): Promise<void> {
  for (const state of ['started', 'verified', 'refused'] as const)
    await saveRealName(shop.db, await makePlayer(shop.db), { state, source: 'game:starlane' });
  const playerId = await makePlayer(shop.db);
  const now = new Date();
  await declareAge(shop.db, playerId, { birthYear: now.getFullYear() - 17, birthMonth: 1, hasConsent: true }, null);
  for (const period of ['day', 'week', 'month'] as const) {
    await setCap(shop.db, playerId, { currency: 'USD', period, capMinor: 5000 });
    // A higher one waits for a day.
    await setCap(shop.db, playerId, { currency: 'USD', period, capMinor: 9000 });
  }
  await pauseSpending(shop.db, await makePlayer(shop.db), 30);
  await fillReplenish(shop);
}

/** Make-up payments: open, closed, being paid, unblocked, and given back so that the account is blocked again. */
async function fillReplenish(shop: TestShop): Promise<void> {
  await openTestReplenish(shop, await shop.logIn());
  await closeReplenish(shop.db, await openTestReplenish(shop, await shop.logIn()));
  for (const end of ['paying', 'failed', 'unblocked', 'given back'] as const) {
    const player = await shop.logIn();
    const answer = await payReplenish(shop, player, await openTestReplenish(shop, player));
    if (answer.code !== 1) throw new Error(`no order for a make-up payment: ${answer.text}`);
    const order = { billingNo: answer.content.billing_no as BillingNo, attemptNo: 1 };
    if (end === 'paying') continue;
    const amount = { amountMinor: REPLENISH_MINOR, currency: 'USD' as const };
    await report(shop.db, order, { status: end === 'failed' ? 'failed' : 'paid', amount });
    if (end === 'failed') continue;
    await deliver(shop, DONE);
    if (end === 'unblocked') continue;
    await refund(shop, order);
    await workRefunds(shop, 'done');
  }
}
