// Reads Adyen's settlement details report: one header, then a line for each journal entry of a payout batch.
// @source docs.adyen.com, Settlement details report, "Report structure" and "Journal types"
import { readInstant } from '#kernel/calendar.ts';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { isCurrency, type Money, parseDecimal } from '#kernel/money.ts';
import type { SettlementLine } from '#server/modules/payments/provider.ts';

const NEEDED = [
  'Psp Reference',
  'Merchant Reference',
  'Creation Date',
  'TimeZone',
  'Type',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
] as const;

type Movement = 'payment' | 'refund' | 'chargeback';

/**
 * Journal types that move a payment's money, and whether they take such a movement back. Fees, payouts and
 * corrections are not ours to match.
 */
const TYPES: Readonly<Record<string, { movement: Movement; isBack: boolean }>> = {
  Settled: { movement: 'payment', isBack: false },
  SettledReversed: { movement: 'payment', isBack: true },
  Refunded: { movement: 'refund', isBack: false },
  RefundedReversed: { movement: 'refund', isBack: true },
  Chargeback: { movement: 'chargeback', isBack: false },
  SecondChargeback: { movement: 'chargeback', isBack: false },
  ChargebackReversed: { movement: 'chargeback', isBack: true },
};

/**
 * Minutes east of UTC of the abbreviations that mean one thing only; the report uses those of the
 * account's zone. Our choice of a list.
 */
const ZONES: Readonly<Record<string, number>> = {
  UTC: 0, GMT: 0, WET: 0, WEST: 60, CET: 60, CEST: 120, EET: 120, EEST: 180, MSK: 180, EST: -300, EDT: -240, PST: -480, PDT: -420, BRT: -180, SGT: 480,
  HKT: 480, JST: 540, KST: 540, AEST: 600, AEDT: 660, BST: 60,
}; /* a row a line */ // prettier-ignore

export async function* readSettlement(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<SettlementLine> {
  let hasHead = false;
  const rows = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    info: true,
    columns: (head: string[]) => {
      const missing = NEEDED.find((name) => !head.includes(name));
      if (missing) throw new Error(`This is no settlement details report of Adyen: no column "${missing}".`);
      hasHead = true;
      return head;
    },
  });
  pipeline(Readable.from(chunks), rows, () => undefined);
  for await (const { record, info } of rows as AsyncIterable<{
    record: Record<string, string>;
    info: { lines: number };
  }>) {
    const type = TYPES[record['Type'] ?? ''];
    if (type) yield readRow(record, type, info.lines);
  }
  if (!hasHead) throw new Error('This is no settlement details report of Adyen: it is empty.');
}

function readRow(
  row: Record<string, string>,
  type: { movement: Movement; isBack: boolean },
  line: number,
): SettlementLine {
  const unreadable = (reason: string): SettlementLine => ({ kind: 'unreadable', line, reason });
  const currency = row['Gross Currency'] ?? '';
  // The journal type says which way the money went. UNSURE: samples have payments in either column, so
  // whichever holds a number is read.
  const text = row['Gross Credit (GC)'] || row['Gross Debit (GC)'] || '';
  const amount = isCurrency(currency) ? parseDecimal(text, currency) : null;
  if (!amount) return unreadable(`the amount "${text} ${currency}"`);
  const at = readTime(row['Creation Date'] ?? '', row['TimeZone'] ?? '');
  if (at === null) return unreadable(`the time "${row['Creation Date']} ${row['TimeZone']}"`);
  return {
    kind: 'money',
    line,
    movement: type.movement,
    reference: row['Merchant Reference'] || null,
    captureRef: row['Psp Reference'] || null,
    amount: type.isBack ? { ...amount, amountMinor: -amount.amountMinor } : amount,
    ...readFee(row),
    at,
  };
}

/**
 * All that Adyen and the schemes kept of a line, in the currency of the payout.
 * @source docs.adyen.com, Settlement details report: Commission on blend, the other three on interchange++
 */
const FEES = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'] as const;

/** Empty where the columns are, or one of them cannot be read: a sum of some would be no fee. */
function readFee(row: Record<string, string>): { fee?: Money } {
  const currency = row['Net Currency'] ?? '';
  const given = FEES.map((name) => row[name] ?? '').filter(Boolean);
  if (!isCurrency(currency) || given.length === 0) return {};
  const parts = given.map((text) => {
    const read = parseDecimal(text.replace(/^-/, ''), currency);
    return read && (text.startsWith('-') ? -read.amountMinor : read.amountMinor);
  });
  if (parts.includes(null)) return {};
  return { fee: { amountMinor: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0), currency } };
}

function readTime(text: string, zone: string): number | null {
  const offset = ZONES[zone];
  if (offset === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null;
  const at = readInstant(`${text.replace(' ', 'T')}Z`);
  return at === null ? null : at - offset * 60_000;
}
