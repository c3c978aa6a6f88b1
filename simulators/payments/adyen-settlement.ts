// Adyen's settlement details report. Written from docs.adyen.com, Settlement details report, "Structure".

import { textFromMinor } from '#simulators/kit/money.ts';
import { csvLine, type Movement } from '#simulators/kit/settlement.ts';
import { decimalsOf } from './adyen-amounts.ts';

const columns = [
  'Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Payment Method', 'Creation Date', 'TimeZone', 'Type',
  'Modification Reference', 'Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)', 'Exchange Rate', 'Net Currency', 'Net Debit (NC)',
  'Net Credit (NC)', 'Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)', 'Payment Method Variant',
  'Modification Merchant Reference', 'Batch Number',
]; /* a row a line */ // prettier-ignore

const types = { payment: 'Settled', refund: 'Refunded', chargeback: 'Chargeback' };

export function writeAdyenSettlement(movements: readonly Movement[], merchantAccount: string): string {
  const rows = movements.map((one) => {
    const { amountMinor, currency } = one.amount;
    const text = textFromMinor(amountMinor, decimalsOf(currency));
    const [debit, credit] = one.kind === 'payment' ? ['', text] : [text, ''];
    return csvLine([
      'SimulatedCompany', merchantAccount, one.paymentId, one.reference, 'visa', new Date(one.at).toISOString().slice(0, 19).replace('T', ' '), 'UTC',
      types[one.kind], one.id, currency, debit, credit, 1, currency, debit, credit, '', '', '', '', 'visastandardcredit', '', 1,
    ]); /* a row a line */ // prettier-ignore
  });
  const payout = [
    'SimulatedCompany',
    merchantAccount,
    '',
    '',
    '',
    '',
    'UTC',
    'MerchantPayout',
    'batch 1',
    ...Array<string>(13).fill(''),
    1,
  ];
  return [csvLine(columns), ...rows, ...(rows.length > 0 ? [csvLine(payout)] : [])].join('');
}
