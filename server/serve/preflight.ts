// Everything that a start looks at before it listens, in one list: settings, secrets, addresses,
// database, games and channels.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#kernel/environment.ts';
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/database/db.ts';
import { describeFinding, type Finding } from '#server/platform/settings/finding.ts';
import { findDemonstrationFolder } from '#server/platform/settings/live-shop.ts';
import { checkProviderAddresses, checkProviderSettings } from './check-addresses.ts';
import { checkApplied, checkEnvironment, checkTables, checkTraces } from './check-database.ts';
import { checkMachine, warnOfMachine } from './check-machine.ts';
import { checkNames } from './check-names.ts';
import { checkOwnSecrets, checkSecrets } from './check-secrets.ts';
import { checkBrands } from './check-brands.ts';
import { checkGames, checkLogins } from './check-shop.ts';
import { listKnownGames, listKnownOwners } from './known-settings.ts';

export type Preflight = {
  readonly faults: Finding[];
  readonly warnings: Finding[];
  /** Null when there is a fault. */
  readonly configuration: Configuration | null;
};

type Parts = {
  readonly config: Config;
  readonly environment: Environment;
  readonly providers: readonly PaymentProvider[];
  readonly logins: readonly LoginProvider[];
  readonly now: () => number;
};

const PAGES = join(import.meta.dirname, '..', '..', 'web', 'dist', '.vite', 'manifest.json');

/** Finds the faults that the settings alone show. Names of games are looked at once the games are known. */
export function checkSettings({ config, environment, logins, now, providers }: Parts): Finding[] {
  const owners = listKnownOwners(providers, logins);
  const everywhere = [
    ...checkNames(config.names, owners, false),
    ...checkProviderSettings(config, providers, environment),
    ...checkLogins(config, logins, environment, now),
    ...checkGames(config, environment),
  ];
  if (environment === 'demo') return everywhere;
  return [
    ...everywhere,
    ...checkSecrets(config.scoped, owners),
    ...checkOwnSecrets(config, owners),
    ...checkProviderAddresses(config, providers),
    ...checkMachine(config),
    ...findDemonstrationFolder(config.shopFolder),
  ];
}

/** Finds the faults that the database adds to them. Throws only what the database throws. */
export async function checkShop(parts: Parts, db: Db): Promise<Preflight> {
  const { config, environment, logins, providers } = parts;
  const warnings = environment === 'live' ? warnOfMachine(config) : [];
  const tables = await checkTables(db);
  if (tables) return { faults: [tables], warnings, configuration: null };
  const elsewhere = await checkEnvironment(db, environment);
  if (elsewhere) return { faults: [elsewhere], warnings, configuration: null };
  const configuration = await loadConfiguration(db);
  const nothing = checkApplied(configuration);
  if (nothing) return { faults: [nothing], warnings, configuration: null };
  const owners = [...listKnownOwners(providers, logins), ...listKnownGames(configuration.games.keys())];
  const games = checkNames(
    config.names.filter((name) => name.startsWith('REFILL_GAME_')),
    owners,
    true,
  );
  const brands = checkBrands(config, configuration, providers, environment);
  const faults =
    environment === 'live' ? [...(await checkTraces(db, configuration)), ...games, ...brands.faults] : games;
  // A try-out may lack a game or all payment; it is told all the same.
  if (environment === 'demo') warnings.push(...brands.faults);
  return { faults, warnings: [...warnings, ...brands.warnings], configuration };
}

/** The storefront is built before a start, so that a server needs neither its sources nor the time. */
export function checkPages(role: Config['role']): Finding[] {
  if (role === 'worker' || existsSync(PAGES)) return [];
  return [{ name: 'the storefront', reason: 'is not built', remedy: 'run `npm run build` first' }];
}

/** The default stands in for a value that cannot be used, and a warning of the default would contradict the fault. */
export function leaveOutFaulty(warnings: readonly Finding[], faults: readonly Finding[]): Finding[] {
  const faulty = new Set(faults.map(({ name }) => name));
  return warnings.filter(({ name }) => !faulty.has(name));
}

/** The list as it is printed, without an end of line behind it. */
export function describeFaults(faults: readonly Finding[], warnings: readonly Finding[]): string {
  // The same fault may be found in two ways, by its name and by what follows from it.
  const unique = [...new Set(faults.map(describeFinding))];
  const lines = [
    `Refill does not start: ${unique.length === 1 ? 'one fault' : `${unique.length} faults`}.`,
    ...unique.map((sentence) => `  - ${sentence}`),
  ];
  const others = leaveOutFaulty(warnings, faults);
  if (others.length > 0) lines.push('Beside that:', ...others.map((warning) => `  - ${describeFinding(warning)}`));
  return lines.join('\n');
}
