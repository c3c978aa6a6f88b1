// One signed call of an endpoint, by Standard Webhooks, and what its answer means.
// @source https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { createWebhookSigner } from '#server/platform/outbound/webhook-signature.ts';
import { findSecret } from '#server/platform/made-secrets.ts';
import type { Endpoint } from './store.ts';

/** @source the specification of Standard Webhooks: a receiver should answer within 15 to 30 seconds */
export const CALL_MS = 15_000;

export type Sent = {
  readonly isDone: boolean;
  /** The receiver wants nothing more, ever. */
  readonly isGone: boolean;
  readonly status: number | null;
  readonly error: string | null;
};

/** The secret of an endpoint by its number: what it is made of, with REFILL_KEY_SECRETS. */
export const secretName = (endpointId: string, secretNo: number): string => `webhook/${endpointId}/${secretNo}`;

/**
 * All secrets that sign now: the newest first, then the one before while a rotation lasts. Empty when the secret of
 * the shop that made them is gone.
 */
export function secretsOf(roots: readonly string[], endpoint: Endpoint): string[] {
  const { endpoint_id: id, secret_no: no } = endpoint;
  const current = findSecret(roots, secretName(id, no), endpoint.secret_hash);
  const before =
    endpoint.is_rotating && endpoint.previous_hash
      ? findSecret(roots, secretName(id, no - 1), endpoint.previous_hash)
      : null;
  return [current, before].filter((secret) => secret !== null);
}

/** Never throws: whatever goes wrong is the outcome. A redirect is a refusal, for nobody checked where it leads. */
export async function sendWebhook(
  call: { outbound: Outbound; now: () => number },
  to: { url: string; secrets: readonly string[] },
  message: { id: string; body: string },
): Promise<Sent> {
  const signedAt = new Date(call.now());
  try {
    const { status } = await call.outbound(to.url, {
      method: 'POST',
      timeoutMs: CALL_MS,
      body: message.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Refill-Webhooks/1',
        'webhook-id': message.id,
        'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
        'webhook-signature': to.secrets
          .map((secret) => createWebhookSigner(secret)(message.id, signedAt, message.body))
          .join(' '),
      },
    });
    const isDone = status >= 200 && status < 300;
    return { isDone, isGone: status === 410, status, error: isDone ? null : `the endpoint answered ${status}` };
  } catch (error) {
    return { isDone: false, isGone: false, status: null, error: (error as Error).message.slice(0, 300) };
  }
}
