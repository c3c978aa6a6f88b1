// Reads Xsolla's transaction registry as CSV (Publisher Account or
// reports/transactions/registry.csv, in the pay-in currency).
// @source developers.xsolla.com, "Get transactions"; github.com/xsolla docs of version 2.0: cancelled
// transactions have negative amounts UNSURE: the columns of the CSV are not documented; they are found by the names
// seen in exports, in several spellings.
import { readInstant } from '#kernel/calendar.ts';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import { readAmount } from './amounts.ts';

const NAMES = {
  id: ['transaction id', 'transaction'],
  reference: ['external id', 'transaction external id', 'external transaction id'],
  status: ['transaction status', 'status'],
  amount: ['simple checkout purchase amount', 'checkout amount', 'purchase amount'],
  currency: ['simple checkout purchase currency', 'checkout currency', 'purchase currency'],
} as const;

type Columns = Record<keyof typeof NAMES, number> & { time: number; reason: number; offsetMinutes: number };

export async function* readSettlement(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<SettlementLine> {
  const rows = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    info: true,
    delimiter: [',', ';', '\t'],
  });
  pipeline(Readable.from(chunks), rows, () => undefined);
  let columns: Columns | null = null;
  for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (!columns) columns = readHead(record);
    else {
      const read = readRow(record, columns, info.lines);
      if (read) yield read;
    }
  }
  if (!columns) throw new Error('This is no transaction registry of Xsolla: it is empty.');
}

function readHead(head: readonly string[]): Columns {
  const names = head.map((name) => name.toLowerCase());
  const find = (known: readonly string[]) => {
    const index = names.findIndex((name) => known.includes(name));
    if (index < 0) throw new Error(`This is no transaction registry of Xsolla: no column "${known[0]}".`);
    return index;
  };
  // The header tells the zone of the times: "Date (GMT+3)".
  const time = names.findIndex((name) => /^(?:transaction )?(?:payment )?date\b/.test(name));
  if (time < 0) throw new Error('This is no transaction registry of Xsolla: no column "Date (GMT+3)".');
  const [, sign = '+', hours = '0', minutes = '0'] =
    /(?:gmt|utc)\s*([+-])\s*(\d{1,2})(?::?(\d\d))?/.exec(names[time] ?? '') ?? [];
  return {
    id: find(NAMES.id),
    reference: find(NAMES.reference),
    status: find(NAMES.status),
    amount: find(NAMES.amount),
    currency: find(NAMES.currency),
    time,
    reason: names.findIndex((name) => name === 'refund reason'),
    offsetMinutes: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)),
  };
}

function readRow(record: readonly string[], columns: Columns, line: number): SettlementLine | null {
  const id = record[columns.id] ?? '';
  // With show_total the last line has sums and no transaction.
  if (!/^\d+$/.test(id)) return null;
  const text = record[columns.amount] ?? '';
  const currency = record[columns.currency];
  const isNegative = text.startsWith('-');
  const unreadable = (reason: string): SettlementLine => ({ kind: 'unreadable', line, reason });
  const amount = readAmount(isNegative ? text.slice(1) : text, currency);
  if (!amount) return unreadable(`the amount "${text} ${currency ?? ''}"`);
  const at = readTime(record[columns.time] ?? '', columns.offsetMinutes);
  if (at === null) return unreadable(`the time "${record[columns.time] ?? ''}"`);
  const status = (record[columns.status] ?? '').toLowerCase();
  if (!isNegative && status !== 'done' && !/^(?:partial(?:ly)?[_ -]?)?(?:refunded|canceled|cancelled)$/.test(status))
    return null;
  const isChargeback = /chargeback/i.test(record[columns.reason] ?? '');
  return {
    kind: 'money',
    line,
    movement: isNegative ? (isChargeback ? 'chargeback' : 'refund') : 'payment',
    reference: record[columns.reference] || null,
    captureRef: id,
    amount,
    at,
  };
}

/** "2026-11-21 11:05:09" or "21.11.2026 11:05". */
function readTime(text: string, offsetMinutes: number): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(text);
  const other = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d(?::\d\d)?)$/.exec(text);
  const iso = match
    ? `${match[1]}-${match[2]}-${match[3]}T${match[4]}Z`
    : other
      ? `${other[3]}-${other[2]}-${other[1]}T${other[4]}Z`
      : '';
  const at = readInstant(iso);
  return at === null ? null : at - offsetMinutes * 60_000;
}
