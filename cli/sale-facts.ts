// Finds the reasons that would keep a brand from selling by the planned files: by the files alone, or, where
// REFILL_ENVIRONMENT is set and this command has settings of games or providers, by those as well, as a start would.
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { inspectConfig } from '#server/platform/config.ts';
import { describeFinding } from '#server/platform/settings/finding.ts';
import type { Variables } from '#server/platform/settings/setting.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { checkBrandFiles, checkBrands } from '#server/serve/check-brands.ts';

/** Whole sentences; none: every brand can sell. */
export function listSaleFacts(
  configuration: Configuration,
  variables: Variables,
  providers: readonly PaymentProvider[] = shopProviders,
): string[] {
  const { config } = inspectConfig(variables);
  const hasSettings = config.scoped.some((one) => one.environment === config.environment);
  // Without an environment it is the database of `npm start`, which simulates every game and provider that is not set.
  if (!variables.REFILL_ENVIRONMENT || !hasSettings) return checkBrandFiles(configuration).map(describeFinding);
  const { faults, warnings } = checkBrands(config, configuration, providers, config.environment);
  // Channels without credentials are many in a demonstration, and the start tells them.
  const brands = warnings.filter(({ name }) => name.startsWith('brand '));
  return [...faults, ...brands].map(describeFinding);
}

/** Says that settings decided nothing, because nobody named their environment; null where there are none. */
export function explainUnseenSettings(variables: Variables): string | null {
  if (variables.REFILL_ENVIRONMENT || inspectConfig(variables).config.scoped.length === 0) return null;
  return (
    'REFILL_ENVIRONMENT is not set, so the files are compared with the database of `npm start`, which simulates the games ' +
    'and providers that are not set: set it to demo or live to see what a start of that shop would lack.'
  );
}
