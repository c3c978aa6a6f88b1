// Endpoints of outgoing webhooks: whether each can be signed for, and how it does. None: no line.
import { secretsOf } from '#server/modules/webhooks/send-webhook.ts';
import { listEndpoints } from '#server/modules/webhooks/store.ts';
import type { Db } from '#server/platform/database/db.ts';
import { ill, type Look, well } from './look.ts';

/** @param keySecrets REFILL_KEY_SECRETS */
export async function lookAtWebhooks(db: Db, keySecrets: readonly string[]): Promise<Look[]> {
  return (await listEndpoints(db)).map((endpoint) => {
    const name = `webhook ${endpoint.endpoint_id}`;
    if (secretsOf(keySecrets, endpoint).length === 0)
      return ill('work', 'fault', {
        name,
        reason: 'cannot be signed: its secret was made of a REFILL_KEY_SECRETS that is not set here',
        remedy: 'put that value back, behind a comma if there is a newer one',
      });
    if (endpoint.disabled_at)
      return ill('work', 'warning', {
        name,
        reason: `is disabled since ${endpoint.disabled_at.toISOString()}; what happens is kept for it`,
        remedy: `mend the receiver, then \`refill webhooks enable ${endpoint.endpoint_id}\``,
      });
    if (endpoint.failing_since)
      return ill('work', 'warning', {
        name,
        reason: `takes nothing since ${endpoint.failing_since.toISOString()}`,
        remedy: `see \`refill webhooks deliveries ${endpoint.endpoint_id}\` and ${endpoint.url}`,
      });
    return well('work', name, 'takes what it is told');
  });
}
