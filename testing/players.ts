// Accounts for flows in a browser, in brands that keep the passwords themselves. Simulated games know every name already.
import type { BrandKey } from '#kernel/ids.ts';
import { createAccountsService } from '#server/modules/accounts/service.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { openDb } from '#server/platform/db.ts';
import { createLoginLimits } from '#server/platform/limits.ts';
import { createLog } from '#server/platform/log.ts';

export type PlayerDesk = {
  /** The name is the user id in the simulated games as well. */
  save: (brand: string, name: string, password: string) => Promise<void>;
  close: () => Promise<void>;
};

/** @param databaseUrl of a database with the shipped configuration */
export async function openPlayerDesk(databaseUrl: string): Promise<PlayerDesk> {
  const db = openDb(databaseUrl, { max: 2, onError: () => {} });
  const configuration = await loadConfiguration(db);
  const accounts = createAccountsService({
    db,
    configuration: () => configuration,
    log: createLog('silent'),
    limits: createLoginLimits(db, 1),
    gameAccounts: { provider: 'game', verifyPassword: async () => ({ kind: 'unavailable' }) },
  });
  return {
    save: async (brand, name, password) => {
      await accounts.saveAccount({ brandKey: brand as BrandKey, username: name, suid: name, password });
    },
    close: () => db.end(),
  };
}
