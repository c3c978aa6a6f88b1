// All SQL of outgoing webhooks: their endpoints, and the messages that wait for them.
import type { WebhookType } from '#contracts/webhooks.ts';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Queryable, callFunction, query } from '#server/platform/database/db.ts';

export type Endpoint = {
  endpoint_id: string;
  url: string;
  types: WebhookType[];
  brand_key: string | null;
  secret_no: number;
  secret_hash: Buffer;
  previous_hash: Buffer | null;
  is_rotating: boolean;
  created_by: string;
  created_at: Date;
  failing_since: Date | null;
  disabled_at: Date | null;
};

const COLUMNS = `endpoint_id, url, types, brand_key, secret_no, secret_hash, previous_hash,
  coalesce(previous_until > now(), false) as is_rotating, created_by, created_at, failing_since, disabled_at`;

/** The oldest first. */
export function listEndpoints(db: Queryable): Promise<Endpoint[]> {
  return query<Endpoint>(db, 'webhook_endpoints', `select ${COLUMNS} from webhook_endpoint order by endpoint_id`);
}

export async function findEndpoint(db: Queryable, endpointId: string): Promise<Endpoint | null> {
  const [row] = await query<Endpoint>(
    db,
    'webhook_endpoint',
    `select ${COLUMNS} from webhook_endpoint where endpoint_id = $1`,
    [endpointId],
  );
  return row ?? null;
}

export type NewEndpoint = {
  endpointId: string;
  url: string;
  types: readonly WebhookType[];
  brandKey: string | null;
  secretHash: Buffer;
  by: string;
};

export async function addEndpoint(db: Queryable, one: NewEndpoint): Promise<void> {
  await query(
    db,
    'webhook_endpoint_add',
    `insert into webhook_endpoint (endpoint_id, url, types, brand_key, secret_hash, created_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [one.endpointId, one.url, one.types, one.brandKey, one.secretHash, one.by],
  );
}

/** With all its messages. @returns how many of them still waited; null when there is no such endpoint */
export async function removeEndpoint(db: Queryable, endpointId: string): Promise<number | null> {
  const gone = await query(
    db,
    'webhook_endpoint_remove',
    'delete from webhook_endpoint where endpoint_id = $1 returning 1',
    [endpointId],
  );
  if (gone.length === 0) return null;
  const [row] = await query<{ waiting: number }>(
    db,
    'webhook_messages_remove',
    `with gone as (delete from webhook_message where endpoint_id = $1 returning state)
     select count(*) filter (where state in ('queued', 'calling')) as waiting from gone`,
    [endpointId],
  );
  return row?.waiting ?? 0;
}

/** The secret before goes on signing for `overlapHours`. @returns false when somebody else rotated meanwhile */
export async function rotateEndpoint(
  db: Queryable,
  endpoint: Pick<Endpoint, 'endpoint_id' | 'secret_no'>,
  hash: Buffer,
  overlapHours: number,
): Promise<boolean> {
  const rows = await query(
    db,
    'webhook_endpoint_rotate',
    `update webhook_endpoint set secret_no = secret_no + 1, secret_hash = $3, previous_hash = secret_hash,
       previous_until = now() + make_interval(hours => $4) where endpoint_id = $1 and secret_no = $2 returning 1`,
    [endpoint.endpoint_id, endpoint.secret_no, hash, overlapHours],
  );
  return rows.length > 0;
}

/** Messages that waited go out now. @returns false when it was not disabled */
export async function enableEndpoint(db: Queryable, endpointId: string): Promise<boolean> {
  const rows = await query(
    db,
    'webhook_endpoint_enable',
    `with enabled as (
       update webhook_endpoint set disabled_at = null, failing_since = null
       where endpoint_id = $1 and disabled_at is not null returning endpoint_id
     ), woken as (
       update webhook_message set next_at = now(), tries = 0
       where endpoint_id in (select endpoint_id from enabled) and state = 'queued' and next_at = 'infinity'
     )
     select endpoint_id from enabled`,
    [endpointId],
  );
  return rows.length > 0;
}

export type Message = {
  player_id: PlayerId;
  message_id: string;
  endpoint_id: string;
  type: string;
  billing_no: BillingNo;
  data: Record<string, unknown>;
  state: 'queued' | 'calling' | 'done' | 'dead';
  tries: number;
  last_status: number | null;
  last_error: string | null;
  created_at: Date;
  done_at: Date | null;
};

/** The newest first. @param filter.before the last row of the page before */
export function listMessages(
  db: Queryable,
  filter: {
    endpointId: string;
    state: string | null;
    billingNo: string | null;
    before: { at: string; id: string } | null;
  },
  limit: number,
): Promise<(Omit<Message, 'data'> & { next_at: Date | null; cursor_at: string })[]> {
  return query(
    db,
    'webhook_messages',
    `select player_id, message_id, endpoint_id, type, billing_no, state, tries, last_status, last_error, created_at,
       done_at, nullif(next_at, 'infinity') as next_at, created_at::text as cursor_at from webhook_message
     where endpoint_id = $1 and ($2::text is null or state = $2) and ($3::text is null or billing_no = $3)
       and ($4::timestamptz is null or (created_at, message_id) < ($4, $5))
     order by created_at desc, message_id desc limit $6`,
    [filter.endpointId, filter.state, filter.billingNo, filter.before?.at ?? null, filter.before?.id ?? null, limit],
  );
}

export function leaseMessages(db: Queryable, endpointId: string, limit: number, seconds: number): Promise<Message[]> {
  return query<Message>(
    db,
    'webhook_lease',
    `select player_id, message_id, endpoint_id, type, billing_no, data, state, tries, last_status, last_error,
       created_at, done_at from lease_webhook_messages($1, $2, make_interval(secs => $3))`,
    [endpointId, limit, seconds],
  );
}

export type MessageEnd = {
  isDone: boolean;
  isGone: boolean;
  status: number | null;
  error: string | null;
  retrySeconds: number | null;
  failingDays: number;
};

export function finishMessage(
  db: Queryable,
  message: Pick<Message, 'player_id' | 'message_id' | 'tries'>,
  end: MessageEnd,
): Promise<'done' | 'queued' | 'dead' | 'disabled' | null> {
  return callFunction(db, 'finish_webhook_message', {
    player_id: message.player_id,
    message_id: message.message_id,
    tries: message.tries,
    is_done: end.isDone,
    is_gone: end.isGone,
    status: end.status,
    error: end.error,
    retry_in_seconds: end.retrySeconds,
    patience: `${end.failingDays} days`,
  });
}

/**
 * Sends messages once more, as if they had never been tried; a disabled endpoint gets them when it is enabled.
 * @returns how many
 */
export async function replayMessages(
  db: Queryable,
  filter: {
    endpointId: string;
    messageId: string | null;
    state: string | null;
    since: Date | null;
    until: Date | null;
  },
): Promise<number> {
  const [endpoint] = await query<{ is_enabled: boolean }>(
    db,
    'webhook_is_enabled',
    'select disabled_at is null as is_enabled from webhook_endpoint where endpoint_id = $1',
    [filter.endpointId],
  );
  if (!endpoint) return 0;
  const rows = await query(
    db,
    endpoint.is_enabled ? 'webhook_replay' : 'webhook_replay_disabled',
    `update webhook_message m set state = 'queued', tries = 0, done_at = null,
       next_at = ${endpoint.is_enabled ? 'now()' : `'infinity'`}
     where m.endpoint_id = $1 and m.state in ('done', 'dead')
       and ($2::text is null or m.message_id = $2) and ($3::text is null or m.state = $3)
       and ($4::timestamptz is null or m.created_at >= $4) and ($5::timestamptz is null or m.created_at < $5)
     returning 1`,
    [filter.endpointId, filter.messageId, filter.state, filter.since, filter.until],
  );
  return rows.length;
}

/** Some of those that are too old, and of endpoints that are gone. @returns how many */
export async function eraseOldMessages(db: Queryable, days: number): Promise<number> {
  return callFunction(db, 'forget_webhook_messages', { days, limit: 1000 });
}
