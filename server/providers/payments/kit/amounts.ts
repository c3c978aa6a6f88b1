// Writes and reads the amounts of all adapters by one rule, and says which a provider can express. Currencies,
// decimals, form and bounds are facts of the adapter, each with its source there. No float calculates here.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';
import type { CreateOutcome, RefundOutcome } from '#server/modules/payments/provider.ts';

/** A double holds 15 decimal digits for certain: a JSON number of that many is written back as it was read. */
export const EXACT_DIGITS = 15;

export type AmountRules = {
  /** The provider's name in a sentence. */
  readonly title: string;
  /**
   * `minor`: digits of the smallest unit ("450"). `major`: major units with all decimals ("4.50", "120"). `short`: the
   * same, without a fraction of zeros ("4.50", "5").
   */
  readonly form: 'minor' | 'major' | 'short';
  /** Currencies that may be charged. One that nobody has checked is left out. */
  readonly currencies: readonly Currency[];
  /** Decimals at the provider where they differ from ISO 4217; one number where it has the same for all currencies. */
  readonly decimals?: number | Readonly<Record<string, number>>;
  /** Bounds of what may be charged, major units. */
  readonly min?: number;
  readonly max?: number;
  /** Most digits, the decimals among them. */
  readonly maxDigits?: number;
  /** Most characters of the text, the point among them. */
  readonly maxLength?: number;
  /** Other currencies are not read either: how the provider writes them is not known. */
  readonly isReadingChargedOnly?: boolean;
};

export type Amounts = {
  supportsCurrency(currency: Currency): boolean;
  /** Decimals at the provider, of any currency. */
  decimalsOf(currency: string): number;
  /** Null when the provider cannot express it, or does not take it: see `refuse`. */
  write(amount: Money): string | null;
  /** Our minor units of a text in the provider's form; null for a number or a currency that this shop cannot hold. */
  read(text: string | undefined, currency: string | undefined): Money | null;
  /** Answers a `create` whose amount `write` has no form for: nothing was made. */
  refuse(amount: Money): CreateOutcome & { readonly kind: 'refused' };
  /** Answers a `refund` of such an amount: a person does it. */
  failRefund(amount: Money): RefundOutcome;
};

export function createAmounts(rules: AmountRules): Amounts {
  const charged: ReadonlySet<string> = new Set(rules.currencies);
  const decimalsOf = (currency: string): number => {
    const { decimals = {} } = rules;
    if (typeof decimals === 'number') return decimals;
    const own = Object.hasOwn(decimals, currency) ? decimals[currency] : undefined;
    return own ?? exponentOf(currency as Currency);
  };

  /** The text, or why there is none. */
  function express(amount: Money): { text: string } | { reason: string } {
    const { currency } = amount;
    const decimals = decimalsOf(currency);
    if (!charged.has(currency)) return { reason: `${rules.title} takes no ${currency} here` };
    if (amount.amountMinor <= 0) return { reason: 'an amount must be more than nothing' };
    // Exact, or nothing: a part of the provider's smallest unit is never rounded.
    const units = parseDecimal(toDecimal(amount), currency, decimals);
    if (!units) return { reason: `${rules.title} takes ${currency} with ${decimals} decimals at most` };
    const major = toDecimal(units, decimals);
    const text = rules.form === 'minor' ? String(units.amountMinor) : major;
    const { min = 0, max = Infinity, maxDigits = Infinity, maxLength = Infinity } = rules;
    if (units.amountMinor < min * 10 ** decimals) return { reason: `${rules.title} takes ${min} ${currency} or more` };
    if (units.amountMinor > max * 10 ** decimals) return { reason: `${rules.title} takes ${max} ${currency} at most` };
    if (text.replace('.', '').length > maxDigits || text.length > maxLength)
      return { reason: `${rules.title} takes no amount of ${currency} as long as this` };
    return { text: rules.form === 'short' ? text.replace(/\.0+$/, '') : text };
  }

  const reasonOf = (amount: Money): string => {
    const expressed = express(amount);
    return 'reason' in expressed ? expressed.reason : `${rules.title} cannot take this amount of ${amount.currency}`;
  };

  return {
    supportsCurrency: (currency) => charged.has(currency),
    decimalsOf,
    write: (amount) => {
      const expressed = express(amount);
      return 'text' in expressed ? expressed.text : null;
    },
    read: (text, currency) => {
      if (text === undefined || currency === undefined || !isCurrency(currency)) return null;
      if (rules.isReadingChargedOnly === true && !charged.has(currency)) return null;
      if (rules.form !== 'minor') return parseDecimal(text, currency);
      if (!/^\d{1,15}$/.test(text)) return null;
      return parseDecimal(toDecimal({ amountMinor: Number(text), currency }, decimalsOf(currency)), currency);
    },
    refuse: (amount) => ({ kind: 'refused', reason: reasonOf(amount) }),
    failRefund: (amount) => ({ status: 'failed', refundProviderRef: null, reason: reasonOf(amount) }),
  };
}
