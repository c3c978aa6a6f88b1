// Values of scoped settings that are not written as their declarations say.
import type { Environment } from '#kernel/environment.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { findFormFault, formOf } from '#kernel/setting-form.ts';
import type { KnownSetting } from './known-settings.ts';

/** Also of a provider or login that is off. @param owner "adyen", "login-apple" */
export function checkForms(
  given: Readonly<Record<string, string>>,
  settings: readonly KnownSetting[],
  owner: string,
  environment: Environment,
): Finding[] {
  return settings.flatMap((setting): Finding[] => {
    const value = given[setting.name];
    const form = formOf(setting);
    const fault = value && form ? findFormFault(form, value, setting.isSecret) : null;
    return fault ? [{ name: variableOf(owner, environment, setting.name), ...fault }] : [];
  });
}
