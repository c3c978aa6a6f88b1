// `refill card report` and `refill card extend`: what cards are worth to the books, and making a batch good for longer.
import type { Command } from 'commander';
import { money, toDecimal } from '#kernel/money.ts';
import {
  type CardReportLine,
  extendBatch,
  REPORT_KEYS,
  type ReportKey,
  reportCards,
} from '#server/modules/giftcards/report-store.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { writeCsv } from '#cli/csv.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson, refuseTwoForms } from '#cli/terminal.ts';
import { readTime } from '#cli/times.ts';
import { readActor } from './player-option.ts';

type ReportOptions = { by: string; json?: boolean; csv?: boolean };
type ExtendOptions = { batch: string; until: string; by?: string; json?: boolean };

type WithDatabase = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

const COLUMNS = ['sold', 'used', 'balance', 'expired', 'outstanding'] as const;

export function addCardReportCommands(card: Command, terminal: Terminal, withShopDatabase: WithDatabase): void {
  card
    .command('report')
    .description('money of cards: sold, used (and how much of it went to balances), expired, outstanding')
    .option('--by <what>', `a line for each ${REPORT_KEYS.join(', ')}`, 'batch')
    .option('--json', 'one JSON object instead of a table')
    .option('--csv', 'comma separated values instead of a table')
    .action(async ({ by, json, csv }: ReportOptions) => {
      const key = REPORT_KEYS.find((known) => known === by);
      if (!key) throw new InputFault(`--by "${by}": it must be ${REPORT_KEYS.join(', ')}.`);
      refuseTwoForms({ json, csv });
      const lines = await withShopDatabase((db) => reportCards(db, key));
      if (json) return printJson(terminal, { by: key, lines });
      const table = toTable(key, lines);
      if (csv) return terminal.out(writeCsv(table.head, table.rows));
      terminal.out(lines.length === 0 ? 'No cards were issued.' : drawTable(table.head, table.rows));
    });

  card
    .command('extend')
    .description('make a batch good for longer, also one that is over; exit code 3 when it is good that long already')
    .requiredOption('--batch <id>', 'the batch')
    .requiredOption('--until <time>', 'its new end: 2027-11-21 or 2027-11-21T08:30:00Z')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (options: ExtendOptions) => {
      const actor = readActor(options.by);
      const until = readTime('--until', options.until);
      if (until.getTime() <= Date.now()) throw new InputFault(`--until "${options.until}": it must be in the future.`);
      const isDone = await withShopDatabase((db) =>
        transaction(db, async (client) => {
          const done = await extendBatch(client, options.batch, until);
          if (done === null) throw noSuchBatch(options.batch);
          const details = { batch: options.batch, until: until.toISOString() };
          if (done) await addAudit(client, { actor, act: 'card-extend', billingNo: null, details });
          return done;
        }),
      );
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { ok: isDone, batch: options.batch, until: until.toISOString() });
      (isDone ? terminal.out : terminal.err)(
        isDone
          ? `Batch ${options.batch} is good until ${until.toISOString()}.`
          : `Batch ${options.batch} is good until then already, or longer.`,
      );
    });
}

export const noSuchBatch = (batch: string): InputFault =>
  new InputFault(`--batch "${batch}": there is no such batch; \`refill card list\` has them.`);

function toTable(by: ReportKey, lines: readonly CardReportLine[]) {
  const names = { batch: ['batch', 'brand'], brand: ['brand'], currency: [] }[by];
  const head = [...names, 'currency', 'cards', 'inactive', 'void', ...COLUMNS].map((name) => name.toUpperCase());
  const rows = lines.map((line) => [
    ...(by === 'batch' ? [line.batch_id] : []),
    ...(by === 'currency' ? [] : [line.brand_key ?? 'all']),
    line.currency,
    line.cards,
    line.inactive,
    line.void,
    ...COLUMNS.map((name) => toDecimal(money(line[`${name}_minor`], line.currency))),
  ]);
  return { head, rows };
}
