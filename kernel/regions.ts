// Payment regions, and the countries a player can choose in the channel list. Pure tables; who sees what is the brand's file.

/** @source specification section 3, "Payment regions" */
export const REGIONS = ['universal', 'eru', 'sea', 'ja', 'kr', 'twhk', 'useuro', 'ru', 'hk', 'codapay', 'mea'] as const;

export type Region = (typeof REGIONS)[number];

export function isRegion(value: string): value is Region {
  return (REGIONS as readonly string[]).includes(value);
}

/**
 * Region codes of the channel list and the name shown; 'GLOBAL' carries the channels offered everywhere.
 * @source specification section 3, "Region-to-name map"; JP, KR, TW, HK, AE and SA are ours: the shipped brands sell there
 */
export const COUNTRIES = {
  GLOBAL: 'Global', PH: 'Philippines', MY: 'Malaysia', SG: 'Singapore', ID: 'Indonesia', TH: 'Thailand', VN: 'Vietnam', IN: 'India', MMK: 'Myanmar',
  TR: 'Türkiye', BR: 'Brazil', US: 'United States', FR: 'France', DE: 'Germany', RU: 'Russia', NL: 'Netherlands',
  JP: 'Japan', KR: 'South Korea', TW: 'Taiwan', HK: 'Hong Kong', AE: 'United Arab Emirates', SA: 'Saudi Arabia',
} as const; // prettier-ignore

export type Country = keyof typeof COUNTRIES;

export function isCountry(value: string): value is Country {
  return Object.hasOwn(COUNTRIES, value);
}
