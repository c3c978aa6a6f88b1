// Declares the findings of checks about a file, before and after the line is known.
import type { Currency } from '#kernel/money.ts';

/** Keys and list positions from the top of a file: ['goods', 3, 'prices', 'USD']. */
export type FieldPath = readonly (string | number)[];

/**
 * `reason` says what is wrong and what to write instead. A fault refuses the whole
 * configuration, a warning is only told.
 */
export type Finding = {
  readonly level: 'fault' | 'warning';
  /** Path from the root of the configuration, e.g. "brands/watt/brand.yaml". */
  readonly file: string;
  readonly at: FieldPath;
  /** Counted from 1; given only when the text is no YAML, so that `at` leads nowhere. */
  readonly line?: number;
  readonly reason: string;
};

/**
 * A finding with its place. `sentence` is all of it: `brands/watt/brand.yaml:12: theme: "#12" is not ...; write ...`.
 */
export type Fault = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Written for a person: `goods[ember_1280].prices.USD`; empty for the file as a whole. */
  readonly field: string;
  readonly reason: string;
  readonly sentence: string;
};

/** Of a payment adapter, what a channel that names it must agree with. */
export type KnownProvider = { readonly name: string; readonly supportsCurrency: (currency: Currency) => boolean };

/** Describes a picture file: one outside this map does not exist. `faults`: why it is no picture of a shop. */
export type AssetFacts = { readonly faults: readonly { readonly line: number; readonly sentence: string }[] };
