// One call of Naver Pay's API, with the headers every call has.
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts';
import { apiUrl } from './settings.ts';

export type Call = {
  /** With its version: "v2.2/apply/payment". */
  readonly path: string;
  /** Idempotency key: makes apply and cancel safe to repeat. */
  readonly key?: string;
  readonly timeoutMs?: number;
} & ({ readonly json: string } | { readonly form: string });

/**
 * Throws OutboundError when there is no answer.
 * @source developers.pay.naver.com/docs/v2/api, headers; the key has at most 64 of A-Z a-z 0-9 _ -
 */
export function post(context: ProviderContext, call: Call): Promise<OutboundAnswer> {
  const { settings, environment, outbound } = context;
  const isJson = 'json' in call;
  return outbound(apiUrl(settings, environment, call.path), {
    method: 'POST',
    headers: {
      'X-Naver-Client-Id': settings['CLIENT_ID'] ?? '',
      'X-Naver-Client-Secret': settings['CLIENT_SECRET'] ?? '',
      'X-NaverPay-Chain-Id': settings['CHAIN_ID'] ?? '',
      ...(call.key === undefined ? {} : { 'X-NaverPay-Idempotency-Key': call.key.slice(0, 64) }),
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: isJson ? call.json : call.form,
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
  });
}
