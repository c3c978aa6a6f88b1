// Travellet, by a signed redirect: only what differs from the family. No public word of this service was found.
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { createSignedRedirect } from '#server/providers/payments/signed-redirect/provider.ts';

/**
 * UNSURE: all of it, the country and the currencies too; so an operator names the
 * currencies, and without that it is off.
 */
export const travellet: PaymentProvider = createSignedRedirect({
  name: 'travellet',
  title: 'Travellet',
  currencies: null,
  defaults: { MODE: 'server_create', ENCODING: 'json', AMOUNT_FORMAT: 'major_decimal', ACK_OK: 'success' },
});
