// Calls the operator's systems: leases due messages of each endpoint, calls with no transaction open, writes what came
// of it. Each endpoint is a lane of its own. The row is the job; any worker may run it.
import type { OrderEvent } from '#contracts/webhooks.ts';
import { type Db, isDatabaseDown } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { allAtOnce, createRounds, type Repeat } from '#server/platform/repeat.ts';
import { MAX_FAILING_DAYS, retryWebhookInSeconds } from './rules.ts';
import { CALL_MS, type Sent, secretsOf, sendWebhook } from './send-webhook.ts';
import { type Endpoint, type Message, finishMessage, eraseOldMessages, leaseMessages, listEndpoints } from './store.ts';

/** The call and the two statements around it. */
const LEASE_SECONDS = CALL_MS / 1000 + 15;
/** Our choice: what a small receiver takes at once. */
const MAX_BATCH_SIZE = 10;
/** Our choice: an event is told within two seconds, and an empty look is one statement. */
const POLL_MS = 2000;
const ERASE_EVERY_MS = 600_000;
/** @source docs/webhooks.md, "What is kept" */
const KEPT_DAYS = 30;

export type WebhookLoop = { start(): void; stop(): Promise<void> };

export type WebhookDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly outbound: Outbound;
  /** REFILL_KEY_SECRETS. */
  readonly keySecrets: readonly string[];
  readonly now: () => number;
  readonly random?: (() => number) | undefined;
};

/** @param deps.outbound is the loop's own, and closed with it */
export function createWebhookLoop(
  deps: WebhookDeps & { readonly outbound: { close(): Promise<void> }; readonly repeat?: Repeat | undefined },
): WebhookLoop {
  const { log } = deps;
  const rounds = createRounds(deps.repeat);
  const lanes = new Map<string, Promise<void>>();
  let isStopped = false;

  const tell = (error: unknown) =>
    log[isDatabaseDown(error) ? 'warn' : 'error']({ err: error }, 'webhooks stopped half-way; the next round goes on');

  /** One lane at a time for each endpoint of this process. */
  async function callAll(): Promise<void> {
    for (const endpoint of await listEndpoints(deps.db)) {
      const { endpoint_id: id, disabled_at: disabledAt } = endpoint;
      if (disabledAt !== null || isStopped || lanes.has(id)) continue;
      const lane = workOff(endpoint)
        .catch(tell)
        .finally(() => lanes.delete(id));
      lanes.set(id, lane);
    }
  }

  async function workOff(endpoint: Endpoint): Promise<void> {
    while (!isStopped && (await callEndpoint(deps, endpoint)) === 'more');
  }

  async function eraseOld(): Promise<void> {
    while (!isStopped && (await eraseOldMessages(deps.db, KEPT_DAYS)) > 0);
  }

  return {
    start: () => {
      rounds.every(POLL_MS, callAll, tell);
      rounds.every(ERASE_EVERY_MS, eraseOld, tell);
    },
    stop: async () => {
      isStopped = true;
      await rounds.stop();
      await Promise.all(lanes.values());
      await deps.outbound.close();
    },
  };
}

/**
 * Sends what is due for one endpoint; safe to run anywhere and twice.
 * @returns more: as many as fit were due, and the endpoint answered well
 */
export async function callEndpoint(deps: WebhookDeps, endpoint: Endpoint): Promise<'more' | 'enough'> {
  const secrets = secretsOf(deps.keySecrets, endpoint);
  if (secrets.length === 0) {
    // Nothing is leased, so nothing is tried in vain and given up.
    deps.log.error(
      { alert: 'webhook_secret', endpoint: endpoint.endpoint_id, setting: 'REFILL_KEY_SECRETS' },
      'a webhook cannot be signed: its secret was made of a setting that is not here',
    );
    return 'enough';
  }
  const messages = await leaseMessages(deps.db, endpoint.endpoint_id, MAX_BATCH_SIZE, LEASE_SECONDS);
  let isWell = true;
  await allAtOnce(messages, async (message) => {
    const sent = await sendWebhook(
      deps,
      { url: endpoint.url, secrets },
      { id: message.message_id, body: bodyOf(message) },
    );
    if (!sent.isDone) isWell = false;
    await record(deps, endpoint, message, sent);
  });
  return isWell && messages.length === MAX_BATCH_SIZE ? 'more' : 'enough';
}

async function record(deps: WebhookDeps, endpoint: Endpoint, message: Message, sent: Sent): Promise<void> {
  const wait = sent.isDone ? null : retryWebhookInSeconds(message.tries, (deps.random ?? Math.random)());
  const end = await finishMessage(deps.db, message, { ...sent, retrySeconds: wait, failingDays: MAX_FAILING_DAYS });
  const fields = {
    endpoint: endpoint.endpoint_id,
    message_id: message.message_id,
    billing_no: message.billing_no,
    tries: message.tries,
    reason: sent.error,
  };
  if (end === 'disabled')
    deps.log.error(
      { alert: 'webhook_disabled', ...fields },
      sent.isGone
        ? 'a webhook endpoint answered 410 and is disabled; what waits for it is kept'
        : 'a webhook endpoint answered nothing well for days and is disabled; what waits for it is kept',
    );
  else if (end === 'dead')
    deps.log.error({ alert: 'webhook', ...fields }, 'a webhook was given up; `refill webhooks replay` sends it again');
  else if (end === 'queued') deps.log.warn(fields, 'a webhook was not taken; will retry');
}

/** Moments of the database become the one form of the contract. */
function bodyOf({ type, created_at: at, data }: Message): string {
  const moment = (key: string) => (typeof data[key] === 'string' ? new Date(data[key]).toISOString() : null);
  const event = {
    type,
    timestamp: at.toISOString(),
    data: {
      ...data,
      created_at: moment('created_at'),
      paid_at: moment('paid_at'),
      delivered_at: moment('delivered_at'),
      refunded_at: moment('refunded_at'),
    },
  } as OrderEvent;
  return JSON.stringify(event);
}
