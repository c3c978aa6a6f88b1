// Caps on what minors may spend in a month, by the law or custom of an area. Used where orders are placed and where the
// notices are written, so that both say the same.
import type { Currency } from './money.ts';

/** Tiers from the youngest; who is of age has none. `time_zone`: whose calendar months are counted. */
export type AgeCaps = {
  readonly currency: Currency;
  readonly time_zone: string;
  readonly tiers: readonly { readonly under: number; readonly cap_minor: number }[];
};

/**
 * Named in a brand's file. Yen have no minor unit.
 * @source specification section 5, "Japanese notices state monthly top-up caps: under 16: 5,000 yen; 16 to under 18:
 *   20,000 yen; 18 and over: none"
 */
export const AGE_CAPS = {
  japan: {
    currency: 'JPY',
    time_zone: 'Asia/Tokyo',
    tiers: [
      { under: 16, cap_minor: 5000 },
      { under: 18, cap_minor: 20_000 },
    ],
  },
} as const satisfies Record<string, AgeCaps>;

export const AGE_CAP_NAMES = Object.keys(AGE_CAPS) as (keyof typeof AGE_CAPS)[];
