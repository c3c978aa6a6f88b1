// `refill account ...`: accounts that the shop keeps itself, and shutting any account out at once.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { type AccountAct, addAccount } from '#server/modules/accounts/operate-account.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { actOnAccount } from '#server/operator/admin/act-on-account.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { PLAYER_OPTION, readActor, readBrand, readPlayer } from './player-option.ts';
import { EXIT, InputFault, type Terminal, printJson } from '#cli/terminal.ts';

type AddOptions = { brand: string; name: string; userId: string; sharedUserId?: boolean; by?: string; json?: boolean };
type AccountOptions = { brand: string; player: string; by?: string; json?: boolean };

const ACTS: Record<AccountAct, { description: string; done: string; impossible: string }> = {
  password: {
    description: 'give an account that the shop keeps a new password, shown once; all its sessions end',
    done: 'has a new password',
    impossible: 'has no password here: somebody else keeps it',
  },
  disable: {
    description: 'shut an account out: its sessions end, no login opens another one',
    done: 'is shut out',
    impossible: 'was shut out before',
  },
  enable: { description: 'let a disabled account in again', done: 'may log in again', impossible: 'is not disabled' },
  'end-sessions': {
    description: 'end every session of an account',
    done: 'is logged out everywhere',
    impossible: 'is logged in nowhere',
  },
};

export function addAccountCommands(program: Command, terminal: Terminal): void {
  const account = program.command('account').description('accounts of players: passwords, shutting out, logging out');
  account
    .command('add')
    .description(
      'a new account that the shop keeps; its password is shown once. Exit code 3 when the name or the user id is taken',
    )
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--name <text>', 'login name')
    .requiredOption('--user-id <id>', 'the user id the game knows')
    .option('--shared-user-id', 'also where a player has it already: two games gave it to different persons')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (options: AddOptions) => {
      const [username, suid, by] = [options.name.trim(), options.userId.trim(), readActor(options.by)];
      if (username === '' || username.normalize('NFKC').length > 100)
        throw new InputFault('--name: it must have 1 to 100 characters.');
      if (suid === '' || suid.length > 128) throw new InputFault('--user-id: it must have 1 to 128 characters.');
      const password = makePassword();
      const outcome = await withDatabase({ environment: terminal.environment }, async (db) => {
        const brand = readBrand(await loadConfiguration(db), options.brand);
        if (brand.file.accounts !== 'builtin')
          throw new InputFault(`--brand "${brand.key}": its game keeps the accounts.`);
        return transaction(db, async (client) => {
          const added = await addAccount(client, {
            brandKey: brand.key,
            username,
            suid,
            password,
            isShared: options.sharedUserId === true,
          });
          if (added.kind === 'done')
            await addAudit(client, {
              actor: by,
              act: 'account-add',
              billingNo: null,
              details: { brand: brand.key, suid },
            });
          return added;
        });
      });
      if (outcome.kind === 'done') {
        if (options.json) return printJson(terminal, { ok: true, password });
        return terminal.out(`${username} is there. Password:\n  ${password}`);
      }
      terminal.setExitCode(EXIT.impossible);
      const owner = outcome.kind === 'user_id_taken' ? outcome.playerId : null;
      if (options.json)
        return printJson(terminal, {
          ok: false,
          outcome: outcome.kind,
          ...(owner === null ? {} : { player_id: owner }),
        });
      terminal.err(
        owner === null
          ? `${username} is there already.`
          : `The user id ${suid} is that of player_id:${owner} already. \`refill account password\` gives an account ` +
              'a new password; --shared-user-id makes a second player with this user id.',
      );
    });
  for (const [act, { description, done, impossible }] of Object.entries(ACTS) as [
    AccountAct,
    (typeof ACTS)[AccountAct],
  ][])
    account
      .command(act)
      .description(`${description}; exit code 3 when it is not possible`)
      .requiredOption('--brand <key>', 'whose player')
      .requiredOption('--player <id>', PLAYER_OPTION)
      .option('--by <name>', 'who does it, for the audit; your login name unless given')
      .option('--json', 'one JSON object instead of a sentence')
      .action(async (options: AccountOptions) => {
        const by = readActor(options.by);
        const password = act === 'password' ? makePassword() : null;
        const isDone = await withDatabase({ environment: terminal.environment }, (db) =>
          carryOut(terminal, db, act, options, by, password),
        );
        if (!isDone) terminal.setExitCode(EXIT.impossible);
        if (options.json) return printJson(terminal, { ok: isDone, act, ...(isDone && password ? { password } : {}) });
        (isDone ? terminal.out : terminal.err)(`${options.player} ${isDone ? done : impossible}.`);
        if (isDone && password) terminal.out(`  ${password}`);
      });
}

/** 120 bits: nobody has to remember it, the player changes it. */
const makePassword = (): string => randomBytes(15).toString('base64url');

async function carryOut(
  terminal: Terminal,
  db: Db,
  act: AccountAct,
  options: AccountOptions,
  by: string,
  password: string | null,
): Promise<boolean> {
  const brand = readBrand(await loadConfiguration(db), options.brand);
  const player = await readPlayer(terminal, db, brand.key, options.player, { json: options.json, isDisabled: true });
  return actOnAccount(db, { act, brandKey: brand.key, playerId: player.player_id, password, by });
}
