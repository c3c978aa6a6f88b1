// Checks that a database can be opened for a shop.
import { findBuiltinAccount } from '#server/modules/accounts/store.ts';
import { checkPassword } from '#server/modules/accounts/passwords/password.ts';
import type { Environment } from '#kernel/environment.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { isDemonstration } from '#server/platform/database/demonstration.ts';
import { EnvironmentFault, requireEnvironment } from '#server/platform/database/environment.ts';
import { findUnapplied } from '#server/platform/database/migrate.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from '#server/platform/settings/published.ts';

const DATABASE = 'the database';

/** @returns null when this code finds its tables there */
export async function checkTables(db: Db): Promise<Finding | null> {
  const missing = await findUnapplied(db);
  const [first] = missing;
  if (first === undefined) return null;
  const { rows } = await db.query<{ there: boolean }>("select to_regclass('configuration') is not null as there");
  const reason = rows[0]?.there ? `lacks ${first} of this version` : 'is empty';
  return { name: DATABASE, reason, remedy: 'run `npm run refill -- apply` first' };
}

/** A database belongs to one environment from its first start on. @returns null when it is this one, or none yet */
export async function checkEnvironment(db: Db, environment: Environment): Promise<Finding | null> {
  try {
    await requireEnvironment(db, environment);
    return null;
  } catch (error) {
    if (!(error instanceof EnvironmentFault)) throw error;
    return {
      name: 'REFILL_ENVIRONMENT',
      reason: `is ${environment}, and the database belongs to the other environment`,
      remedy: 'give each environment a database of its own',
    };
  }
}

export function checkApplied(configuration: Configuration): Finding | null {
  if (configuration.brands.size > 0) return null;
  return { name: DATABASE, reason: 'has no brand yet', remedy: 'run `npm run refill -- apply` first' };
}

/** In live: accounts and marks that a demonstration left. */
export async function checkTraces(db: Db, configuration: Configuration): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (await isDemonstration(db))
    findings.push({
      name: DATABASE,
      reason: 'was made by npm start, so it holds accounts, cards and balances that anybody knows',
      remedy: 'take an empty one and run `npm run refill -- apply`',
    });
  for (const brand of configuration.brands.values()) {
    const known: string[] = [];
    for (const login of DEMO_LOGINS) {
      const account = await findBuiltinAccount(db, brand.key, login);
      if (account && (await isDemoPassword(account.hash))) known.push(login);
    }
    if (known.length > 0)
      findings.push({
        name: `brand ${brand.key}`,
        reason:
          `has the demonstration's ${known.length === 1 ? 'account' : 'accounts'} ${known.join(', ')} with the ` +
          'published password',
        remedy:
          `give ${known.length === 1 ? 'it' : 'them'} another password or shut ` +
          `${known.length === 1 ? 'it' : 'them'} out, by \`npm run refill -- account\``,
      });
  }
  return findings;
}

async function isDemoPassword(hash: string): Promise<boolean> {
  const checked = await checkPassword(hash, DEMO_PASSWORD);
  return checked === 'match' || checked === 'outdated';
}
