// `refill texts`: texts that languages lack as a table for translators, and back into the files.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  type Fault,
  importTexts,
  listMissingTexts,
  locateSheetFaults,
  readCsv,
  TEXT_COLUMNS,
} from '#server/modules/configuration/service.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { BYTE_ORDER_MARK, writeCsv } from './csv.ts';
import { readCheckOptions } from './read-check-options.ts';
import { requireUtf8 } from './read-text.ts';
import { EXIT, InputFault, type Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

export function addTextsCommands(program: Command, terminal: Terminal): void {
  const texts = program.command('texts').description('texts that the languages of the brands lack, as a table');
  texts
    .command('export')
    .description('print the missing texts with their English, one a line; the column `text` is to be filled in')
    .option('--language <code>', 'of this language alone')
    .option('--out <file>', 'write it there instead; it begins with a byte order mark, so that Excel reads it')
    .action(async ({ language, out }: { language?: string; out?: string }) => {
      const missing = await listMissingTexts(locateShop(terminal.environment));
      if (!missing.ok) return tellFaults(terminal, missing.faults);
      const chosen = missing.texts.filter((one) => language === undefined || one.language === language);
      const rows = chosen.map((one) => [one.file, one.path, one.language, one.english, '']);
      const text = writeCsv(TEXT_COLUMNS, rows);
      if (out === undefined) return (terminal.table ?? terminal.out)(text);
      await writeTo('--out', out, () => writeFile(out, `${BYTE_ORDER_MARK}${text}\n`));
      terminal.out(`${rows.length} missing texts are in ${out}.`);
    });
  texts
    .command('import <file>')
    .description('write the filled in texts into the files of the shop; on a fault nothing is written (exit code 1)')
    .action(async (path: string) => {
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        throw new InputFault(`${path} cannot be read: ${error.code ?? error.message}.`);
      });
      const name = basename(path);
      const csv = readCsv(requireUtf8(path, bytes));
      if (!csv.ok) return tellFaults(terminal, locateSheetFaults(name, [{ ...csv, column: '' }]));
      const root = locateShop(terminal.environment);
      const taken = await importTexts(root, csv.lines, await readCheckOptions(root));
      if ('fileFaults' in taken) return tellFaults(terminal, taken.fileFaults);
      if (!taken.ok) return tellFaults(terminal, locateSheetFaults(name, taken.faults));
      const { empty, files, texts: count } = taken;
      if (empty > 0) terminal.err(`${empty} lines have no text and were left out.`);
      terminal.out(
        count === 0
          ? 'Nothing was changed.'
          : `${count} texts are in ${files.join(', ')}; look at them by \`refill plan\`.`,
      );
    });
}

function tellFaults(terminal: Terminal, faults: readonly Fault[]): void {
  terminal.setExitCode(EXIT.fault);
  terminal.err(faults.map(({ sentence }) => sentence).join('\n'));
  terminal.err(`${faults.length} fault${faults.length === 1 ? '' : 's'}: nothing was written.`);
}
