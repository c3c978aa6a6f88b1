// Paying and not paying, on every way the news can take.
import { expect } from 'vitest';
import { toDecimal } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import type { Run } from './cases-create.ts';
import { isNone } from './declaration.ts';
import { type ProviderHarness, type Started, until } from './provider-harness.ts';

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

/** The shop compares these before it delivers. */
async function expectPaid(harness: ProviderHarness, payment: Started): Promise<void> {
  const { provider, context, declaration } = harness;
  const report = await harness.settled(payment);
  const { reference, amount } = payment.input;
  expect(report).toMatchObject({ status: 'paid', reference, amount });
  expect([null, provider.accountOf(context.settings)]).toContain(report.merchantAccount);
  if (declaration.queryCalls) return;
  expect(await harness.query(payment)).toMatchObject({ status: 'paid', reference, amount });
}

/** A provider that lists what was paid since a moment lists this one, once. */
async function expectListed({ provider, context }: ProviderHarness, payment: Started, since: number): Promise<void> {
  if (!provider.listPaymentsSince) return;
  const listed = [];
  for await (const line of provider.listPaymentsSince(context, since)) listed.push(line);
  const { reference, amount } = payment.input;
  expect(listed.filter((line) => line.kind === 'money' && line.reference === reference)).toMatchObject([
    { movement: 'payment', amount, captureRef: expect.any(String) },
  ]);
  expect(listed.filter((line) => line.kind === 'unreadable')).toEqual([]);
}

export const payCases: Readonly<Record<PayCase, Run>> = {
  async pay(harness) {
    const since = harness.context.now() - 60_000;
    const payment = await harness.start();
    await harness.pay(payment);
    await expectPaid(harness, payment);
    await expectListed(harness, payment, since);
  },

  async acknowledgement(harness) {
    const { callbacks } = harness.declaration;
    if (isNone(callbacks)) return expect.fail('no acknowledgement without callbacks');
    const payment = await harness.start();
    await harness.pay(payment);
    const { received } = await harness.waitForReport(payment, callbacks.tells.includes('paid') ? 'paid' : 'approved');
    expect(received.answer).toEqual(callbacks.acknowledgement);
    // The simulator reads what we answered as its real one would, and stops sending.
    await until(
      'the simulator to stop sending',
      async () => !(await harness.control.isWaiting(payment.input.reference)),
    );
  },

  async amounts(harness) {
    for (const amount of [harness.declaration.payment.amount, ...harness.declaration.amounts]) {
      expect(harness.provider.supportsCurrency(amount.currency), `${amount.currency}`).toBe(true);
      const payment = await harness.start(harness.newInput(amount));
      // An adapter may read back the very mistake it has written; what the payer sees is the other side's reading.
      expect(shownAmounts(await harness.look(payment)), `what the payer sees of ${amount.currency}`).toContain(
        Number(toDecimal(amount)),
      );
      await harness.pay(payment);
      await expectPaid(harness, payment);
    }
  },

  async decline(harness) {
    const payment = await harness.start();
    if (harness.declaration.knownBy === 'return') await harness.walk(payment, 'Decline');
    else await harness.control.pay(payment.input.reference, { decision: 'decline' });
    let report = harness.declaration.queryCalls ? null : await harness.query(payment);
    // With PayPal the player may agree and the card be declined only when the money is taken.
    if (report?.status === 'approved')
      report = (await harness.provider.capture?.(harness.context, payment.known)) ?? null;
    expect(['pending', 'declined', 'failed', 'expired', null]).toContain(report?.status ?? null);
    expect(harness.reports(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
  },

  async 'return without callback'(harness) {
    const payment = await harness.start();
    const trail = await harness.walk(payment, 'Pay', 'lost');
    expect(payment.returns, `the payer came back on ${trail.join(' -> ')}`).toBe(1);
    const { capture } = harness.provider;
    const report = await harness.query(payment);
    if (capture && report.status === 'approved') {
      const taken = await capture(harness.context, payment.known);
      payment.known = { ...payment.known, captureRef: taken.captureRef };
      expect([taken.status, (await capture(harness.context, payment.known)).status]).toEqual(['paid', 'paid']);
    } else expect(report.status).toBe('paid');
    expect(await harness.query(payment)).toMatchObject({ status: 'paid', amount: payment.input.amount });
    expect(harness.reports(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
  },

  async 'callback without return'(harness) {
    const payment = await harness.start();
    expect(await harness.control.pay(payment.input.reference)).toMatchObject({ status: 200 });
    await harness.capture(payment);
    await expectPaid(harness, payment);
    expect(payment.returns).toBe(0);
  },

  async 'callback before the answer'(harness) {
    const payment = await harness.control.spoil('create', 'early', () => harness.start());
    await harness.waitForReport(payment, harness.tells('approved') ? 'approved' : 'paid');
    await harness.capture(payment);
    await expectPaid(harness, payment);
  },

  async 'paid later'(harness) {
    const payment = await harness.start();
    const { reference } = payment.input;
    await harness.control.pay(reference, { decision: 'later' });
    const status = harness.declaration.queryCalls ? 'pending' : (await harness.query(payment)).status;
    expect(['pending', 'approved']).toContain(status);
    // With PayPal the player has agreed and our capture is what is paid later; with others
    // there is nothing to take yet.
    const isAgreed = status === 'approved';
    if (isAgreed) expect((await harness.capture(payment))?.status).toBe('pending');
    expect(harness.reports(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
    expect(await harness.control.settle(reference)).toMatchObject({ status: 200 });
    if (!isAgreed) await harness.capture(payment);
    await expectPaid(harness, payment);
  },
};
