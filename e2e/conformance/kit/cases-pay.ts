// Paying and not paying, on every way the news can take.
import { expect } from 'vitest';
import { toDecimal } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import type { Run } from './cases-create.ts';
import { isNone } from './declaration.ts';
import { type Stand, type Started, until } from './stand.ts';

type PayCase = Extract<
  CaseName,
  | 'pay'
  | 'acknowledgement'
  | 'amounts'
  | 'decline'
  | 'return without callback'
  | 'callback without return'
  | 'callback before the answer'
  | 'paid later'
>;

/** Every number on a page, to compare with an amount: only for the eye, so a float will do. */
function shownAmounts(text: string): number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((one) => Number(one.replaceAll(',', '')));
}

/** What the shop compares before it delivers. */
async function expectPaid(stand: Stand, payment: Started): Promise<void> {
  const { provider, context, declaration } = stand;
  const report = await stand.settled(payment);
  const { reference, amount } = payment.input;
  expect(report).toMatchObject({ status: 'paid', reference, amount });
  expect([null, provider.accountOf(context.settings)]).toContain(report.merchantAccount);
  if (declaration.queryCalls) return;
  expect(await stand.query(payment)).toMatchObject({ status: 'paid', reference, amount });
}

export const payCases: Readonly<Record<PayCase, Run>> = {
  async pay(stand) {
    const payment = await stand.start();
    await stand.pay(payment);
    await expectPaid(stand, payment);
  },

  async acknowledgement(stand) {
    const { callbacks } = stand.declaration;
    if (isNone(callbacks)) return expect.fail('no acknowledgement without callbacks');
    const payment = await stand.start();
    await stand.pay(payment);
    const { heard } = await stand.told(payment, callbacks.tells.includes('paid') ? 'paid' : 'approved');
    expect(heard.answer).toEqual(callbacks.acknowledgement);
    // The stand-in reads what we answered as its real one would, and stops sending.
    await until('the stand-in to stop sending', async () => !(await stand.desk.isWaiting(payment.input.reference)));
  },

  async amounts(stand) {
    for (const amount of [stand.declaration.payment.amount, ...stand.declaration.amounts]) {
      expect(stand.provider.supportsCurrency(amount.currency), `${amount.currency}`).toBe(true);
      const payment = await stand.start(stand.newInput(amount));
      // An adapter may read back the very mistake it has written; what the payer sees is the other side's reading.
      expect(shownAmounts(await stand.look(payment)), `what the payer sees of ${amount.currency}`).toContain(
        Number(toDecimal(amount)),
      );
      await stand.pay(payment);
      await expectPaid(stand, payment);
    }
  },

  async decline(stand) {
    const payment = await stand.start();
    if (stand.declaration.news === 'return') await stand.walk(payment, 'Decline');
    else await stand.desk.pay(payment.input.reference, { decision: 'decline' });
    let report = stand.declaration.queryCalls ? null : await stand.query(payment);
    // With PayPal the player may agree and the card be declined only when the money is taken.
    if (report?.status === 'approved') report = (await stand.provider.capture?.(stand.context, payment.known)) ?? null;
    expect(['pending', 'declined', 'failed', 'expired', null]).toContain(report?.status ?? null);
    expect(stand.tellings(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
  },

  async 'return without callback'(stand) {
    const payment = await stand.start();
    const trail = await stand.walk(payment, 'Pay', 'lost');
    expect(payment.returns, `the payer came back on ${trail.join(' -> ')}`).toBe(1);
    const { capture } = stand.provider;
    const report = await stand.query(payment);
    if (capture && report.status === 'approved') {
      const taken = await capture(stand.context, payment.known);
      payment.known = { ...payment.known, captureRef: taken.captureRef };
      expect([taken.status, (await capture(stand.context, payment.known)).status]).toEqual(['paid', 'paid']);
    } else expect(report.status).toBe('paid');
    expect(await stand.query(payment)).toMatchObject({ status: 'paid', amount: payment.input.amount });
    expect(stand.tellings(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
  },

  async 'callback without return'(stand) {
    const payment = await stand.start();
    expect(await stand.desk.pay(payment.input.reference)).toMatchObject({ status: 200 });
    await stand.capture(payment);
    await expectPaid(stand, payment);
    expect(payment.returns).toBe(0);
  },

  async 'callback before the answer'(stand) {
    const payment = await stand.desk.spoil('create', 'early', () => stand.start());
    await stand.told(payment, stand.tells('approved') ? 'approved' : 'paid');
    await stand.capture(payment);
    await expectPaid(stand, payment);
  },

  async 'paid later'(stand) {
    const payment = await stand.start();
    const { reference } = payment.input;
    await stand.desk.pay(reference, { decision: 'later' });
    const status = stand.declaration.queryCalls ? 'pending' : (await stand.query(payment)).status;
    expect(['pending', 'approved']).toContain(status);
    // With PayPal the player has agreed and our capture is what is paid later; with others
    // there is nothing to take yet.
    const isAgreed = status === 'approved';
    if (isAgreed) expect((await stand.capture(payment))?.status).toBe('pending');
    expect(stand.tellings(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
    expect(await stand.desk.settle(reference)).toMatchObject({ status: 200 });
    if (!isAgreed) await stand.capture(payment);
    await expectPaid(stand, payment);
  },
};
