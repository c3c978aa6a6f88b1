// Money that goes back, and payments that are called off.
import { expect } from 'vitest';
import type { CaseName } from './case-names.ts';
import { impatient, type Run } from './cases-create.ts';
import { type ProviderHarness, type Started, until } from './provider-harness.ts';

type BackCase = Extract<
  CaseName,
  'refund' | 'refund breaks' | 'two parts' | 'refund of what is left' | 'cancel' | 'chargeback'
>;

async function startPaid(harness: ProviderHarness): Promise<Started> {
  const payment = await harness.start();
  await harness.pay(payment);
  await harness.settled(payment);
  return payment;
}

/** That the money went back: told, or known when asked. */
async function expectRefunded(harness: ProviderHarness, payment: Started): Promise<void> {
  const { amount } = payment.input;
  if (harness.tells('refunded'))
    expect((await harness.waitForReport(payment, 'refunded')).report.amount).toEqual(amount);
  else if (!harness.declaration.queryCalls) expect((await harness.query(payment)).status).toBe('refunded');
}

/** Groups the callbacks about money that went back by the key of each message. */
const refundReports = (harness: ProviderHarness, payment: Started) =>
  Map.groupBy(
    harness.reports(payment).filter(({ report }) => report.status === 'refunded'),
    ({ dedupKey }) => dedupKey,
  );
const amountsOf = (reported: ReturnType<typeof refundReports>) =>
  [...reported.values()].map(([first]) => first?.report.amount);

/** A part goes back, where it can in the provider's back office. @param nth how many parts are told then, if any */
async function refundPart(harness: ProviderHarness, payment: Started, amountMinor: number, nth: number): Promise<void> {
  const { reference, amount } = payment.input;
  if (harness.declaration.backOffice) {
    const known = { ...payment.known, amount: { ...amount, amountMinor }, paidAmount: amount };
    const outcome = await harness.provider.refund?.(harness.context, known, `RF-${reference}-${nth}`);
    expect(['done', 'pending'], `${JSON.stringify(outcome)}`).toContain(outcome?.status);
  } else
    expect(await harness.control.refund(reference, amountMinor), 'a part given back').toMatchObject({ status: 200 });
  if (harness.tells('refunded')) await until(`part ${nth}`, () => refundReports(harness, payment).size >= nth);
}

/** A refund may answer these when it is asked again after it was carried out. */
const againOf = ({ declaration }: ProviderHarness) =>
  declaration.refundAgain ? ['done', 'pending', 'failed'] : ['done', 'pending'];

export const backCases: Readonly<Record<BackCase, Run>> = {
  async refund(harness) {
    const { refund } = harness.provider;
    if (!refund) return expect.fail('the adapter has no refund; its declaration must say why under absent');
    const payment = await startPaid(harness);
    const ask = () => refund(harness.context, payment.known, `RF-${payment.input.reference}`);
    const first = await ask();
    expect(['done', 'pending'], `${JSON.stringify(first)}`).toContain(first.status);
    await expectRefunded(harness, payment);
    const again = await ask();
    expect(againOf(harness), `asked again: ${JSON.stringify(again)}`).toContain(again.status);
    const keys = harness.reports(payment).filter(({ report }) => report.status === 'refunded');
    const amounts = keys.map(({ report }) => report.amount);
    expect(amounts, 'every word of a refund is about the whole amount').toEqual(keys.map(() => payment.input.amount));
  },

  async 'refund breaks'(harness) {
    const { refund } = harness.provider;
    if (!refund) return expect.fail('the adapter has no refund; its declaration must say why under absent');
    for (const fault of ['error500', 'html', 'reset-after', 'timeout']) {
      const payment = await startPaid(harness);
      const context = fault === 'timeout' ? harness.changed({ outbound: impatient }) : harness.context;
      const ask = (given = context) => refund(given, payment.known, `RF-${payment.input.reference}`);
      const broken = await harness.control.spoil('refund', fault, () => ask());
      // A refund that was carried out may be found at once by asking; one that was not must be asked for again.
      expect(fault === 'error500' ? ['unknown'] : ['unknown', 'pending'], `${fault}`).toContain(broken.status);
      const again = await ask(harness.context);
      expect(againOf(harness), `after ${fault}: ${JSON.stringify(again)}`).toContain(again.status);
      await expectRefunded(harness, payment);
    }
  },

  async 'two parts'(harness) {
    const payment = await startPaid(harness);
    const { amountMinor, currency } = payment.input.amount;
    const parts = [Math.floor(amountMinor / 4), Math.floor(amountMinor / 2)];
    for (const [index, part] of parts.entries()) await refundPart(harness, payment, part, index + 1);
    await harness.control.repeat(payment.input.reference, 1);
    const reported = () => refundReports(harness, payment);
    await until('each part once more', () => [...reported().values()].every((copies) => copies.length > 1));
    expect(amountsOf(reported()), 'each part is told under one key, with its own amount').toEqual(
      parts.map((part) => ({ amountMinor: part, currency })),
    );
    for (const [first, ...copies] of reported().values())
      for (const { report } of copies) expect(report).toEqual(first?.report);
  },

  async 'refund of what is left'(harness) {
    const { refund } = harness.provider;
    if (!refund) return expect.fail('the adapter has no refund; its declaration must say why under absent');
    const payment = await startPaid(harness);
    const paidAmount = payment.input.amount;
    const part = Math.floor(paidAmount.amountMinor / 4);
    await refundPart(harness, payment, part, 1);
    const rest = { ...paidAmount, amountMinor: paidAmount.amountMinor - part };
    const known = { ...payment.known, amount: rest, paidAmount };
    const ask = () => refund(harness.context, known, `RF-${payment.input.reference}`);
    const first = await ask();
    expect(['done', 'pending'], `${JSON.stringify(first)}`).toContain(first.status);
    if (harness.tells('refunded')) {
      await until('the rest', () => refundReports(harness, payment).size >= 2);
      expect(amountsOf(refundReports(harness, payment))).toEqual([{ ...rest, amountMinor: part }, rest]);
    } else if (!harness.declaration.queryCalls)
      expect(await harness.query(payment)).toMatchObject({ status: 'refunded', amount: paidAmount });
    // A provider that lists refunds lists each once, with its own amount.
    const { refunds } = harness.declaration.queryCalls ? {} : await harness.query(payment);
    if (refunds) {
      const listed = refunds.map(({ amount }) => amount.amountMinor).toSorted((one, other) => one - other);
      const given = [part, rest.amountMinor].toSorted((one, other) => one - other);
      expect(listed, 'the refunds that it lists').toEqual(given);
      expect(new Set(refunds.map(({ dedupKey }) => dedupKey)).size).toBe(2);
    }
    const again = await ask();
    expect(againOf(harness), `asked again: ${JSON.stringify(again)}`).toContain(again.status);
  },

  async cancel(harness) {
    const { cancel } = harness.provider;
    if (!cancel) return expect.fail('the adapter has no cancel; its declaration must say why under absent');
    const open = await harness.start();
    expect(['expired', 'failed']).toContain((await cancel(harness.context, open.known)).status);
    await harness.control.pay(open.input.reference);
    expect(['expired', 'failed']).toContain((await harness.query(open)).status);
    const paid = await startPaid(harness);
    expect(['paid', 'pending']).toContain((await cancel(harness.context, paid.known)).status);
    expect((await harness.query(paid)).status).toBe('paid');
    const lost = await harness.start();
    const broken = await harness.control.spoil('cancel', 'reset', () => cancel(harness.context, lost.known));
    expect(broken.status, 'a cancel that was cut off').toBe('pending');
  },

  async chargeback(harness) {
    const payment = await startPaid(harness);
    expect(await harness.control.chargeback(payment.input.reference)).toMatchObject({ status: 200 });
    const { reference } = payment.input;
    if (harness.tells('chargeback'))
      expect((await harness.waitForReport(payment, 'chargeback')).report).toMatchObject({ reference });
    else expect((await harness.query(payment)).status).toBe('chargeback');
  },
};
