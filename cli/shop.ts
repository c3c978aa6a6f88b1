// A shop for one command: the applied configuration, and the providers and games with the credentials of
// the environment. It serves and works nothing; what a command leaves to do is done by the workers of the running shop.
import { type Composed, compose } from '#server/compose.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import type { SettleDeps } from '#server/modules/orders/payments/settle-payment.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openLimitStore } from '#server/platform/limits/limit-store.ts';
import { createLog } from '#server/platform/log.ts';
import { loadTexts } from '#server/platform/texts.ts';
import { requireAdapters } from '#server/own-modules/load-modules.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { withDatabase } from './database.ts';
import { readCommandConfig } from './environment.ts';
import { type Terminal } from './terminal.ts';
import { createSteps } from '#server/modules/orders/steps/steps.ts';

export type CommandShop = {
  readonly db: Db;
  readonly payments: Composed['payments'];
  readonly games: Composed['games'];
  readonly accounts: Composed['accounts'];
  readonly config: Config;
  readonly settle: SettleDeps;
  readonly configuration: Configuration;
  readonly providers: readonly PaymentProvider[];
};

/** Runs `work` with a shop on the operator's database; everything it opened is closed afterwards. */
export function withShop<Result>(terminal: Terminal, work: (shop: CommandShop) => Promise<Result>): Promise<Result> {
  const { environment } = terminal;
  return withDatabase({ environment }, async (db, url) => {
    const config = readCommandConfig(environment, url);
    const configuration = await loadConfiguration(db);
    const log = createLog('warn', { write: (line) => terminal.err(line.trimEnd()) });
    const adapters = await requireAdapters(locateShop(environment));
    const limits = await openLimitStore(db, config, log);
    const shop = compose({
      config,
      db,
      counts: limits.store,
      log,
      texts: loadTexts(),
      ...adapters,
      configuration: () => configuration,
    });
    const { payments, games, accounts } = shop;
    try {
      return await work({
        db,
        payments,
        games,
        configuration,
        providers: adapters.providers,
        accounts,
        config,
        settle: {
          db,
          log,
          payments,
          games,
          steps: createSteps(db, { isSharing: false }),
          reserve: () => null,
          onPaid: () => undefined,
          onApproved: () => undefined,
          mustNotify: true,
        },
      });
    } finally {
      await shop.outbound.close();
      await limits.close();
    }
  });
}
