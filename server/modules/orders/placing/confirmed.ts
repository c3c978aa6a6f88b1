// Whether the form that an area wants beside the button that pays was confirmed.
import { CONFIRMATIONS } from '#contracts/confirmations.ts';
import type { PayInput } from '#contracts/payments.ts';
import type { Market } from '#server/modules/pricing/service.ts';

/**
 * Where the area wants a form beside the button, it is today's that was confirmed; elsewhere none was there to confirm.
 */
export function isConfirmed({ brand, region }: Market, { accepted = '' }: PayInput): boolean {
  const form = brand.file.areas?.[region]?.confirmation;
  return accepted === (form ? CONFIRMATIONS[form].version : '');
}
