// Money that goes back, and payments that are called off.
import { expect } from 'vitest';
import type { CaseName } from './case-names.ts';
import { impatient, type Run } from './cases-create.ts';
import type { ProviderHarness, Started } from './provider-harness.ts';

type BackCase = Extract<CaseName, 'refund' | 'refund breaks' | 'cancel' | 'chargeback'>;

async function startPaid(harness: ProviderHarness): Promise<Started> {
  const payment = await harness.start();
  await harness.pay(payment);
  await harness.settled(payment);
  return payment;
}

/** That the money went back: told, or known when asked. */
async function expectRefunded(harness: ProviderHarness, payment: Started): Promise<void> {
  const { amount } = payment.input;
  if (harness.tells('refunded')) expect((await harness.told(payment, 'refunded')).report.amount).toEqual(amount);
  else if (!harness.declaration.queryCalls) expect((await harness.query(payment)).status).toBe('refunded');
}

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
    expect(['done', 'pending'], `asked again: ${JSON.stringify(again)}`).toContain(again.status);
    const keys = harness.tellings(payment).filter(({ report }) => report.status === 'refunded');
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
      // What was carried out may be found at once by asking; what was not must be asked for again.
      expect(fault === 'error500' ? ['unknown'] : ['unknown', 'pending'], `${fault}`).toContain(broken.status);
      const again = await ask(harness.context);
      expect(['done', 'pending'], `after ${fault}: ${JSON.stringify(again)}`).toContain(again.status);
      await expectRefunded(harness, payment);
    }
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
      expect((await harness.told(payment, 'chargeback')).report).toMatchObject({ reference });
    else expect((await harness.query(payment)).status).toBe('chargeback');
  },
};
