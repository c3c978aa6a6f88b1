// `refill invariants`: what must be true of the books, and whether it is.
import type { Command } from 'commander';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { withDatabase } from '#cli/database.ts';
import { EXIT, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

export function addInvariantCommands(program: Command, terminal: Terminal): void {
  program
    .command('invariants')
    .description('run every invariant of the database; exit code 1 when one is broken')
    .option('--json', 'one JSON object instead of lines')
    .action(async ({ json }: { json?: boolean }) => {
      const invariants = await withDatabase({ isMigrating: false, environment: terminal.environment }, checkInvariants);
      const isOk = invariants.every((one) => one.breaches === 0);
      if (!isOk) terminal.setExitCode(EXIT.fault);
      if (json) return printJson(terminal, { ok: isOk, invariants });
      terminal.out(
        drawTable(
          ['', '', 'BREACHES'],
          invariants.map((one) => [one.invariant, one.sentence, one.breaches === 0 ? 'none' : one.breaches]),
        ),
      );
      for (const one of invariants.filter((entry) => entry.breaches > 0)) {
        terminal.out(`\n${one.invariant} is broken ${one.breaches} times, for example:`);
        for (const example of one.examples) terminal.out(`  ${JSON.stringify(example)}`);
      }
      terminal.out(isOk ? '\nAll hold.' : '\nSome are broken: see docs/operating.md, "When an invariant is broken".');
    });
}
