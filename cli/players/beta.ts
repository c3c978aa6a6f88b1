// `refill beta ...`: keys of super mode, for people who see new goods and texts before everybody else.
import type { Command } from 'commander';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { issueBetaKey, listBetaKeys, revokeBetaKey } from '#server/platform/http/beta.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { originOf } from '#cli/brand-origin.ts';
import { withDatabase } from '#cli/database.ts';
import { readActor, readBrand, readCount } from './player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type BetaOptions = { brand: string; label: string; days: string; by?: string; json?: boolean };

/** As long as the cookie of a browser can hold it. */
const LONGEST_DAYS = 365;

export function addBetaCommands(program: Command, terminal: Terminal): void {
  const beta = program
    .command('beta')
    .description('keys that make a browser a beta user of a brand, who sees what is marked beta before everybody else');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));

  beta
    .command('issue')
    .description('make a key; it is shown this once, as the address to open in the browser')
    .requiredOption('--brand <key>', 'whose shop')
    .requiredOption('--label <text>', 'who it is for, at most 80 characters')
    .option('--days <n>', 'good for so many days', '30')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of sentences')
    .action(async (options: BetaOptions) => {
      const label = options.label.trim();
      if (label === '' || label.length > 80)
        throw new InputFault('--label: it must be a name of at most 80 characters.');
      const days = readCount('--days', options.days, LONGEST_DAYS);
      const by = readActor(options.by);
      const issued = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        return transaction(db, async (client) => {
          const made = await issueBetaKey(client, { brandKey: brand.key, label, days, by });
          await addAudit(client, {
            actor: by,
            act: 'beta-issue',
            billingNo: null,
            details: { brand: brand.key, id: made.id, label, days },
          });
          return { ...made, origin: originOf(terminal, brand) };
        });
      });
      const path = `/?beta_key=${issued.key}`;
      const link = `${issued.origin}${path}`;
      if (options.json) return printJson(terminal, { id: issued.id, key: issued.key, path, link });
      terminal.out(`Key ${issued.id} is made. Open this address once in the browser that is to be the beta user:`);
      terminal.out(`  ${link}`);
      terminal.out('The address with beta_key=off leaves super mode. The key itself is not shown again.');
    });

  beta
    .command('list')
    .description('the keys of a brand, without the keys themselves')
    .requiredOption('--brand <key>', 'whose shop')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: Pick<BetaOptions, 'brand' | 'json'>) => {
      const keys = await withShopDatabase((db, configuration) =>
        listBetaKeys(db, readBrand(configuration, options.brand).key),
      );
      if (options.json) return printJson(terminal, { keys });
      terminal.out(
        keys.length === 0
          ? 'No keys.'
          : drawTable(
              ['ID', 'FOR', 'BY', 'MADE', 'UNTIL', 'REVOKED'],
              keys.map((key) => [
                key.beta_id,
                key.label,
                key.issued_by,
                key.created_at,
                key.expires_at,
                key.revoked_at,
              ]),
            ),
      );
    });

  beta
    .command('revoke <id>')
    .description('take a key back and end its sessions; exit code 3 when there is none such')
    .requiredOption('--brand <key>', 'whose shop')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .action(async (id: string, options: Pick<BetaOptions, 'brand' | 'by'>) => {
      const by = readActor(options.by);
      const isDone = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        return transaction(db, async (client) => {
          if (!(await revokeBetaKey(client, brand.key, id))) return false;
          await addAudit(client, { actor: by, act: 'beta-revoke', billingNo: null, details: { brand: brand.key, id } });
          return true;
        });
      });
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      (isDone ? terminal.out : terminal.err)(
        isDone ? `Key ${id} is revoked.` : `Key ${id} cannot be revoked: it is not there, or was revoked before.`,
      );
    });
}
