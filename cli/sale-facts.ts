// What would keep a brand from selling by the files that are planned: by the files alone, or, where this command has
// settings of games or providers, by those as well, as a start of the shop would tell it.
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
  if (!hasSettings) return checkBrandFiles(configuration).map(describeFinding);
  const { faults, warnings } = checkBrands(config, configuration, providers, config.environment);
  // Channels without credentials are many in a demonstration, and the start tells them.
  const brands = warnings.filter(({ name }) => name.startsWith('brand '));
  return [...faults, ...brands].map(describeFinding);
}
