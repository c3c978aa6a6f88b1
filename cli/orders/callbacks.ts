// `refill callbacks`: what providers told while the database could not store it.
import type { Command } from 'commander';
import { createCallbackRecord } from '#server/modules/orders/record/callback-record.ts';
import { type KeptCallback, listRecord } from '#server/modules/orders/record/list-record.ts';
import { createRecordLoop } from '#server/modules/orders/record/replay-record.ts';
import { locateCallbackRecord } from '#server/platform/record/locate-record.ts';
import { openRecordFolder } from '#server/platform/record/record-folder.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { withShop } from '#cli/shop.ts';
import { EXIT, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

/** The name of the database that `npm start` brings; where it listens does not matter here. */
const EMBEDDED = 'postgres://127.0.0.1/refill';

export function addCallbackCommands(program: Command, terminal: Terminal): void {
  const callbacks = program
    .command('callbacks')
    .description('callbacks that lie on the disk of this machine, because the database could not store them');
  const look = () => {
    const path = locateCallbackRecord(
      readCommandConfig(terminal.environment, terminal.environment['DATABASE_URL'] || EMBEDDED),
    );
    return listRecord(openRecordFolder(path)).then((found) => ({ path, ...found }));
  };

  callbacks
    .command('list')
    .description('what lies there, oldest first; needs no database')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await look();
      if (json) return printJson(terminal, found);
      if (found.files.length === 0) return terminal.out(`No callback waits in ${found.path}.`);
      terminal.out(
        drawTable(
          ['FILE', 'BYTES', 'STATE'],
          found.files.map(({ bytes, name, state }) => [name, bytes, state]),
        ),
      );
      terminal.out(drawTable(['ARRIVED', 'PROVIDER', 'PROVEN', 'SAYS'], found.callbacks.map(toRow)));
    });

  callbacks
    .command('replay')
    .description('applies what no running process holds, in its order; what was applied already changes nothing')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async ({ json }: { json?: boolean }) => {
      const outcome = await withShop(terminal, async ({ accounts, config, settle }) => {
        const folder = openRecordFolder(locateCallbackRecord(config));
        const { log } = settle;
        const record = createCallbackRecord({ folder, capBytes: 0, now: Date.now, log });
        const callbackDeps = { ...settle, accounts, record, now: Date.now };
        const loop = createRecordLoop({ record, callbacks: callbackDeps });
        try {
          return await loop.runOnce();
        } finally {
          await loop.stop();
        }
      });
      const { files } = await look();
      const held = files.filter(({ state }) => state === 'held').length;
      const isDone = outcome.waiting === 0 && held === 0;
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      const { replayed, waiting } = outcome;
      if (json) return printJson(terminal, { ok: isDone, replayed, waiting, files_held: held });
      terminal.out(`${replayed} callbacks were applied, ${waiting} still wait.`);
      if (held > 0)
        terminal.err(
          `${held} files are held by a process that runs: it applies them by itself. One that is dead is ` +
            'believed so after a minute.',
        );
    });
}

function toRow({ at, is_proven: isProven, provider, reports }: KeptCallback): unknown[] {
  const says = reports.map(({ reference, status }) => `${status} ${reference ?? ''}`.trim()).join(', ');
  return [at, provider, isProven ? 'yes' : 'not yet', says];
}
