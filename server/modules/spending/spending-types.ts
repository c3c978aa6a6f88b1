// Declares the rules that decide whether and how much a player may pay, in the shape that the functions in sql/ read.
import type { AgeCaps } from '#kernel/age-caps.ts';

/** `time_zone`: of the brand, in which days, weeks and months of a player's own caps begin. */
export type PayerRules = {
  readonly real_name: boolean;
  /** Of the area, else of another of the brand, where the player may have said their age. Null: there are none. */
  readonly age_caps: AgeCaps | null;
  /** The area asks everybody for their age. */
  readonly asks_age: boolean;
  readonly time_zone: string;
};
