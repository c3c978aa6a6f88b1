// PayPal's settlement report (STL): sections of typed rows, unsigned amounts without a decimal point.
// Written from developer.paypal.com, Settlement Report Specification.

import { csvLine, type Movement } from '#simulators/kit/settlement.ts';

const columns = [
  'Transaction ID', 'Invoice ID', 'PayPal Reference ID', 'PayPal Reference ID Type', 'Transaction Event Code', 'Transaction Initiation Date',
  'Transaction Completion Date', 'Transaction Debit or Credit', 'Gross Transaction Amount', 'Gross Transaction Currency', 'Fee Debit or Credit',
  'Fee Amount', 'Fee Currency', 'Custom Field', 'Consumer ID', 'Payment Tracking ID', 'Store ID',
]; /* a row a line */ // prettier-ignore

/**
 * @source PayPal transaction event codes: T0006 checkout payment, T1107 refund by the
 * merchant, T1106 reversal by PayPal
 */
const eventCodes = { payment: 'T0006', refund: 'T1107', chargeback: 'T1106' };

const timeOf = (at: number) =>
  `${new Date(at).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} +0000`;

export function writePaypalSettlement(movements: readonly Movement[], date: string, account: string): string {
  const day = date.replaceAll('-', '/');
  const rows = movements.map((one) => {
    const isPayment = one.kind === 'payment';
    const { amountMinor, currency } = one.amount;
    return csvLine([
      'SB', one.id, isPayment ? one.reference : '', isPayment ? '' : one.paymentId, isPayment ? '' : 'TXN', eventCodes[one.kind], timeOf(one.at),
      timeOf(one.at), isPayment ? 'CR' : 'DR', amountMinor, currency, isPayment ? 'DR' : 'CR', 0, currency, one.reference, '', '', '',
    ]); /* a row a line */ // prettier-ignore
  });
  return [
    csvLine(['RH', `${day} 23:59:59 +0000`, 'A', account, '011', '1']),
    csvLine(['FH', '1']),
    csvLine(['SH', `${day} 00:00:00 +0000`, `${day} 23:59:59 +0000`, account, '']),
    csvLine(['CH', ...columns]),
    ...rows,
    csvLine(['SC', rows.length]),
    csvLine(['RC', rows.length]),
    csvLine(['FF', rows.length]),
  ].join('');
}
