// FunTap of Vietnam, by a signed redirect: only what differs from the family. Its real contract comes
// with the operator's document.
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { createSignedRedirect } from '#server/providers/payments/signed-redirect/provider.ts';

/**
 * UNSURE: all of it. No partner document of FunTap is public. Dong only, whole: the dong has no minor unit (ISO 4217).
 * A Vietnamese gateway would rather sign listed values with MD5 and the key behind them; HMAC is the default until an
 * operator's contract says so.
 */
export const funtap: PaymentProvider = createSignedRedirect({
  name: 'funtap',
  title: 'FunTap',
  currencies: ['VND'],
  defaults: { MODE: 'server_create', ENCODING: 'form', AMOUNT_FORMAT: 'minor_int', ACK_OK: 'success' },
});
