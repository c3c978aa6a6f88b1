// `refill invariants`: what must be true of the books, and whether it is.
import type { Command } from 'commander';
import { type InvariantResult, checkChanges, checkFully } from '#server/modules/invariants/service.ts';
import { describeBehind, openCommandReads, withDatabase } from '#cli/database.ts';
import { EXIT, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type Checked = { invariants: readonly InvariantResult[]; players: number | null; behindSeconds: number | null };

export function addInvariantCommands(program: Command, terminal: Terminal): void {
  program
    .command('invariants')
    .description('run every invariant of the database; exit code 1 when one is broken')
    .option('--changed', 'only over players of whom something has changed since the last look')
    .option('--json', 'one JSON object instead of lines')
    .action(async ({ changed, json }: { changed?: boolean; json?: boolean }) => {
      const { behindSeconds, invariants, players } = await (changed ? lookAtChanges : lookAtAll)(terminal);
      const isOk = invariants.every((one) => one.breaches === 0);
      if (!isOk) terminal.setExitCode(EXIT.fault);
      if (json) return printJson(terminal, { ok: isOk, invariants, players, behind_seconds: behindSeconds });
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
      if (players !== null) terminal.out(`Of ${players} players, whose rows had changed or were open for too long.`);
      if (behindSeconds !== null) terminal.out(describeBehind(behindSeconds));
    });
}

function lookAtAll(terminal: Terminal): Promise<Checked> {
  return withDatabase({ environment: terminal.environment }, async (db) => {
    const reads = openCommandReads(terminal, db);
    try {
      const { behindSeconds, value } = await checkFully(db, reads);
      return { invariants: value, players: null, behindSeconds };
    } finally {
      await reads.close();
    }
  });
}

function lookAtChanges(terminal: Terminal): Promise<Checked> {
  return withDatabase({ environment: terminal.environment }, async (db) => {
    const { players, results } = await checkChanges(db);
    return { invariants: results, players, behindSeconds: null };
  });
}
