// Settings of payment providers as a shop on this environment would read them; no database is asked for.
import type { Environment } from '#kernel/environment.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { requireAdapters } from '#server/own-modules/load-modules.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { InputFault, type Terminal } from '#cli/terminal.ts';

type ProviderSettings = {
  readonly environment: Environment;
  settingsOf(provider: string): Readonly<Record<string, string>>;
};

/** Throws InputFault for variables that cannot be read. */
export function readSettings(terminal: Terminal): ProviderSettings {
  // Settings of providers stand in the environment alone: any address of a database will do, for none is opened.
  const { environment, providerSettings } = readCommandConfig(terminal.environment, 'postgres://nobody');
  return { environment, settingsOf: providerSettings };
}

/** The variable an operator sets: REFILL_ADYEN_LIVE_API_KEY. @source server/platform/config.ts */
export function variableOf(provider: string, environment: Environment, setting: string): string {
  return `REFILL_${provider.toUpperCase()}_${environment.toUpperCase()}_${setting}`;
}

/** The product's own and those of the shop. */
export async function listKnownProviders({ environment }: Terminal): Promise<readonly PaymentProvider[]> {
  return (await requireAdapters(locateShop(environment))).providers;
}

/** Throws InputFault when no provider is called so. */
export async function findProvider(terminal: Terminal, name: string): Promise<PaymentProvider> {
  const providers = await listKnownProviders(terminal);
  const provider = providers.find((one) => one.name === name);
  const known = providers.map((one) => one.name).join(', ');
  if (!provider) throw new InputFault(`"${name}": no such provider. There are ${known}.`);
  return provider;
}
