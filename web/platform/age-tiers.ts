// Caps by age as sentences, from the youngest: "Under 16", "16 to under 18", "18 and over".
import { OF_AGE } from '#kernel/age.ts';
import { t } from './i18n.ts';

/** @param tiers as kernel/age-caps.ts has them; `cap_shown`: money as this page writes it */
export function describeAgeTiers(tiers: readonly { under: number; cap_shown: string }[]): string[] {
  const lines = tiers.map(({ under: age, cap_shown: cap }, index) => {
    const from = tiers[index - 1]?.under;
    return from === undefined ? t('age.tier', { age, cap }) : t('age.tier_between', { from, age, cap });
  });
  return [...lines, t('age.tier_top', { age: tiers.at(-1)?.under ?? OF_AGE })];
}
