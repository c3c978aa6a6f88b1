// Prepares a demonstration: the shipped brands, games and channels or those of one's own shop, and accounts that anyone
// may log in with.
import { fileURLToPath } from 'node:url';
import type { BrandKey } from '#kernel/ids.ts';
import { createAccountsService } from '#server/modules/accounts/service.ts';
import { applyConfiguration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { assignEnvironment } from '#server/platform/database/environment.ts';
import { createLoginLimits } from '#server/platform/limits/login-limits.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from '#server/platform/settings/published.ts';
import { requireAdapters } from '#server/own-modules/load-modules.ts';
import { createLog } from '#server/platform/log.ts';
import type { OwnShop } from './start-own-shop.ts';
import { StartFault } from './start-postgres.ts';
import { seedCards, seedPlayers } from './start-demo-money.ts';
import type { Demo, DemoAccount } from './start-print.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The simulated games know a player whose name begins with "kestrel" and give everybody else
// characters drawn from the name.
const NOTES: Record<(typeof DEMO_LOGINS)[number], string> = {
  kestrel: 'has a character in every game',
  sparrow: 'a second player',
};
const demoAccounts: DemoAccount[] = DEMO_LOGINS.map((login) => ({
  login,
  password: DEMO_PASSWORD,
  note: NOTES[login],
}));

/**
 * Brings the files into the database, through the same code as `refill apply`; does nothing when they agree.
 * @returns the keys of the brands
 * @throws StartFault with all faults, a line each
 */
export async function configureDemo(databaseUrl: string, shop: string = root): Promise<string[]> {
  return withDb(databaseUrl, async (db) => {
    // Before anything is written: a start is a demonstration, and makes a database one.
    await assignEnvironment(db, 'demo');
    const applied = await applyConfiguration(db, shop, {
      ...(await requireAdapters(shop)),
      appliedBy: 'npm start',
      // Brands of a try-out come and go.
      acceptsRemovals: true,
    });
    if (!applied.ok) throw new StartFault(applied.faults.map((fault) => fault.sentence).join('\n'));
    const { brands } = await loadConfiguration(db);
    return [...brands.keys()];
  });
}

/**
 * Makes (or resets) the demo accounts of every brand that keeps its passwords itself; the simulated games have theirs
 * already. And what there is to spend.
 */
export async function seedDemo(
  databaseUrl: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  own?: OwnShop,
): Promise<Demo> {
  return withDb(databaseUrl, async (db) => {
    const configuration = await loadConfiguration(db);
    const accounts = createAccountsService({
      db,
      configuration: () => configuration,
      log: createLog('silent'),
      limits: createLoginLimits(db, 1),
      gameAccounts: { provider: 'game', verifyPassword: async () => ({ kind: 'unavailable' }) },
    });
    const builtin = [...configuration.brands.values()].filter((brand) => brand.file.accounts === 'builtin');
    const wanted = builtin.flatMap((brand) => demoAccounts.map((account) => ({ brandKey: brand.key, account })));
    const players = await Promise.all(
      wanted.map(async ({ brandKey, account: { login, password } }: { brandKey: BrandKey; account: DemoAccount }) => ({
        brandKey,
        playerId: await accounts.saveAccount({ brandKey, username: login, suid: login, password }),
      })),
    );
    await seedPlayers(db, configuration, players);
    // A game of somebody's own has accounts of its own.
    const isTrue = own === undefined || own.hasDemoAccounts;
    return {
      accounts: isTrue ? demoAccounts.map((account) => describeAccount(account, own)) : [],
      cards: await seedCards(db, configuration, environment),
    };
  });
}

/** A game of somebody's own may know the account and have no character of it. */
function describeAccount(account: DemoAccount, own: OwnShop | undefined): DemoAccount {
  return own && own.ownGames.length > 0 ? { ...account, note: 'a demo account' } : account;
}

async function withDb<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDb(url, { max: 4, preparesStatements: false, onError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
