// `refill player age` and `refill player real-name`: what support changes of what a player said, or a check found.
import type { Command } from 'commander';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { eraseRealName } from '#server/modules/realname/store.ts';
import { type Declaration, declareAge, eraseAge } from '#server/modules/spending/store.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { type Queryable, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { EXIT, InputFault, type Terminal, printJson } from '#cli/terminal.ts';
import { PLAYER_OPTION, readActor, readBrand, readPlayer, readReason } from './player-option.ts';

type FactOptions = { brand: string; player: string; reason: string; by?: string; json?: boolean };
type AgeOptions = FactOptions & { birth?: string; consent?: boolean; erase?: boolean };

export function addPlayerFactCommands(player: Command, terminal: Terminal): void {
  const ofPlayer = (name: string, about: string) =>
    player
      .command(name)
      .description(about)
      .requiredOption('--brand <key>', 'whose player')
      .requiredOption('--player <id>', PLAYER_OPTION)
      .requiredOption('--reason <text>', 'why, for the audit')
      .option('--by <name>', 'who does it, for the audit; your login name unless given')
      .option('--json', 'one JSON object instead of a sentence');

  /** Changes a fact of one player with its audit line; false: there was nothing to change. */
  const change = (
    options: FactOptions,
    act: string,
    details: Record<string, unknown>,
    work: (db: Queryable, player: PlayerId, by: string) => Promise<boolean>,
  ) =>
    withDatabase({ environment: terminal.environment }, async (db) => {
      const by = readActor(options.by);
      const reason = readReason(options.reason);
      const brand = readBrand(await loadConfiguration(db), options.brand);
      const { player_id: id } = await readPlayer(terminal, db, brand.key, options.player, options);
      return transaction(db, async (client) => {
        const isDone = await work(client, id, by);
        if (isDone)
          await addAudit(client, {
            actor: by,
            act,
            billingNo: null,
            details: { player: id, ...details, reason },
          });
        return isDone;
      });
    });
  const tell = (options: FactOptions, isDone: boolean, sentences: { done: string; nothing: string }) => {
    if (!isDone) terminal.setExitCode(EXIT.impossible);
    if (options.json) printJson(terminal, { isDone });
    else if (isDone) terminal.out(sentences.done);
    else terminal.err(sentences.nothing);
  };

  ofPlayer('age', 'correct or erase the month of birth that a player declared; exit code 3 when there is none to erase')
    .option('--birth <YYYY-MM>', 'year and month of birth')
    .option('--consent', 'parent or guardian of a minor agrees')
    .option('--erase', 'the player is asked again before the next order')
    .action(async (options: AgeOptions) => {
      const said = readAge(options);
      const isDone = said
        ? await change(options, 'player-age', { consent: said.hasConsent }, (db, id, by) =>
            declareAge(db, id, said, by),
          )
        : await change(options, 'player-age', { erased: true }, (db, id) => eraseAge(db, id));
      const done = said ? `The player was born in ${options.birth} now.` : 'The player is asked again.';
      tell(options, isDone, { done, nothing: 'The player has declared no age.' });
    });

  ofPlayer('real-name', 'erase the result of a real-name check; exit code 3 when there is none')
    .requiredOption('--erase', 'the player is checked anew before the next order')
    .action(async (options: FactOptions) => {
      const isDone = await change(options, 'player-real-name', { erased: true }, (db, id) => eraseRealName(db, id));
      tell(options, isDone, { done: 'The player is checked anew.', nothing: 'There is no result to erase.' });
    });
}

/** Null: what was said is to be erased. */
function readAge({ birth, consent = false, erase = false }: AgeOptions): Declaration | null {
  if (erase === (birth !== undefined)) throw new InputFault('Say either --birth or --erase.');
  if (birth === undefined) return null;
  const [, year = '', month = ''] = /^(19\d\d|20\d\d)-(0[1-9]|1[0-2])$/.exec(birth) ?? [];
  if (year === '') throw new InputFault(`--birth "${birth}": write year and month, e.g. 2009-04.`);
  return { birthYear: Number(year), birthMonth: Number(month), hasConsent: consent };
}
