// Payments that are not what was asked for, words nobody knows, and money that goes back.
import { expect } from 'vitest';
import { type Outbound, OutboundError, type PaymentReport } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import { impatient, isSameCall, recorder, type Run } from './cases-create.ts';
import { tearJson } from './tamper.ts';
import { type ProviderHarness, type Started, until } from './provider-harness.ts';

type DoubtCase = Extract<
  CaseName,
  | 'query breaks'
  | 'other order'
  | 'other merchant'
  | 'other currency'
  | 'one unit less'
  | 'unknown status in a callback'
  | 'unknown status in an answer'
  | 'query of what was never made'
  | 'unknown status word'
  | 'paid in an unreadable shape'
  | 'paid in an unreadable shape, by callback'
  | 'paid answer torn anywhere'
>;

/** Collects the callbacks and queries that say "paid" of a payment that went wrong in a way of the provider's. */
async function paidReports(
  harness: ProviderHarness,
  note: string,
): Promise<{ payment: Started; reports: PaymentReport[] }> {
  const payment = await harness.start();
  await harness.pay(payment, note);
  if (harness.tells('paid')) await until('any callback', () => harness.received(payment).length > 0);
  const captured = harness.captured(payment);
  const asked = harness.declaration.queryCalls ? (captured ? [captured] : []) : [await harness.query(payment)];
  const reports = [...harness.reports(payment).map(({ report }) => report), ...asked];
  return { payment, reports: reports.filter(({ status }) => status === 'paid') };
}

/** A word nobody knows in place of "paid" in every answer. */
const withUnknownWord =
  ([paid, unknown]: readonly [string | RegExp, string]) =>
  (open: Outbound): Outbound =>
  async (url, call) => {
    const answer = await open(url, call);
    return { ...answer, text: answer.text.replaceAll(paid, unknown) };
  };

/** A person needs a reason and the answer itself to look into it. */
function expectNotUnderstood(report: PaymentReport, status: 'unknown' | 'paid_unreadable'): void {
  expect(report.status, `${JSON.stringify(report)}`).toBe(status);
  expect(report.reason, 'why').toMatch(/.{5}/);
  expect(report.raw, 'the answer itself').toMatch(/.{5}/s);
  expect(report.raw?.length).toBeLessThanOrEqual(4000);
}

export const doubtCases: Readonly<Record<DoubtCase, Run>> = {
  async 'query breaks'(harness) {
    const payment = await harness.start();
    await harness.pay(payment);
    await harness.settled(payment);
    for (const fault of ['error500', 'html', 'empty', 'reset', 'timeout']) {
      const context = fault === 'timeout' ? harness.changed({ outbound: impatient }) : harness.context;
      const asked = harness.control.spoil('query', fault, () =>
        harness.query(payment, context).then(
          (report) => report.status,
          (error: unknown) => (error instanceof OutboundError ? 'no answer' : `a throw: ${String(error)}`),
        ),
      );
      expect(['unknown', 'no answer'], `${fault}`).toContain(await asked);
    }
    expect((await harness.query(payment)).status).toBe('paid');
  },

  async 'other order'(harness) {
    const { payment, reports } = await paidReports(harness, 'wrong-reference');
    const { reference } = payment.input;
    const paid = harness.reports(payment).filter(({ report }) => report.status === 'paid');
    for (const { report } of paid) expect(report.reference).not.toBe(reference);
    expect(reports.length, 'what is told or known of it').toBeGreaterThan(0);
  },

  async 'other merchant'(harness) {
    const { payment, reports } = await paidReports(harness, 'wrong-merchant');
    const ours = harness.provider.accountOf(harness.context.settings);
    const strange = reports.filter(({ merchantAccount }) => merchantAccount !== null && merchantAccount !== ours);
    const isRefused = harness.received(payment).at(-1)?.reading.kind === 'invalid';
    expect(strange.length > 0 || isRefused, 'the strange account is told, or the callback is not believed').toBe(true);
  },

  async 'other currency'(harness) {
    const { payment, reports } = await paidReports(harness, 'wrong-currency');
    for (const { amount } of reports) expect(amount?.currency).not.toBe(payment.input.amount.currency);
    const isRefused = harness.received(payment).at(-1)?.reading.kind === 'invalid';
    expect(reports.length > 0 || isRefused, 'the strange currency is told, or the callback is not believed').toBe(true);
  },

  async 'one unit less'(harness) {
    const { payment, reports } = await paidReports(harness, 'wrong-amount');
    const { amountMinor, currency } = payment.input.amount;
    expect(reports.length).toBeGreaterThan(0);
    for (const { amount } of reports) {
      expect(amount?.currency).toBe(currency);
      // The provider's smallest unit may be a hundred of ours.
      expect([1, 100]).toContain(amountMinor - (amount?.amountMinor ?? 0));
    }
  },

  async 'unknown status in a callback'(harness) {
    const { unknownKind } = harness.declaration;
    if (unknownKind === undefined) return expect.fail('the declaration names no unknownKind');
    const payment = await harness.start();
    await harness.pay(payment);
    await harness.settled(payment);
    const before = harness.received(payment).length;
    expect(await harness.control.emit(payment.input.reference, unknownKind)).toMatchObject({ status: 200 });
    const { reading } = await until('the strange callback', () => harness.received(payment)[before]);
    const statuses = reading.kind === 'events' ? reading.events.map(({ report }) => report.status) : [];
    expect(['events', 'ignored']).toContain(reading.kind);
    expect(statuses.filter((status) => status !== 'unknown')).toEqual([]);
  },

  async 'unknown status in an answer'(harness) {
    const { unknownWord } = harness.declaration;
    if (!unknownWord) return expect.fail('the declaration names no unknownWord');
    const payment = await harness.start();
    await harness.pay(payment);
    await harness.settled(payment);
    const context = harness.changed({ outbound: withUnknownWord(unknownWord) });
    expectNotUnderstood(await harness.query(payment, context), 'unknown');
    expect((await harness.query(payment)).status).toBe('paid');
  },

  /** A create that was lost and made nothing must come to an end some day. */
  async 'query of what was never made'(harness) {
    const { reference, amount, playerRef, channelId } = harness.newInput();
    const known = {
      reference,
      providerRef: null,
      captureRef: null,
      approval: null,
      amount,
      playerRef,
      channelId,
      createdAt: Date.now(),
    };
    expect(['pending', 'expired', 'failed']).toContain((await harness.provider.query(harness.context, known)).status);
  },

  async 'unknown status word'(harness) {
    const payment = await harness.start();
    await harness.pay(payment, 'unknown-status');
    const captured = harness.captured(payment);
    if (captured) expect(['unknown', 'paid_unreadable', 'paid']).toContain(captured.status);
    expectNotUnderstood(await harness.query(payment), 'unknown');
    const ends = harness
      .reports(payment)
      .filter(({ report }) => ['pending', 'declined', 'failed', 'expired'].includes(report.status));
    expect(ends, 'callbacks that say it is not paid').toEqual([]);
  },

  async 'paid in an unreadable shape'(harness) {
    const payment = await harness.start();
    await harness.pay(payment, 'unreadable');
    const captured = harness.captured(payment);
    if (captured) expectNotUnderstood(captured, 'paid_unreadable');
    if (!harness.declaration.queryCalls) expectNotUnderstood(await harness.query(payment), 'paid_unreadable');
    expect(captured !== undefined || !harness.declaration.queryCalls, 'something was asked').toBe(true);
  },

  async 'paid in an unreadable shape, by callback'(harness) {
    const payment = await harness.start();
    await harness.pay(payment, 'unreadable');
    const { received, report } = await harness.waitForReport(payment, 'paid_unreadable');
    expectNotUnderstood(report, 'paid_unreadable');
    expect(report.reference).toBe(payment.input.reference);
    expect(received.answer.status, 'a callback that reads no better the next time is acknowledged').toBeLessThan(300);
    expect(harness.reports(payment).filter((one) => one.report.status === 'paid')).toEqual([]);
  },

  /** Whatever a field of a paid answer turns into: it stays paid, or it was not understood. It never looks unpaid. */
  async 'paid answer torn anywhere'(harness) {
    const payment = await harness.start();
    await harness.pay(payment);
    await harness.settled(payment);
    const good = recorder();
    expect((await harness.query(payment, harness.changed({ outbound: good.through }))).status).toBe('paid');
    const last = good.calls.at(-1);
    if (!last) return expect.fail('query makes no call; the declaration must say so under queryCalls');
    let torn = 0;
    for (const { what, text } of tearJson(last.answer.text)) {
      const outbound =
        (open: Outbound): Outbound =>
        async (url, call) =>
          isSameCall(last, url, call) ? { ...last.answer, text } : open(url, call);
      const { status } = await harness.query(payment, harness.changed({ outbound }));
      expect(['paid', 'paid_unreadable', 'unknown', 'refunded', 'chargeback'], `${what}: ${text}`).toContain(status);
      torn += status === 'paid' ? 0 : 1;
    }
    expect(torn, 'changes that mattered').toBeGreaterThan(0);
  },
};
