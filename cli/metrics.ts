// `refill metrics`: every metric there is, as a page.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { writeMetricsPage } from '#server/operator/metrics-page.ts';
import type { Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

export function addMetricsCommand(program: Command, terminal: Terminal): void {
  program
    .command('metrics')
    .description('every metric that a shop shows, as Markdown: docs/metrics.md is made by it')
    .option('--out <file>', 'write it there instead of printing it')
    .action(async ({ out }: { out?: string }) => {
      const page = writeMetricsPage();
      if (out === undefined) return terminal.out(page.trimEnd());
      await writeTo('--out', out, () => writeFile(out, page));
      terminal.out(`Wrote ${out}.`);
    });
}
