// `refill report revenue|refunds|chargebacks|fees`: what finance asks, as a table, as CSV, as JSON.
import { DAY_MS } from '#kernel/time.ts';
import type { Command } from 'commander';
import { money, toDecimal } from '#kernel/money.ts';
import {
  DIMENSIONS,
  type Dimension,
  MONEY_REPORTS,
  type MoneyReportKind,
  readDimensions,
} from '#server/modules/orders/operator/money-report-rules.ts';
import { type MoneyReportRow, readMoneyReport } from '#server/modules/orders/operator/money-report-store.ts';
import { transaction } from '#server/platform/database/db.ts';
import { writeCsv } from '#cli/csv.ts';
import { describeBehind, withReads } from '#cli/database.ts';
import { refuseUnknown } from '#cli/players/player-option.ts';
import { InputFault, type Terminal, drawTable, printJson, refuseTwoForms } from '#cli/terminal.ts';
import { dayIn, readDay, readZone } from '#cli/times.ts';

type Options = {
  since?: string;
  until?: string;
  zone: string;
  by: string;
  brand?: string;
  csv?: boolean;
  json?: boolean;
};

const ABOUT: Readonly<Record<MoneyReportKind, string>> = {
  revenue: 'what was delivered, at its price, and less refunds: the account revenue',
  refunds: 'money that went back through providers',
  chargebacks: 'money that banks took back',
  fees: 'what providers kept, as their settlement files said when they were reconciled',
};

/** Our choice: a month of days. */
const USUAL_DAYS = 30;
/** Whole years are read. */
const LONGEST_MS = 600_000;

export function addMoneyReportCommands(report: Command, terminal: Terminal): void {
  for (const kind of MONEY_REPORTS)
    report
      .command(kind)
      .description(ABOUT[kind])
      .option('--since <day>', 'from this day, or today, yesterday; 30 days ago unless given')
      .option('--until <day>', 'before this day; to now unless given')
      .option('--zone <zone>', 'time zone of the days', 'UTC')
      .option('--by <list>', `grouped by, of ${DIMENSIONS.join(', ')}; always by currency`, 'day')
      .option('--brand <key>', 'of one brand')
      .option('--csv', 'comma separated values, amounts as decimals')
      .option('--json', 'one JSON object, amounts in minor units')
      .action((options: Options) => tellReport(terminal, kind, options));
}

async function tellReport(terminal: Terminal, kind: MoneyReportKind, options: Options): Promise<void> {
  refuseTwoForms(options);
  const zone = readZone(options.zone);
  const span = readSpan(options, zone);
  const by = readBy(options.by);
  const { value: rows, behindSeconds } = await withReads(terminal, async (db) => {
    const { brand = null } = options;
    const read = await transaction(db, async (client) => {
      await client.query(`set local statement_timeout = ${LONGEST_MS}`);
      return readMoneyReport(client, { kind, ...span, zone, by, brand }, LONGEST_MS);
    });
    if (read.length === 0) await refuseUnknown(db, { brand });
    return read;
  });
  if (options.json)
    return printJson(terminal, { report: kind, ...span, zone, by, rows, behind_seconds: behindSeconds });
  const amounts = ['count', 'amount', ...(kind === 'revenue' ? ['discount', 'paid', 'refunded', 'net'] : [])];
  const head = [...by, ...amounts];
  const cells = rows.map((row) => [...by.map((dimension) => row[dimension] ?? ''), ...amountsOf(kind, row)]);
  // Beside the table, so that what reads it meets rows alone.
  if (options.csv && behindSeconds !== null) terminal.err(describeBehind(behindSeconds));
  if (options.csv) return terminal.out(writeCsv(head, cells));
  terminal.out(
    rows.length === 0
      ? `No ${kind} from ${span.since} to before ${span.until}.`
      : drawTable(
          head.map((name) => name.toUpperCase()),
          cells,
        ),
  );
  if (behindSeconds !== null) terminal.out(describeBehind(behindSeconds));
}

function amountsOf(kind: MoneyReportKind, row: MoneyReportRow): unknown[] {
  const shown = (minor: number) => toDecimal(money(minor, row.currency));
  if (kind !== 'revenue') return [row.count, shown(row.amount_minor)];
  const { amount_minor: amount, discount_minor: discount = 0, refunded_minor: refunded = 0 } = row;
  return [row.count, ...[amount, discount, amount - discount, refunded, amount - refunded].map(shown)];
}

function readSpan(options: Options, zone: string): { since: string; until: string } {
  const since =
    options.since === undefined
      ? dayIn(zone, Date.now() - USUAL_DAYS * DAY_MS)
      : readDay('--since', options.since, zone);
  const until =
    options.until === undefined ? dayIn(zone, Date.now() + DAY_MS) : readDay('--until', options.until, zone);
  if (until <= since) throw new InputFault(`--until "${until}": it must be after ${since}.`);
  return { since, until };
}

function readBy(list: string): Dimension[] {
  const read = readDimensions(list.split(',').map((name) => name.trim()));
  if ('unknown' in read) throw new InputFault(`--by "${read.unknown}": it must be one of ${DIMENSIONS.join(', ')}.`);
  return read.by;
}
