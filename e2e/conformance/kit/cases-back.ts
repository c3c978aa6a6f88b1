// Money that goes back, and payments that are called off.
import { expect } from 'vitest';
import type { CaseName } from './case-names.ts';
import { impatient, type Run } from './cases-create.ts';
import type { Stand, Started } from './stand.ts';

type BackCase = Extract<CaseName, 'refund' | 'refund breaks' | 'cancel' | 'chargeback'>;

async function startPaid(stand: Stand): Promise<Started> {
  const payment = await stand.start();
  await stand.pay(payment);
  await stand.settled(payment);
  return payment;
}

/** That the money went back: told, or known when asked. */
async function expectRefunded(stand: Stand, payment: Started): Promise<void> {
  const { amount } = payment.input;
  if (stand.tells('refunded')) expect((await stand.told(payment, 'refunded')).report.amount).toEqual(amount);
  else if (!stand.declaration.queryCalls) expect((await stand.query(payment)).status).toBe('refunded');
}

export const backCases: Readonly<Record<BackCase, Run>> = {
  async refund(stand) {
    const { refund } = stand.provider;
    if (!refund) return expect.fail('the adapter has no refund; its declaration must say why under absent');
    const payment = await startPaid(stand);
    const ask = () => refund(stand.context, payment.known, `RF-${payment.input.reference}`);
    const first = await ask();
    expect(['done', 'pending'], `${JSON.stringify(first)}`).toContain(first.status);
    await expectRefunded(stand, payment);
    const again = await ask();
    expect(['done', 'pending'], `asked again: ${JSON.stringify(again)}`).toContain(again.status);
    const keys = stand.tellings(payment).filter(({ report }) => report.status === 'refunded');
    const amounts = keys.map(({ report }) => report.amount);
    expect(amounts, 'every word of a refund is about the whole amount').toEqual(keys.map(() => payment.input.amount));
  },

  async 'refund breaks'(stand) {
    const { refund } = stand.provider;
    if (!refund) return expect.fail('the adapter has no refund; its declaration must say why under absent');
    for (const fault of ['error500', 'html', 'reset-after', 'timeout']) {
      const payment = await startPaid(stand);
      const context = fault === 'timeout' ? stand.changed({ outbound: impatient }) : stand.context;
      const ask = (given = context) => refund(given, payment.known, `RF-${payment.input.reference}`);
      const broken = await stand.desk.spoil('refund', fault, () => ask());
      // What was carried out may be found at once by asking; what was not must be asked for again.
      expect(fault === 'error500' ? ['unknown'] : ['unknown', 'pending'], `${fault}`).toContain(broken.status);
      const again = await ask(stand.context);
      expect(['done', 'pending'], `after ${fault}: ${JSON.stringify(again)}`).toContain(again.status);
      await expectRefunded(stand, payment);
    }
  },

  async cancel(stand) {
    const { cancel } = stand.provider;
    if (!cancel) return expect.fail('the adapter has no cancel; its declaration must say why under absent');
    const open = await stand.start();
    expect(['expired', 'failed']).toContain((await cancel(stand.context, open.known)).status);
    await stand.desk.pay(open.input.reference);
    expect(['expired', 'failed']).toContain((await stand.query(open)).status);
    const paid = await startPaid(stand);
    expect(['paid', 'pending']).toContain((await cancel(stand.context, paid.known)).status);
    expect((await stand.query(paid)).status).toBe('paid');
    const lost = await stand.start();
    const broken = await stand.desk.spoil('cancel', 'reset', () => cancel(stand.context, lost.known));
    expect(broken.status, 'a cancel that was cut off').toBe('pending');
  },

  async chargeback(stand) {
    const payment = await startPaid(stand);
    expect(await stand.desk.chargeback(payment.input.reference)).toMatchObject({ status: 200 });
    const { reference } = payment.input;
    if (stand.tells('chargeback'))
      expect((await stand.told(payment, 'chargeback')).report).toMatchObject({ reference });
    else expect((await stand.query(payment)).status).toBe('chargeback');
  },
};
