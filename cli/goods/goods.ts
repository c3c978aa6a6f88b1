// `refill goods`: goods and price points of a game as a table, out of its file and back into it.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  type Fault,
  importGoods,
  listSheetRows,
  locateSheetFaults,
  readConfiguration,
  readCsv,
  readGameText,
  readSheet,
  SHEET_COLUMNS,
} from '#server/modules/configuration/service.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { writeCsv } from '#cli/csv.ts';
import { readCheckOptions } from '#cli/read-check-options.ts';
import { type StoreOptions, STORES, takeStoreFile } from './store-import.ts';
import { EXIT, InputFault, printJson, type Terminal, writeJson } from '#cli/terminal.ts';
import { writeTo } from '#cli/written-file.ts';

type ExportOptions = { game: string; format: string; out?: string };
type ImportOptions = StoreOptions & { game: string; complete?: boolean; dryRun?: boolean; json?: boolean };

export function addGoodsCommands(program: Command, terminal: Terminal): void {
  const goods = program.command('goods').description('goods and prices of a game as a table, for spreadsheets');
  goods
    .command('export')
    .description('print goods and price points of a game, one line a price point')
    .requiredOption('--game <id>', 'folder of the game in games/')
    .option('--format <format>', 'csv or json', 'csv')
    .option('--out <file>', 'write it there instead')
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

async function exportGoods(terminal: Terminal, { game, format, out }: ExportOptions): Promise<void> {
  if (!['csv', 'json'].includes(format)) throw new InputFault(`--format "${format}": it must be csv or json.`);
  const read = await readGameText(locateShop(terminal.environment), game);
  if (!read.ok) return tellFaults(terminal, read.faults);
  const rows = listSheetRows(read.body);
  const cells = rows.map((row) => SHEET_COLUMNS.map((column) => row[column]));
  const text = format === 'json' ? writeJson({ game, goods: rows }, 2) : writeCsv(SHEET_COLUMNS, cells);
  if (out === undefined) return (terminal.table ?? terminal.out)(text);
  await writeTo('--out', out, () => writeFile(out, `${text}\n`));
  terminal.out(`${rows.length} lines of ${read.body.goods.length} products are in ${out}.`);
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
    ? takeStoreFile(options, { ...read, id: options.game }, applied.configuration, csv.lines)
    : { ...readSheet(csv.lines, { game: read.body, countries: read.countries }), skipped: [] };
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
  if (options.json) return printJson(terminal, { ok: true, file, changes: lines, skipped, written: !options.dryRun });
  if (lines.length === 0) return terminal.out(`${file} says the same already: nothing was changed.`);
  terminal.out(lines.join('\n'));
  terminal.out(options.dryRun ? `${file} would be changed.` : `${file} is changed; look at it by \`refill plan\`.`);
}

async function readTable(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputFault(`${path} cannot be read: ${error.code ?? error.message}.`);
  });
}

function tellFaults(terminal: Terminal, faults: readonly Fault[], json?: boolean): void {
  terminal.setExitCode(EXIT.fault);
  if (json) return printJson(terminal, { ok: false, faults });
  terminal.err(faults.map(({ sentence }) => sentence).join('\n'));
  terminal.err(`${faults.length} fault${faults.length === 1 ? '' : 's'}: nothing was written.`);
}
