// A breach of each invariant, made by hand for one player: for tests that a look at the books finds it.
import { randomUUID } from 'node:crypto';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report } from './orders.ts';

type Values = Readonly<Record<string, unknown>>;
/** A breach is made here: of a delivered order, of which no other breach knows. */
type Place = { readonly player: string; readonly order: string };
type Step = string | { readonly into: string; readonly values: Values };

const into = (table: string, values: Values): Step => ({ into: table, values });
const DAYS_AGO = new Date(Date.now() - 10 * 86_400_000).toISOString();
const NOW = new Date().toISOString();

/** By the number of the view; `$1` is the player and `$2` the order's number. */
const BREACHES: Readonly<Record<string, (place: Place) => readonly Step[]>> = {
  I1: (p) => [into('ledger_entry', { ...keys(p), kind: 'paid', attempt_no: 7, account: 'revenue', amount_minor: 5 })],
  I2: () => ['delete from delivery where player_id = $1 and billing_no = $2'],
  I3: () => ['update orders set paid_at = null where player_id = $1 and billing_no = $2'],
  I5: ({ player, order }) => [into('coupon', { player_id: player, code: 'c', state: 'taken', billing_no: order })],
  I6: ({ player }) => [into('limit_counter', { account_id: player, used: 1, cap: 1 })],
  I8: () => [`update orders set state = 'refund_due' where player_id = $1 and billing_no = $2`],
  I9: () => [
    `update orders set state = 'pending' where player_id = $1 and billing_no = $2`,
    `update payment_attempt set state = 'unknown', created_at = now() - interval '2 days', next_query_at = null
       where player_id = $1 and billing_no = $2`,
  ],
  I11: (p) => [1, 2].map((n) => into('callback_inbox', { ...keys(p), dedup_key: `${p.order} ${n}`, outcome: 'paid' })),
  I13: (p) => [into('reservation', { ...keys(p), kind: 'stock', state: 'released' })],
  I14: (p) => [into('ledger_entry', { ...keys(p), attempt_no: 7, account: 'provider_receivable', amount_minor: -5 })],
  I15: (p) => [into('unpaid_order', keys(p))],
  I20: (p) => [into('wallet_txn', { player_id: p.player, txn_id: 't', type: 'credit' })],
  I21: (p) => [into('wallet_account', { player_id: p.player, currency: 'USD', kind: 'paid', balance_minor: 5 })],
  I22: (p) => [into('wallet_account', { player_id: p.player, currency: 'USD', kind: 'paid', balance_minor: -5 })],
  I23: (p) => [into('wallet_txn', { ...keys(p), txn_id: 't', type: 'debit' })],
  I24: (p) => [into('wallet_account', { player_id: p.player, currency: 'USD', kind: 'sales', balance_minor: 5 })],
  I25: (p) => [
    `update payment_attempt set provider = 'wallet' where player_id = $1 and billing_no = $2`,
    into('wallet_txn', { ...keys(p), txn_id: 't', type: 'refund', amount_minor: 9 }),
  ],
  I26: (p) =>
    ['t', 'u'].map((txn) => into('wallet_txn', { ...keys(p), txn_id: txn, idempotency_key: txn, type: 'debit' })),
  I30: (p) => [into('points_entry', { ...keys(p), kind: 'delivered', entry_no: 9, points: 7 })],
  I31: () => [
    'update orders set points = 5, refunded_minor = amount_minor + 1 where player_id = $1 and billing_no = $2',
  ],
  I32: ({ player }) => [into('coupon', { player_id: player, code: 'c', state: 'free', need_points: 5, source: 'x' })],
  I40: (p) => [
    into('reward', { player_id: p.player, reward_no: 'a', issue_key: 'a', basis: { kind: 'spent', from: NOW } }),
  ],
  I41: (p) => [into('reward', { player_id: p.player, reward_no: 'a', state: 'done', receipt_id: null })],
  I42: (p) => [
    into('reward', {
      player_id: p.player,
      reward_no: 'a',
      basis: { kind: 'daily', day: '2020-01-01', time_zone: 'UTC', streak: 1, from: DAYS_AGO, until: NOW },
    }),
  ],
  I43: () => [`update orders set coupon_code = 'offer:none' where player_id = $1 and billing_no = $2`],
  I50: (p) => [
    into('replenish', {
      player_id: p.player,
      replenish_id: `RP-${p.order}`,
      state: 'taken',
      billing_no: `${p.order}x`,
    }),
  ],
  I61: (p) => [into('creator_entry', { ...keys(p), kind: 'delivered', entry_no: 9, creator: 'ana', amount_minor: 7 })],
  I62: (p) => [into('reservation', { ...keys(p), kind: 'bonus', state: 'used' })],
  I70: (p) => [
    into('webhook_endpoint', {
      endpoint_id: `e-${p.order}`,
      types: ['order.delivered'],
      brand_key: null,
      created_at: DAYS_AGO,
    }),
    `update orders set delivered_at = now() where player_id = $1 and billing_no = $2`,
  ],
};

const keys = ({ player, order }: Place) => ({ player_id: player, billing_no: order, currency: 'USD' });

/** Those that `breakInvariant` can break: all that know a player. */
export const BREAKABLE: readonly string[] = Object.keys(BREACHES);

/** Drops the checks of the database, because a bug may be anywhere: it must not refuse the breaches. */
export async function dropChecks(db: Db): Promise<void> {
  await db.query(`do $$ declare r record; begin
    for r in select conrelid::regclass as relation, conname from pg_constraint c join pg_class t on t.oid = c.conrelid
      where c.contype = 'c' and c.coninhcount = 0 and t.relnamespace = 'public'::regnamespace loop
      execute format('alter table %s drop constraint if exists %I', r.relation, r.conname);
    end loop; end $$`);
}

/**
 * A player with a delivered order, and the breach.
 * @param isNoted whether the change is noted, as every function notes its own
 */
export async function breakInvariant(db: Db, invariant: string, isNoted = true): Promise<Place> {
  const player = await makePlayer(db);
  const { billingNo } = await placeTestOrder(db, placeInput(player)).then(async (order) => {
    await report(db, order);
    await deliverAll(db);
    return order;
  });
  await db.query('delete from player_change where player_id = $1', [player]);
  const place = { player, order: billingNo };
  await transaction(db, async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const step of BREACHES[invariant]?.(place) ?? []) {
      if (typeof step === 'string') {
        const values = [player, billingNo].slice(0, step.includes('$2') ? 2 : 1);
        await client.query(step, values);
      } else await insertFilled(client, step.into, step.values);
    }
    if (isNoted) await client.query('insert into player_change (player_id) values ($1)', [player]);
  });
  return place;
}

/** A row of which only what matters is given; every other column that must not be null has something. */
async function insertFilled(client: Pick<Db, 'query'>, table: string, given: Values): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
       and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  );
  const { rows: known } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  const names = new Set(known.map(({ name }) => name));
  const fitting = Object.entries(given).filter(([name]) => names.has(name));
  const values = {
    ...Object.fromEntries(rows.map(({ name, type }) => [name, FILLERS[type] ?? 0])),
    ...Object.fromEntries(fitting),
  };
  const columns = Object.keys(values);
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  await client.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(values).map((value) => (isObject(value) && !Buffer.isBuffer(value) ? JSON.stringify(value) : value)),
  );
}

const FILLERS: Readonly<Record<string, unknown>> = {
  text: '',
  uuid: randomUUID(),
  jsonb: {},
  json: {},
  timestamptz: NOW,
  bytea: Buffer.from(''),
  bool: false,
  _text: [],
};
