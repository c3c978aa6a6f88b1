// Settings of a demonstration; whoever starts it with others of their own keeps those.
import { DEMO_SETTINGS } from '#server/platform/settings/published.ts';

export const demoSettings: Readonly<Record<string, string>> = DEMO_SETTINGS;

/** Under which the demo cards' passwords are stored. */
export function demoPepper(environment: Readonly<Record<string, string | undefined>>): string {
  return environment['REFILL_CARD_DEMO_PEPPER'] || DEMO_SETTINGS.REFILL_CARD_DEMO_PEPPER;
}
