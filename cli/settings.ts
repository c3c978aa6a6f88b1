// `refill settings`: every variable there is, as a page.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { writeSettingsPage } from '#server/serve/settings-page.ts';
import type { Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

export function addSettingsCommand(program: Command, terminal: Terminal): void {
  program
    .command('settings')
    .description('every variable that a shop reads, as Markdown: docs/settings.md is made by it')
    .option('--out <file>', 'write it there instead of printing it')
    .action(async ({ out }: { out?: string }) => {
      if (out === undefined) return terminal.out(writeSettingsPage().trimEnd());
      await writeTo('--out', out, () => writeFile(out, writeSettingsPage()));
      terminal.out(`Wrote ${out}.`);
    });
}
