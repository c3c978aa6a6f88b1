// Xsolla's transaction registry as CSV. A cancelled transaction has a line of its own with negative amounts.
// UNSURE: that call is documented (developers.xsolla.com, "Get transactions"), its CSV columns are not; these
// names are those seen in exports.

import { textFromMinor } from '#simulators/kit/money.ts';
import { csvLine, type Movement } from '#simulators/kit/settlement.ts';
import { decimalsOf } from './xsolla-amounts.ts';

const columns = [
  'Transaction ID',
  'External ID',
  'Project ID',
  'Date (GMT+3)',
  'Transaction status',
  'Simple checkout purchase amount',
  'Simple checkout purchase currency',
  'Refund reason',
  'Refund reason comment',
];

const refundReasons = {
  payment: '',
  refund: 'Cancellation by the user request / the game request',
  chargeback: 'Chargeback',
};
const moscowMs = 3 * 3_600_000;

export function writeXsollaSettlement(movements: readonly Movement[], projectId: number): string {
  const rows = movements.map((one) => {
    const text = textFromMinor(one.amount.amountMinor, decimalsOf(one.amount.currency));
    const isPayment = one.kind === 'payment';
    return csvLine([
      one.paymentId,
      one.reference,
      projectId,
      new Date(one.at + moscowMs).toISOString().slice(0, 19).replace('T', ' '),
      isPayment ? 'done' : 'canceled',
      isPayment ? text : `-${text}`,
      one.amount.currency,
      refundReasons[one.kind],
      '',
    ]);
  });
  return [csvLine(columns), ...rows].join('');
}
