// `refill provider list`: which providers this shop could be paid by, what is missing, and what each can do.
import { findMissing } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { listKnownProviders, readSettings } from './provider-settings.ts';
import { drawTable, printJson, type Terminal } from '#cli/terminal.ts';

/** `off`: no setting at all. `incomplete`: some, but not all that are required, so the shop treats it as off. */
type Side = { readonly state: 'on' | 'incomplete' | 'off'; readonly missing: readonly string[] };

/** Verbs that not every provider has, as an operator calls them. */
function abilitiesOf(provider: PaymentProvider): string[] {
  const { cancel, capture, check, listPaymentsSince, readSettlement, refund } = provider;
  const all = {
    capture,
    cancel,
    refund,
    'settlement file': readSettlement,
    'list of payments': listPaymentsSince,
    check,
  };
  return Object.entries(all).flatMap(([name, verb]) => (verb ? [name] : []));
}

function sideOf(provider: PaymentProvider, settings: Readonly<Record<string, string>>): Side {
  const missing = findMissing(provider, settings).map(({ name }) => name);
  const isAnySet = provider.settings.some(({ name }) => settings[name]);
  return { state: missing.length === 0 ? 'on' : isAnySet ? 'incomplete' : 'off', missing };
}

export async function listProviders(terminal: Terminal, options: { json?: boolean }): Promise<void> {
  const { environment, settingsOf } = readSettings(terminal);
  const found = (await listKnownProviders(terminal)).map((provider) => ({
    name: provider.name,
    ...sideOf(provider, settingsOf(provider.name)),
    abilities: abilitiesOf(provider),
  }));
  if (options.json) return printJson(terminal, { ok: true, environment, providers: found });
  const rows = found.map(({ abilities, name, state }) => [name, state, abilities.join(', ')]);
  terminal.out(drawTable(['PROVIDER', environment.toUpperCase(), 'ABILITIES'], rows));
  const missing = found.filter(({ state }) => state === 'incomplete').map((one) => [one.name, one.missing.join(', ')]);
  if (missing.length > 0) terminal.out(`\n${drawTable(['INCOMPLETE', 'MISSING'], missing)}`);
  // A provider that is wholly off misses all that is required, which a table of seventeen would only hide.
  terminal.out('\nWhat one needs, and whether it works: refill provider check <name>');
}
