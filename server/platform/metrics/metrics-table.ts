// THE table of the metrics: name, kind, meaning and labels. The code counts by it, docs/metrics.md is written from it,
// and tests hold dashboards and alert rules against it. A label has few values, all known beforehand: never a player,
// an order, an address or a text of somebody else.
import { type Metric, counter, fromDatabase, gauge, histogram } from './metric.ts';

/** Seconds. @source docs/reliability.md, P1 and P2: a page within 100 ms, a call within 10 s */
const CALL_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds. Our choice: a card takes a minute, a wallet half an hour, a convenience store days. */
const PAYING_SECONDS = [5, 15, 30, 60, 120, 300, 900, 3600, 21_600, 86_400, 259_200];
/** Seconds. A callback is booked in one statement. */
const BOOKING_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15];

const PEER = 'whom we call: a provider, `<provider> notices`, `login <company>`, `game <game>`, `real names`';
const PROVIDER = 'payment provider';
const METHOD = 'payment method; empty for none';
const GAME = 'game';

export const METRICS = {
  httpRequests: counter('refill_http_requests_total', 'Answers of the shop', {
    route: 'pattern of the route; `none` where there is none',
    status: 'class of the status: `2xx` to `5xx`',
  }),
  httpSeconds: histogram('refill_http_request_seconds', 'From a request to its answer', CALL_SECONDS, {
    route: 'pattern of the route; `none` where there is none',
  }),
  peerCalls: counter('refill_peer_calls_total', 'Calls to the outside', {
    peer: PEER,
    outcome:
      '`ok`; `denied`: 401 or 403; `refused`: another 4xx; `failed`: a 5xx or 429; no answer: `timeout`, `network`, `too_large`; not called: ' +
      '`circuit_open`, `rate_limited`, `forbidden_host`',
  }),
  peerSeconds: histogram('refill_peer_call_seconds', 'Duration of calls to the outside that were made', CALL_SECONDS, {
    peer: PEER,
  }),
  replicaReads: counter('refill_replica_reads_total', 'Reads that may come from a replica, where one is set', {
    from: '`replica`; `primary`: the replica was away, too far behind, or none',
  }),
  replicaBehind: gauge(
    'refill_replica_behind_seconds',
    'How far behind the replica was when it was looked at last; 86400 when it is away or nobody knows',
    {},
  ),
  circuitState: gauge('refill_circuit_state', 'Circuit breaker: 0 closed, 1 half open, 2 open: nobody is called', {
    peer: PEER,
  }),
  gameUnreachable: gauge(
    'refill_game_unreachable',
    '1: the last three calls or more of the game got no answer, or it refuses our signature (401, 403)',
    { game: GAME },
  ),
  providerDenied: gauge('refill_provider_denied', '1: the provider refuses our credentials; asked again each minute', {
    provider: PROVIDER,
  }),
  paymentsStarted: counter('refill_payments_started_total', 'Payments that were to be made at a provider', {
    provider: PROVIDER,
    outcome: '`redirected`: the player can pay; `refused`; `bad_link`; `unknown`: it is asked later',
  }),
  reports: counter('refill_payment_reports_total', 'What providers said of payments, as it was booked', {
    provider: PROVIDER,
    source: '`callback`, or `answer` to our own question',
    outcome: 'as the order took it: `paid`, `late_paid`, `declined`, `mismatch`, `refunded`, `chargeback`, ...',
  }),
  timeToPaid: histogram('refill_time_to_paid_seconds', 'From placing an order to its payment', PAYING_SECONDS, {
    provider: PROVIDER,
  }),
  callbackSeconds: histogram(
    'refill_callback_seconds',
    'From the arrival of a callback to its acknowledgement, booked',
    BOOKING_SECONDS,
    { provider: PROVIDER },
  ),
  callbacksRecorded: counter(
    'refill_callbacks_recorded_total',
    'Callbacks that the database could not store, by what became of them on the local disk',
    {
      provider: PROVIDER,
      outcome:
        '`kept`, on the disk; `full`, `failed`: kept nowhere; `replayed`: handed on to the database; `dropped`: ' +
        'never proven',
    },
  ),
  callbackRecordEntries: gauge('refill_callback_record_entries', 'Callbacks that wait on the disk of this process', {}),
  callbackRecordBytes: gauge('refill_callback_record_bytes', 'Bytes that they take', {}),
  grants: counter('refill_grants_total', 'Calls that hand paid goods over', {
    game: GAME,
    outcome: '`done`, `declined`, `unknown`: it is asked again',
  }),
  securityEvents: counter(
    'refill_security_events_total',
    'Events of security, also those that are too many to be logged one by one',
    { event: 'as in the log under `security`: `login_failed`, `callback_refused`, ...' },
  ),
  visitEventsDropped: counter('refill_visit_events_dropped_total', 'Moments of visits that were not stored', {
    reason: '`network`, `all`: its share of the day is used up; `table`: the table is full',
  }),
  endedRows: counter(
    'refill_retention_ended_rows_total',
    'Rows with personal data that ended when their time was over',
    {
      what: '`sessions`, `callbacks`, ...: the kinds of docs/privacy.md',
    },
  ),
  alerts: counter('refill_alerts_total', 'Lines of the log that carry `alert`', { alert: 'as in the log' }),
  poolConnections: gauge('refill_database_connections', 'Database connections of this process', {
    state: '`used`, `idle`; `wanted`: requests that wait for one',
  }),
  build: gauge('refill_build_info', '1, with what runs here', {
    version: 'of the package',
    environment: '`demo`, `live`',
    role: '`all`, `web`, `worker`',
  }),
  revision: gauge('refill_configuration_revision', 'Number of the configuration that this process sells by', {}),
  brandCannotSell: gauge('refill_brand_cannot_sell', 'Reasons for which a brand cannot sell; 0: it can', {
    brand: 'brand',
  }),

  databaseUp: fromDatabase(
    'refill_database_up',
    '1: the numbers below were read from the database at most 30 s ago, and it takes writes',
    {},
  ),
  orders: fromDatabase('refill_orders', 'Orders that were placed in the last 15 minutes, by where they stand now', {
    state: 'state of the order',
    method: METHOD,
    provider: 'payment provider; empty for none',
  }),
  ordersCut: fromDatabase('refill_orders_cut', '1: there were more than 50,000, and only so many are counted', {}),
  paidToDelivered: fromDatabase(
    'refill_paid_to_delivered_seconds',
    'From payment to goods, of those orders that are delivered',
    { game: GAME, quantile: '`0.5`, `0.95`, `1`' },
  ),
  queueLength: fromDatabase('refill_queue_length', 'Rows that wait for a worker', {
    queue:
      '`deliveries`, `refunds`, `revocations`, `rewards`, `callbacks`, `unblocks`, `webhooks`, `erasures`, ' +
      '`payments` to ask for',
  }),
  queueAge: fromDatabase('refill_queue_age_seconds', 'Seconds that the oldest of them waits, or is overdue', {
    queue: 'as above',
  }),
  webhookEndpoints: fromDatabase('refill_webhook_endpoints', 'Endpoints of webhooks that are not well', {
    state: '`failing`: the last call was not answered well; `disabled`',
  }),
  waitsForPerson: fromDatabase('refill_waiting_for_person', 'What no machine may decide', {
    kind: '`reviews`, `dead_letters`, `unmatched_payments`, `refunds_by_hand`',
  }),
  unknownAttempts: fromDatabase(
    'refill_payments_in_doubt',
    'Payments of which nobody knows whether they were made',
    {},
  ),
  invariantsChecked: fromDatabase(
    'refill_invariants_checked_timestamp_seconds',
    'Moment of the last look at the invariants, seconds since 1970; not there before the first',
    {},
  ),
  invariantsChangesChecked: fromDatabase(
    'refill_invariants_changes_timestamp_seconds',
    'Moment of the last look at the invariants of what had changed, seconds since 1970; not there before the first',
    {},
  ),
  invariantsFullChecked: fromDatabase(
    'refill_invariants_full_timestamp_seconds',
    'Moment of the last look at all invariants over everything, seconds since 1970; not there before the first',
    {},
  ),
  invariantBreaches: fromDatabase(
    'refill_invariant_breaches',
    'Rows that break an invariant; none is shown that holds',
    {
      invariant: 'as in `refill invariants`: `I8`',
    },
  ),
  invariantsBroken: fromDatabase('refill_invariants_broken', 'Invariants that were broken at the last look', {}),
  partitionsAhead: fromDatabase(
    'refill_partitions_ahead_months',
    'Months after this one whose partitions are made: one or more, while a worker runs',
    {},
  ),
  partitionStrays: fromDatabase(
    'refill_partition_strays',
    'Orders in the partition of no month, because theirs was not made in time; a thousand at most',
    {},
  ),
  backupTaken: fromDatabase(
    'refill_backup_taken_timestamp_seconds',
    'Moment whose state the newest backup holds, seconds since 1970; not there before the first',
    {},
  ),
  erasuresOverdue: fromDatabase(
    'refill_erasures_overdue',
    'Players who asked to be erased, whose time has come, and who are not: something stands in the way',
    {},
  ),
  erasureOverdueSeconds: fromDatabase(
    'refill_erasure_overdue_seconds',
    'Seconds that the oldest of them is overdue',
    {},
  ),
  endsDone: fromDatabase(
    'refill_retention_done_timestamp_seconds',
    'Moment since which nothing is kept beyond its time, seconds since 1970; not there before the first round',
    {},
  ),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricKey = keyof typeof METRICS;
