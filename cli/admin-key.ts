// `refill key ...`: who may call the admin API, for what and until when.
import type { Command } from 'commander';
import { SCOPES, type Scope } from '#contracts/admin.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { listKeys, revokeKey } from '#server/operator/admin/key-store.ts';
import { makeKey } from '#server/operator/admin/keys.ts';
import type { Config } from '#server/platform/config.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from './database.ts';
import { readCommandConfig } from './environment.ts';
import { readActor, readCount } from './players/player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from './terminal.ts';

type CreateOptions = { scopes: string; days: string; by?: string; json?: boolean };

/** Our choice: a key that nobody changes for longer is forgotten where it lies. */
const LONGEST_DAYS = 366;

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const key = program.command('key').description('keys of the admin API (docs/admin-api.md)');
  const open = <Result>(work: (db: Db, config: Config) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, (db, url) =>
      work(db, readCommandConfig(terminal.environment, url)),
    );
  key
    .command('create <name>')
    .description('make a key; its secret is shown this once. Exit code 3 when a live key has the name')
    .requiredOption('--scopes <list>', `by commas, of ${SCOPES.join(', ')}; support and finance may read as well`)
    .option('--days <n>', 'good for so many days', '90')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of sentences')
    .action(async (name: string, options: CreateOptions) => {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name))
        throw new InputFault(`"${name}": a name has 1 to 40 letters, digits, dots, dashes and underscores.`);
      const scopes = readScopes(options.scopes);
      const days = readCount('--days', options.days, LONGEST_DAYS);
      const by = readActor(options.by);
      const made = await open((db, config) =>
        transaction(db, async (client) => {
          const one = await makeKey(client, config.keySecrets, { name, scopes, days, by });
          if (one && one !== 'taken')
            await addAudit(client, {
              actor: by,
              act: 'key-create',
              billingNo: null,
              details: { key: one.keyId, name, scopes, days },
            });
          return one;
        }),
      );
      if (!made)
        throw new InputFault(
          'REFILL_KEY_SECRETS is not set: keys are made of it, here and in the shop. Make one with `openssl rand ' +
            '-base64 32`.',
        );
      if (made === 'taken') {
        terminal.setExitCode(EXIT.impossible);
        return terminal.err(`A live key is called ${name}: revoke it first, or choose another name.`);
      }
      if (options.json)
        return printJson(terminal, {
          key_id: made.keyId,
          name,
          scopes,
          expires_at: made.expiresAt,
          secret: made.secret,
        });
      terminal.out(`${made.keyId} (${name}) may ${scopes.join(', ')} until ${made.expiresAt.toISOString()}.`);
      terminal.out('Its secret, shown this once:');
      terminal.out(`  ${made.secret}`);
    });
  key
    .command('list')
    .description('keys, the newest first')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: { json?: boolean }) => {
      const keys = await withDatabase({ environment: terminal.environment }, listKeys);
      if (json) return printJson(terminal, { keys: keys.map(({ secret_hash: _hash, ...shown }) => shown) });
      terminal.out(
        keys.length === 0
          ? 'There is no key.'
          : drawTable(
              ['KEY', 'NAME', 'SCOPES', 'STATE', 'UNTIL', 'LAST CALL', 'MADE BY'],
              keys.map((one) => [
                one.key_id,
                one.name,
                one.scopes.join(' '),
                one.revoked_at ? 'revoked' : one.is_live ? 'live' : 'expired',
                one.expires_at,
                one.seen_at,
                one.created_by,
              ]),
            ),
      );
    });
  key
    .command('revoke <key_id>')
    .description('it opens nothing any more; exit code 3 when it did not before')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (keyId: string, options: { by?: string; json?: boolean }) => {
      const by = readActor(options.by);
      const name = await withDatabase({ environment: terminal.environment }, (db) =>
        transaction(db, async (client) => {
          const revoked = await revokeKey(client, keyId);
          if (revoked !== null)
            await addAudit(client, {
              actor: by,
              act: 'key-revoke',
              billingNo: null,
              details: { key: keyId, name: revoked },
            });
          return revoked;
        }),
      );
      if (name === null) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { ok: name !== null, key_id: keyId });
      (name === null ? terminal.err : terminal.out)(
        name === null ? `There is no live key ${keyId}.` : `${keyId} (${name}) is revoked.`,
      );
    });
}

function readScopes(list: string): Scope[] {
  return [...new Set(list.split(',').map((name) => name.trim()))].map((name) => {
    const scope = SCOPES.find((known) => known === name);
    if (!scope) throw new InputFault(`--scopes "${name}": it must be one of ${SCOPES.join(', ')}.`);
    return scope;
  });
}
