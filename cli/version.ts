// `refill version`: what runs here, to be quoted in a report.
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readVersioned } from '#server/platform/database/schema/sql-files.ts';
import { readCommit, readVersion } from '#server/platform/version.ts';
import { printJson, type Terminal } from './terminal.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export function addVersionCommand(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description('the version of this program, its commit where it is known, and its newest migration')
    .option('--json', 'one JSON object instead of a line')
    .action(async ({ json }: { json?: boolean }) => {
      const version = readVersion();
      const commit = readCommit();
      const migration = (await readVersioned(root)).at(-1)?.name.replace(/\.sql$/, '') ?? '';
      if (json) return printJson(terminal, { version, commit, migration });
      terminal.out(`refill ${version}${commit ? ` (commit ${commit})` : ''}, newest migration ${migration}`);
    });
}
