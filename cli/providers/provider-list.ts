// `refill provider list`: which providers this shop could be paid by, what is missing, and what each can do.
import type { Environment } from '#kernel/environment.ts';
import { findMissing } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { readSettings } from './provider-settings.ts';
import { drawTable, printJson, type Terminal } from '#cli/terminal.ts';

const MODES = ['demo', 'live'] as const;

/** `off`: no setting at all. `incomplete`: some, but not all that are required, so the shop treats it as off. */
type Side = { readonly state: 'on' | 'incomplete' | 'off'; readonly missing: readonly string[] };

/** Verbs that not every provider has, as an operator calls them. */
function abilitiesOf(provider: PaymentProvider): string[] {
  const { cancel, capture, check, readSettlement, refund } = provider;
  const all = { capture, cancel, refund, 'settlement file': readSettlement, check };
  return Object.entries(all).flatMap(([name, verb]) => (verb ? [name] : []));
}

function sideOf(provider: PaymentProvider, settings: Readonly<Record<string, string>>): Side {
  const missing = findMissing(provider, settings).map(({ name }) => name);
  const isAnySet = provider.settings.some(({ name }) => settings[name]);
  return { state: missing.length === 0 ? 'on' : isAnySet ? 'incomplete' : 'off', missing };
}

export function listProviders(terminal: Terminal, options: { json?: boolean }): void {
  const settingsOf = readSettings(terminal);
  const side = (provider: PaymentProvider, mode: Environment) => sideOf(provider, settingsOf(provider.name, mode));
  const found = shopProviders.map((provider) => ({
    name: provider.name,
    demo: side(provider, 'demo'),
    live: side(provider, 'live'),
    abilities: abilitiesOf(provider),
  }));
  if (options.json) return printJson(terminal, { ok: true, providers: found });
  const rows = found.map(({ abilities, live, name, demo }) => [name, demo.state, live.state, abilities.join(', ')]); // prettier-ignore
  terminal.out(drawTable(['PROVIDER', 'DEMO', 'LIVE', 'ABILITIES'], rows));
  const missing = found.flatMap(
    (one) =>
    MODES.filter((mode) => one[mode].state === 'incomplete').map((mode) => [one.name, mode, one[mode].missing.join(', ')]), // prettier-ignore
  );
  if (missing.length > 0) terminal.out(`\n${drawTable(['INCOMPLETE', 'SIDE', 'MISSING'], missing)}`);
  // A side that is wholly off misses all that is required, which a table of seventeen providers would only hide.
  terminal.out('\nWhat a side needs, and whether it works: refill provider check <name> --mode <demo|live>');
}
