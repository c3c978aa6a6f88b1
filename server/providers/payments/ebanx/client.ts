// One call of EBANX's API. The key stands in the body, never in an address that somebody might log.
import type { PaymentReport, ProviderContext } from '#server/modules/payments/provider.ts';
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts';
import { asRead } from '#server/providers/payments/kit/report.ts';
import { apiBase } from './settings.ts';
import { type Payment, readQueried, reportPayment } from './wire.ts';

/**
 * Throws OutboundError when there is no answer.
 * @source github.com/ebanx/benjamin posts JSON to ws/request. UNSURE: ws/query, ws/cancel and ws/refund as POST forms
 *   are inferred; the guide shows GET
 */
export function post(
  context: ProviderContext,
  path: string,
  what: { readonly json: string } | { readonly form: Readonly<Record<string, string>> },
): Promise<OutboundAnswer> {
  const isJson = 'json' in what;
  const key = context.settings['INTEGRATION_KEY'] ?? '';
  return context.outbound(`${apiBase(context.settings, context.environment)}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: isJson ? what.json : new URLSearchParams({ integration_key: key, ...what.form }).toString(),
  });
}

export type Asked = {
  /** Null when EBANX gave no answer that makes sense. */
  readonly payment: Payment | null;
  readonly report: PaymentReport | null;
  /** Equal for equal states of the payment. */
  readonly stamp: string;
  readonly status: number;
  readonly text: string;
};

/** ws/query. @param by `hash` or `merchant_payment_code` */
export async function ask(context: ProviderContext, by: Readonly<Record<string, string>>): Promise<Asked> {
  const { status, text } = await post(context, 'ws/query', { form: by });
  const payment = status === 200 ? (readQueried(text)?.payment ?? null) : null;
  if (!payment) return { payment: null, report: null, stamp: '', status, text };
  const refunds = (payment.refunds ?? []).map((one) => `${one.id ?? ''}${one.status ?? ''}`).join(' ');
  const stamp = `${payment.status ?? ''} ${refunds}`.trim().slice(0, 200);
  return { payment, report: asRead(reportPayment(payment), text), stamp, status, text };
}
