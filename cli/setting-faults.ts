// Settings of this command's environment that a start of the shop would refuse or warn of. `refill plan` tells them beside
// the files, for the shop may run with other settings than its operator's shell.
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { inspectConfig } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { findStrayLines } from '#server/platform/settings/shop-folder.ts';
import type { Variables } from '#server/platform/settings/setting.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { checkProviderSettings } from '#server/serve/check-addresses.ts';
import { readCommandEnvironment } from './environment.ts';

export function listSettingFaults(
  variables: Variables,
  providers: readonly PaymentProvider[] = shopProviders,
): readonly Finding[] {
  const environment = readCommandEnvironment(variables);
  const { config, warnings } = inspectConfig({ ...variables, REFILL_ENVIRONMENT: environment });
  return [...warnings, ...findStrayLines(variables), ...checkProviderSettings(config, providers, environment)];
}
