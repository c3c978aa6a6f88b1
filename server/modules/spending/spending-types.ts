// What decides whether and how much a player may pay, in the shape that the functions in sql/ read.
import type { AgeCaps } from '#kernel/age-caps.ts';

/** `time_zone`: of the brand, in which days, weeks and months of a player's own caps begin. */
export type PayerRules = {
  readonly real_name: boolean;
  /** Null: the area has none. */
  readonly age_caps: AgeCaps | null;
  readonly time_zone: string;
};
