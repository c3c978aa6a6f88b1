// Declares the forms beside the pay button, where an area wants more than a price there. A form is data: which lines it
// has and whether a box must be ticked; its sentences are texts of messages/. Another sentence is another version, for
// the version is kept with the order.

/**
 * @source Japan: Act on Specified Commercial Transactions, article 12-6; Korea: Act on Consumer Protection in
 * Electronic
 *   Commerce, articles 13 and 17; European Union: Directive 2011/83/EU, articles 8(2) and 16(m)
 */
export const CONFIRMATIONS = {
  japan: { version: 'japan-2026-11', needsConsent: false },
  korea: { version: 'korea-2026-11', needsConsent: true },
  eu: { version: 'eu-2026-11', needsConsent: true },
} as const;

export type ConfirmationForm = keyof typeof CONFIRMATIONS;
export const CONFIRMATION_FORMS = Object.keys(CONFIRMATIONS) as ConfirmationForm[];

/** A form as a page shows it: what the brand says of itself in it; an empty text where it says nothing. */
export type Confirmation = {
  form: ConfirmationForm;
  seller: string;
  payment: string;
  delivery: string;
  returns: string;
};
