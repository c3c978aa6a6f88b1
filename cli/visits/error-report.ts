// `refill report errors`: what pages and players reported.
import type { Command } from 'commander';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { listReports } from '#server/modules/reports/service.ts';
import { withDatabase } from '#cli/database.ts';
import { readBrand, readCount } from '#cli/players/player-option.ts';
import { type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { readTimes } from '#cli/times.ts';

type Options = { brand?: string; since?: string; until?: string; limit: string; json?: boolean };

const LARGEST_LIMIT = 1000;

export function addErrorReportCommand(report: Command, terminal: Terminal): void {
  report
    .command('errors')
    .description('faults that pages and players reported; the newest first')
    .option('--brand <key>', 'whose shop; all unless given')
    .option('--since <time>', 'received at or after: 2026-11-21 or 2026-11-21T08:30:00Z (UTC)')
    .option('--until <time>', 'received before')
    .option('--limit <n>', 'at most so many', '50')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: Options) => {
      const { since, until } = readTimes(options);
      const limit = readCount('--limit', options.limit, LARGEST_LIMIT);
      const reports = await withDatabase({ environment: terminal.environment }, async (db) => {
        const brandKey = options.brand === undefined ? null : readBrand(await loadConfiguration(db), options.brand).key;
        return listReports(db, { brandKey, since, until }, limit);
      });
      if (options.json) return printJson(terminal, { reports });
      terminal.out(
        reports.length === 0
          ? 'No reports.'
          : drawTable(
              [
                'REFERENCE',
                'RECEIVED',
                'BRAND',
                'KIND',
                'PATH',
                'CODE',
                'REQUEST',
                'PAGE',
                'LANGUAGE',
                'BUILD',
                'NOTE',
              ],
              reports.map((one) => [
                one.reference,
                one.received_at,
                one.brand_key,
                one.kind,
                one.path,
                one.code,
                one.request,
                one.page,
                one.language,
                one.build,
                one.note,
              ]),
            ),
      );
    });
}
