// `refill person export|erase`: what the shop holds about a person, in a file; and erasing them.
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import type { PlayerId } from '#kernel/ids.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { describeErasePlan } from '#server/modules/privacy/erasing/erase-plan.ts';
import {
  type EraseAnswer,
  type RefusalReason,
  erase,
  exportPerson,
  openErasedRecord,
  previewErase,
} from '#server/modules/privacy/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { createLog } from '#server/platform/log.ts';
import { withDatabase } from '#cli/database.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { writeTo } from '#cli/written-file.ts';
import { PLAYER_OPTION, readActor, readBrand, readPlayer } from './player-option.ts';

type ExportOptions = { brand: string; out: string; by?: string; json?: boolean };
type EraseOptions = { brand: string; giveUpBalance?: boolean; yes?: boolean; by?: string; json?: boolean };

/** Why somebody cannot be erased yet, and what ends it. */
const REFUSALS: Record<RefusalReason, (about: string) => string> = {
  open_order: (no) => `Order ${no} is not paid yet: wait until it expires, or end it with "refill order cancel ${no}".`,
  money_under_way: (no) =>
    `A provider may still take or tell of money for order ${no}: wait until its payment can be made no more.`,
  goods_under_way: (no) => `The goods of ${no} are paid and not in the game yet: wait for the delivery.`,
  review: (no) => `${no} waits for a decision: look with "refill order show ${no}" and decide.`,
  refund_due: (no) => `Money of order ${no} is owed to the player: wait for the refund, or pay it back.`,
  dispute: (no) =>
    `The bank took the money of order ${no} back less than 120 days ago: take the goods back first, or wait.`,
  makeup_open: (no) => `The make-up payment ${no} is open: it is paid, or closed with "refill replenish close".`,
  balance: (currency) =>
    `There is a balance in ${currency}: the player spends it, or gives it up in so many words (--give-up-balance).`,
};

export function addPersonCommands(program: Command, terminal: Terminal): void {
  const person = program
    .command('person')
    .description('what the shop holds about a person: a copy of it, or erasing it');
  person
    .command('export')
    .description('everything that the shop holds about a player, as one JSON document')
    .argument('<player>', PLAYER_OPTION)
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--out <file>', 'a new file; only you can read it')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (text: string, options: ExportOptions) => {
      const by = readActor(options.by);
      const bytes = await withPlayer(terminal, text, options, async (db, playerId) => {
        const written = await writeExport(db, playerId, options.out);
        await addAudit(db, { actor: by, act: 'person-export', billingNo: null, details: { player: playerId } });
        return written;
      });
      if (options.json) return printJson(terminal, { ok: true, file: options.out, bytes });
      terminal.out(`${options.out} holds everything about the player (${bytes} bytes). Hand it to nobody else.`);
    });
  person
    .command('erase')
    .description(
      'erase a player: shows what goes and what stays, and asks. Exit code 3 when something stands in the way, ' +
        'or it is done',
    )
    .argument('<player>', PLAYER_OPTION)
    .requiredOption('--brand <key>', 'whose player')
    .option('--give-up-balance', 'the player gives up what is in the balance')
    .option('--yes', 'do not ask')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of tables; needs --yes')
    .action(async (text: string, options: EraseOptions) => {
      const by = readActor(options.by);
      if (options.json && !options.yes) throw new InputFault('--json: nobody can be asked; add --yes.');
      await withPlayer(terminal, text, options, async (db, playerId, url) => {
        const input = { playerId, givesUpBalance: options.giveUpBalance === true, by };
        const preview = await previewErase(db, input);
        if (preview.outcome === 'erased' && !options.yes) {
          terminal.out(drawPlan(preview.rows));
          if (!terminal.ask) throw new InputFault('nothing was erased: nobody can be asked; add --yes.');
          if (!(await terminal.ask(`Erase player_id:${playerId}? This cannot be taken back.`)))
            throw new InputFault('nothing was erased.');
        }
        tell(
          terminal,
          playerId,
          preview.outcome === 'erased' ? await eraseNoted(terminal, { db, url }, input) : preview,
          options.json === true,
        );
      });
    });
}

function withPlayer<Result>(
  terminal: Terminal,
  text: string,
  options: { brand: string; json?: boolean },
  work: (db: Db, playerId: PlayerId, url: string) => Promise<Result>,
): Promise<Result> {
  return withDatabase({ environment: terminal.environment }, async (db, url) => {
    const brand = readBrand(await loadConfiguration(db), options.brand);
    const player = await readPlayer(terminal, db, brand.key, text, { json: options.json, isDisabled: true });
    return work(db, player.player_id, url);
  });
}

/** @throws InputFault when the file is there, or cannot be written */
async function writeExport(db: Db, playerId: PlayerId, path: string): Promise<number> {
  const file = await writeTo('--out', path, () => open(path, 'wx', 0o600));
  try {
    let bytes = 0;
    for await (const piece of exportPerson(db, playerId, new Date())) bytes += (await file.write(piece)).bytesWritten;
    return bytes;
  } finally {
    await file.close();
  }
}

/** Also on the disk of this machine, so that a restored backup is not the end of it. */
async function eraseNoted(
  terminal: Terminal,
  { db, url }: { db: Db; url: string },
  input: { playerId: PlayerId; givesUpBalance: boolean; by: string },
): Promise<EraseAnswer> {
  const log = createLog('error', { write: (line) => terminal.err(line.trimEnd()) });
  const record = openErasedRecord({ config: readCommandConfig(terminal.environment, url), now: Date.now, log });
  try {
    return await erase(db, { ...input, record });
  } finally {
    await record?.close();
  }
}

function drawPlan(rows: Readonly<Record<string, number>>): string {
  const lines = describeErasePlan().map(({ table, is, what }) => [table, rows[table] ?? 0, what, is]);
  return drawTable(['TABLE', 'ROWS', 'BECOMES', 'WHAT IT IS FOR'], lines);
}

function tell(terminal: Terminal, playerId: PlayerId, answer: EraseAnswer, isJson: boolean): void {
  if (answer.outcome !== 'erased') terminal.setExitCode(EXIT.impossible);
  if (isJson) return printJson(terminal, { ok: answer.outcome === 'erased', player_id: playerId, ...answer });
  if (answer.outcome === 'erased')
    return terminal.out(`player_id:${playerId} is erased; the books keep this number, which leads to nobody.`);
  if (answer.outcome === 'erased_before') return terminal.err(`This player was erased on ${answer.erased_at}.`);
  if (answer.outcome === 'no_player') return terminal.err('This player is gone.');
  for (const { reason, billing_no: about } of answer.refusals) terminal.err(REFUSALS[reason](about));
}
