// `refill archive`: finished months of orders into files, and an order out of them.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isBillingNo } from '#kernel/ids.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { ArchiveFault, type ArchivedOrder, archiveBefore, readArchivedOrder } from './move-months.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { openCommandReads, withDatabase } from '#cli/database.ts';
import { readCommandEnvironment } from '#cli/environment.ts';
import { readActor } from '#cli/players/player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { writeTo } from '#cli/written-file.ts';

type ArchiveOptions = { before?: string; to?: string; by?: string; json?: boolean };

export function addArchiveCommands(program: Command, terminal: Terminal): void {
  const archive = program
    .command('archive')
    .description('move finished months of orders into files; exit code 3 when one has to stay, and those after it')
    .option('--before <month>', 'the first month that stays, e.g. 2026-01')
    .option('--to <folder>', 'where a folder a month is written: another disk than the database')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of lines')
    .action((options: ArchiveOptions) => moveMonths(terminal, options));

  archive
    .command('read <billing_no>')
    .description('an order as its files have it, without what names a person')
    .option('--from <folder>', 'where the folder of its month is now; where it was written unless given')
    .option('--json', 'one JSON object instead of tables')
    .action((billingNo: string, options: { from?: string; json?: boolean }) =>
      readOne(terminal, billingNo, { ...archive.opts<ArchiveOptions>(), ...options }),
    );
}

async function moveMonths(terminal: Terminal, { before, to, by, json }: ArchiveOptions): Promise<void> {
  const stays = before === undefined ? null : readMonth(before);
  if (stays === null || to === undefined)
    throw new InputFault('Say the first month that stays (--before 2026-01) and where files go (--to <folder>).');
  const environment = readCommandEnvironment(terminal.environment);
  const actor = readActor(by);
  await withDatabase({ environment: terminal.environment }, async (db) => {
    const configuration = await loadConfiguration(db);
    const reads = openCommandReads(terminal, db);
    const parts = { db, reads, configuration, environment, folder: resolve(to), by: actor, now: Date.now };
    const { done, held } = await writeTo('--to', to, () => archiveBefore(parts, stays).catch(explain)).finally(
      reads.close,
    );
    for (const month of done) await addAudit(db, { actor, act: 'archive', billingNo: null, details: month });
    if (held) terminal.setExitCode(EXIT.impossible);
    if (json) return printJson(terminal, { ok: held === null, done, held });
    for (const { month, folder, orders } of done) terminal.out(`${title(month)}: ${orders} orders are in ${folder}.`);
    if (done.length === 0 && !held) terminal.out('Nothing is older than that.');
    if (!held) return;
    terminal.err(`${title(held.month)} stays, and what came after it:`);
    for (const { reason, count, example } of held.holds) terminal.err(`- ${count} ${reason}, e.g. ${example}`);
  });
}

/** A partition's name for a person: "2026_11", or "before". */
const title = (name: string): string =>
  name === 'before' ? 'The time before the first month' : name.replace('_', '-');

function readMonth(text: string): Date {
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? new Date(`${text}-01T00:00:00Z`) : null;
  if (month && month.getTime() <= Date.now()) return month;
  throw new InputFault(`--before is "${text}": it must be a month that has begun, e.g. 2026-01.`);
}

async function readOne(
  terminal: Terminal,
  billingNo: string,
  options: { from?: string; json?: boolean },
): Promise<void> {
  if (!isBillingNo(billingNo)) throw new InputFault(`"${billingNo}" is no order number.`);
  await withDatabase({ environment: terminal.environment }, async (db) => {
    const found = await readArchivedOrder(db, billingNo, options.from && resolve(options.from)).catch(explain);
    if (!found) throw new InputFault(`The order ${billingNo} is not in the archive.`);
    if (options.json) return printJson(terminal, found);
    terminal.out(drawArchivedOrder(found));
  });
}

/** A table of the database a paragraph; what it has of this order as columns and values. */
export function drawArchivedOrder({ folder, month, rows }: ArchivedOrder): string {
  const parts = Object.entries(rows).flatMap(([table, found]) =>
    (found as Record<string, unknown>[]).map((row) =>
      drawTable(
        [table.toUpperCase(), ''],
        Object.entries(row)
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
      ),
    ),
  );
  return [`Archived with ${month} in ${folder}:`, ...parts].join('\n\n');
}

function explain(error: unknown): never {
  if (error instanceof ArchiveFault) throw new InputFault(error.message);
  throw error;
}
