// `refill goods`: goods and price points of a game as a table, out of its file and back into it.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  type CsvLine,
  type Fault,
  foldWide,
  type GameText,
  importGoods,
  listSheetRows,
  locateSheetFaults,
  readConfiguration,
  readCsv,
  readGameText,
  readSheet,
  SHEET_COLUMNS,
  unfoldWide,
} from '#server/modules/configuration/service.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { requireUtf8 } from '#cli/read-text.ts';
import { BYTE_ORDER_MARK, writeCsv } from '#cli/csv.ts';
import { readCheckOptions } from '#cli/read-check-options.ts';
import { listMarkets, type StoreOptions, STORES, takeStoreFile } from './store-import.ts';
import { EXIT, InputFault, printJson, type Terminal, writeJson } from '#cli/terminal.ts';
import { writeTo } from '#cli/written-file.ts';

type ExportOptions = { game: string; format: string; out?: string; wide?: boolean };
type ImportOptions = StoreOptions & { game: string; complete?: boolean; dryRun?: boolean; json?: boolean };

export function addGoodsCommands(program: Command, terminal: Terminal): void {
  const goods = program.command('goods').description('goods and prices of a game as a table, for spreadsheets');
  goods
    .command('export')
    .description('print goods and price points of a game, one line a price point')
    .requiredOption('--game <id>', 'folder of the game in games/')
    .option('--format <format>', 'csv or json', 'csv')
    .option('--wide', 'one line a product, with a column for each currency and country')
    .option('--out <file>', 'write it there instead; a CSV begins with a byte order mark, so that Excel reads it')
    .action((options: ExportOptions) => exportGoods(terminal, options));
  goods
    .command('import <file>')
    .description("change goods and prices in the game's file by a table; on a fault nothing is written (exit code 1)")
    .requiredOption('--game <id>', 'folder of the game in games/')
    .option('--from <store>', `a price export of a store instead: ${STORES.join(' or ')}`)
    .option('--product <id>', 'of which product a file of the App Store is')
    .option('--map <pair...>', 'store-id=product-id, or a CSV file of such pairs')
    .option('--currency <pair...>', 'what Google Play charges in a country where brands charge otherwise, e.g. BG=EUR')
    .option('--complete', 'products and price points that the table does not name are removed')
    .option('--dry-run', 'say what would change and write nothing')
    .option('--json', 'one JSON object instead of lines')
    .action((file: string, options: ImportOptions) => takeUp(terminal, file, options));
}

async function exportGoods(terminal: Terminal, { game, format, out, wide }: ExportOptions): Promise<void> {
  if (!['csv', 'json'].includes(format)) throw new InputFault(`--format "${format}": it must be csv or json.`);
  const read = await readGameText(locateShop(terminal.environment), game);
  if (!read.ok) return tellFaults(terminal, read.faults);
  const rows = listSheetRows(read.body);
  if (wide && format === 'json') throw new InputFault('--wide is a form of CSV: leave it out with --format json.');
  const table = wide
    ? foldWide(rows)
    : { head: SHEET_COLUMNS, rows: rows.map((row) => SHEET_COLUMNS.map((column) => row[column])) };
  const text = format === 'json' ? writeJson({ game, goods: rows }, 2) : writeCsv(table.head, table.rows);
  if (out === undefined) return (terminal.table ?? terminal.out)(text);
  await writeTo('--out', out, () => writeFile(out, `${format === 'csv' ? BYTE_ORDER_MARK : ''}${text}\n`));
  terminal.out(`${table.rows.length} lines of ${read.body.goods.length} products are in ${out}.`);
}

async function takeUp(terminal: Terminal, path: string, options: ImportOptions): Promise<void> {
  const root = locateShop(terminal.environment);
  const read = await readGameText(root, options.game);
  if (!read.ok) return tellFaults(terminal, read.faults, options.json);
  const name = basename(path);
  const csv = readCsv(await readTable(path));
  if (!csv.ok) return tellFaults(terminal, locateSheetFaults(name, [{ ...csv, column: '' }]), options.json);
  const checks = await readCheckOptions(root);
  if (options.from !== undefined && options.complete)
    throw new InputFault('--complete is for a table of your own: a store does not have all that a shop sells.');
  const applied = options.from === undefined ? null : await readConfiguration(root, checks);
  if (applied && !applied.ok) return tellFaults(terminal, applied.faults, options.json);
  const taken = applied
    ? { ...takeStoreFile(options, { ...read, id: options.game }, applied.configuration, csv.lines), notes: [] }
    : { ...(await readTableOfGoods(root, checks, options.game, read, csv)), skipped: [] };
  const { sheet, faults, skipped } = taken;
  if (!options.json) for (const sentence of skipped) terminal.err(`skipped: ${sentence}`);
  if (faults.length > 0) return tellFaults(terminal, locateSheetFaults(name, faults), options.json);
  const imported = await importGoods(root, read, sheet, {
    ...checks,
    isComplete: options.complete === true,
    isTrial: options.dryRun === true,
  });
  if (!imported.ok) return tellFaults(terminal, imported.faults, options.json);
  const { file, lines } = imported;
  const notes = [...taken.notes, ...imported.notes];
  if (options.json)
    return printJson(terminal, { ok: true, file, changes: lines, notes, skipped, written: !options.dryRun });
  for (const note of notes) terminal.err(note);
  if (lines.length === 0) return terminal.out(`${file} says the same already: nothing was changed.`);
  terminal.out(lines.join('\n'));
  terminal.out(options.dryRun ? `${file} would be changed.` : `${file} is changed; look at it by \`refill plan\`.`);
}

/** A table of one's own, in either form. */
async function readTableOfGoods(
  root: string,
  checks: Awaited<ReturnType<typeof readCheckOptions>>,
  gameId: string,
  { body, countries }: GameText,
  { lines, delimiter }: { lines: readonly CsvLine[]; delimiter: string },
): Promise<ReturnType<typeof readSheet>> {
  const configured = await readConfiguration(root, checks);
  const markets = configured.ok ? listMarkets(configured.configuration, gameId) : [];
  const long = unfoldWide(lines, countries, (country) => {
    const currencies = new Set(markets.filter((one) => one.country === country).map(({ currency }) => currency));
    return currencies.size === 1 ? ([...currencies][0] ?? null) : null;
  });
  if (long.faults.length > 0) return { sheet: { goods: new Map(), points: [] }, faults: long.faults, notes: [] };
  return readSheet(long.lines, { game: body, countries }, delimiter);
}

async function readTable(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputFault(`${path} cannot be read: ${error.code ?? error.message}.`);
  });
  return requireUtf8(path, bytes);
}

function tellFaults(terminal: Terminal, faults: readonly Fault[], json?: boolean): void {
  terminal.setExitCode(EXIT.fault);
  if (json) return printJson(terminal, { ok: false, faults });
  terminal.err(faults.map(({ sentence }) => sentence).join('\n'));
  terminal.err(`${faults.length} fault${faults.length === 1 ? '' : 's'}: nothing was written.`);
}
