// What both protocols of Alipay answer alike: a report that says nothing, and which links a player may be sent to.
import type { KnownPayment, PaymentReport, ProviderContext } from '#server/modules/payments/provider.ts';
import { payHosts } from './settings.ts';

/** The payment as far as we know it: nothing was learnt. */
export function nothing(payment: KnownPayment, reason: string): PaymentReport {
  return {
    status: 'pending',
    reference: payment.reference,
    providerRef: payment.providerRef,
    captureRef: payment.captureRef,
    amount: null,
    merchantAccount: null,
    reason,
  };
}

export function isPayLink(context: ProviderContext, text: string | undefined): text is string {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isProtocolFit = url.protocol === 'https:' || (url.protocol === 'http:' && context.environment === 'demo');
  return isProtocolFit && url.username === '' && payHosts(context.settings, context.environment).includes(url.host);
}
