// Lets an operator manage the endpoints of outgoing webhooks. A secret is told once, when it is made.
import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import type { WebhookType } from '#contracts/webhooks.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { makeSecret } from '#server/platform/made-secrets.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { type Sent, secretName, secretsOf, sendWebhook } from './send-webhook.ts';
import { type Endpoint, addEndpoint, rotateEndpoint } from './store.ts';

/** Our choice: a day to change the receiver's setting. */
const OVERLAP_HOURS = 24;

/** @returns null when REFILL_KEY_SECRETS is not set */
export async function makeEndpoint(
  db: Queryable,
  keySecrets: readonly string[],
  wanted: { url: string; types: readonly WebhookType[]; brandKey: string | null; by: string },
): Promise<{ endpointId: string; secret: string } | null> {
  const endpointId = `WE-${ulid()}`;
  const made = makeSecret(keySecrets, secretName(endpointId, 1));
  if (!made) return null;
  await addEndpoint(db, { ...wanted, endpointId, secretHash: made.hash });
  return { endpointId, secret: made.secret };
}

/** A new secret; the one before signs as well for a day. Null: no setting, or somebody else rotated meanwhile. */
export async function rotateSecret(
  db: Queryable,
  keySecrets: readonly string[],
  endpoint: Endpoint,
): Promise<string | null> {
  const made = makeSecret(keySecrets, secretName(endpoint.endpoint_id, endpoint.secret_no + 1));
  return made && (await rotateEndpoint(db, endpoint, made.hash, OVERLAP_HOURS)) ? made.secret : null;
}

/** One call of the type `webhook.test`, at once, kept nowhere. Null: its secret cannot be made here. */
export async function testEndpoint(
  call: { outbound: Outbound; now: () => number },
  keySecrets: readonly string[],
  endpoint: Endpoint,
): Promise<Sent | null> {
  const secrets = secretsOf(keySecrets, endpoint);
  if (secrets.length === 0) return null;
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: new Date(call.now()).toISOString(),
    data: { endpoint_id: endpoint.endpoint_id },
  });
  return sendWebhook(call, { url: endpoint.url, secrets }, { id: `msg_${randomUUID().replaceAll('-', '')}`, body });
}
