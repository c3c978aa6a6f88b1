// Reads PayPal's settlement report (STL-yyyymmdd.*.CSV): sections of typed rows, unsigned amounts without a decimal
// point, CR or DR beside them.
// @source developer.paypal.com, Settlement Report Specification, "Report format" and "Section body data"
import { readInstant } from '#kernel/calendar.ts';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import { readDigits } from './amounts.ts';

type Movement = 'payment' | 'refund' | 'chargeback';

/** Columns that a line is read by, as the report's own CH row names them. */
const NEEDED = [
  'Transaction ID',
  'Transaction Event Code',
  'Transaction Debit or Credit',
  'Gross Transaction Amount',
  'Gross Transaction Currency',
] as const;

/**
 * Maps an event code to a movement of the books; null for fees, holds, conversions and withdrawals.
 * @source PayPal transaction event codes: T00nn payments, T1107 refund by the merchant, T1106 reversal by PayPal, T1201
 *   and T1202 chargeback and its reversal. UNSURE: that all captures of Orders v2 come as T00nn, and that disputes lost
 * come as T1106 or T1201 only.
 */
function movementOf(eventCode: string): Movement | null {
  if (/^T00\d\d$/.test(eventCode)) return 'payment';
  if (eventCode === 'T1107') return 'refund';
  return eventCode === 'T1106' || eventCode === 'T1201' || eventCode === 'T1202' ? 'chargeback' : null;
}

export async function* readSettlement(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<SettlementLine> {
  const rows = parse({ bom: true, relax_column_count: true, skip_empty_lines: true, info: true });
  pipeline(Readable.from(chunks), rows, () => undefined);
  let columns: Map<string, number> | null = null;
  for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (record[0] === 'CH') columns = new Map(record.map((name, index) => [name.trim(), index]));
    if (record[0] !== 'SB') continue;
    const missing = NEEDED.find((name) => !columns?.has(name));
    if (!columns || missing) throw new Error(`This is no settlement report of PayPal: no column "${missing ?? 'CH'}".`);
    const known = columns;
    const read = readRow((name) => record[known.get(name) ?? -1]?.trim() ?? '', info.lines);
    if (read) yield read;
  }
  if (!columns) throw new Error('This is no settlement report of PayPal: it has no CH row.');
}

function readRow(cell: (name: string) => string, line: number): SettlementLine | null {
  const movement = movementOf(cell('Transaction Event Code'));
  if (!movement) return null;
  const unreadable = (reason: string): SettlementLine => ({ kind: 'unreadable', line, reason });
  const currency = cell('Gross Transaction Currency');
  const digits = cell('Gross Transaction Amount');
  const amount = readDigits(digits, currency);
  const fee = readDigits(cell('Fee Amount'), cell('Fee Currency'));
  const at = readTime(cell('Transaction Completion Date') || cell('Transaction Initiation Date'));
  if (!amount) return unreadable(`the amount "${digits} ${currency}"`);
  if (at === null) return unreadable('the time');
  const isCredit = cell('Transaction Debit or Credit') === 'CR';
  const isBack = isCredit !== (movement === 'payment');
  return {
    kind: 'money',
    line,
    movement,
    reference: cell('Custom Field') || cell('Invoice ID') || null,
    captureRef: (movement === 'payment' ? cell('Transaction ID') : cell('PayPal Reference ID')) || null,
    amount: isBack ? { ...amount, amountMinor: -amount.amountMinor } : amount,
    ...(fee ? { fee: cell('Fee Debit or Credit') === 'CR' ? { ...fee, amountMinor: -fee.amountMinor } : fee } : {}),
    at,
  };
}

/** "2026/11/21 08:17:22 -0800" */
function readTime(text: string): number | null {
  const match = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/.exec(text);
  return match && readInstant(`${match[1]}-${match[2]}-${match[3]}T${match[4]}${match[5]}:${match[6]}`);
}
