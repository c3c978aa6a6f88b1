// `refill tracking export`: the moments of a brand's visits as JSON lines, for whatever measures them.
import type { Command } from 'commander';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { exportEvents } from '#server/modules/tracking/service.ts';
import { withDatabase } from '#cli/database.ts';
import { readBrand } from '#cli/players/player-option.ts';
import { type Terminal, writeJson } from '#cli/terminal.ts';
import { readTimes } from '#cli/times.ts';

type Options = { brand: string; since?: string; until?: string };

export function addTrackingCommands(program: Command, terminal: Terminal): void {
  program
    .command('tracking')
    .description('what pages told about visits')
    .command('export')
    .description('write the events of a brand as JSON lines, in the order they came')
    .requiredOption('--brand <key>', 'whose shop')
    .option('--since <time>', 'received at or after: 2026-11-21 or 2026-11-21T08:30:00Z (UTC)')
    .option('--until <time>', 'received before')
    .action(async (options: Options) => {
      const { since, until } = readTimes(options);
      await withDatabase({ environment: terminal.environment }, async (db) => {
        const brand = readBrand(await loadConfiguration(db), options.brand);
        for await (const page of exportEvents(db, brand.key, { since, until }))
          terminal.out(page.map((event) => writeJson(event)).join('\n'));
      });
    });
}
