// Decides whether the form that an area wants beside the pay button was confirmed.
import { CONFIRMATIONS } from '#contracts/confirmations.ts';
import type { PayInput } from '#contracts/payments.ts';
import type { Market } from '#server/modules/pricing/service.ts';

/** The confirmed form must be today's where the area wants one; elsewhere there was none to confirm. */
export function isConfirmed({ brand, region }: Market, { accepted = '' }: PayInput): boolean {
  const form = brand.file.areas?.[region]?.confirmation;
  return accepted === (form ? CONFIRMATIONS[form].version : '');
}
