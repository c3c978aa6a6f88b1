// SQL of reconciliation: what the other side says is loaded into a table of this connection, and compared where the
// books are. No booking is changed, and no more than one batch is ever in memory.
import type { BillingNo, GameId } from '#kernel/ids.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';
import type { OrderState } from '#server/modules/orders/rules.ts';
import type { DeliveryState, RevocationState } from './reconcile-rules.ts';

export type LoadedLine = {
  line: number;
  movement: string;
  billing_no: string | null;
  attempt_no: number | null;
  reference: string | null;
  capture_ref: string | null;
  amount_minor: number;
  currency: string;
  fee_minor: number | null;
  fee_currency: string | null;
  at: string;
};

/** On a connection of its own, which is thrown away afterwards. */
export async function createSettlementTable(db: Queryable): Promise<void> {
  await db.query(`set statement_timeout = '10min'`);
  await db.query(`create temporary table settlement_line (line integer, movement text, billing_no text,
    attempt_no integer, reference text,
    capture_ref text, amount_minor bigint, currency text, fee_minor bigint, fee_currency text, at timestamptz,
    player_id uuid)`);
}

export async function addSettlementLines(db: Queryable, lines: readonly LoadedLine[]): Promise<void> {
  await query(
    db,
    'settlement_add',
    `insert into settlement_line select *
       from jsonb_to_recordset($1::jsonb) as x(line integer, movement text, billing_no text, attempt_no integer,
       reference text, capture_ref text, amount_minor bigint, currency text, fee_minor bigint,
       fee_currency text, at timestamptz)`,
    [toJsonb(lines)],
  );
}

/**
 * Lines without our reference are found by the provider's own; and whose order it is, which is where the rest is looked
 * up: on a spread database everything else lies there (decision 64).
 */
export async function resolveLines(db: Queryable, provider: string): Promise<void> {
  await query(
    db,
    'settlement_resolve',
    `update settlement_line s set billing_no = a.billing_no, attempt_no = a.attempt_no from payment_attempt a
     where s.billing_no is null and s.capture_ref is not null and a.provider = $1 and a.capture_ref = s.capture_ref`,
    [provider],
  );
  await query(
    db,
    'settlement_players',
    `update settlement_line s set player_id = l.player_id from order_lookup l where l.billing_no = s.billing_no`,
  );
  await db.query('analyze settlement_line');
}

/**
 * Keeps what the file says the provider kept, for the report of fees: of each moment that a payment moved at, so that
 * parts of one payment in several files add up, and the same file again changes nothing.
 */
export async function keepFees(db: Queryable, provider: string): Promise<number> {
  const rows = await query(
    db,
    'settlement_fees',
    `insert into settlement_fee (player_id, billing_no, attempt_no, movement, provider, fee_minor, currency, at)
     select a.player_id, a.billing_no, a.attempt_no, s.movement, $1, sum(s.fee_minor)::bigint, s.fee_currency, s.at
     from settlement_line s join payment_attempt a
       on a.player_id = s.player_id and a.billing_no = s.billing_no and a.attempt_no = s.attempt_no and a.provider = $1
     where s.fee_minor is not null and s.fee_currency is not null group by 1, 2, 3, 4, 7, 8
     on conflict (player_id, billing_no, attempt_no, movement, currency, at)
       do update set fee_minor = excluded.fee_minor
     returning 1`,
    [provider],
  );
  return rows.length;
}

export type DifferenceKind =
  | 'missing_here'
  | 'missing_there'
  | 'amount_differs'
  | 'currency_differs'
  | 'movement_differs'
  | 'other_day';

export type SettlementRow = {
  kind: DifferenceKind | 'equal';
  line: number | null;
  billing_no: BillingNo | null;
  attempt_no: number | null;
  reference: string | null;
  movement_there: string | null;
  movement_here: string | null;
  amount_there: number | null;
  amount_here: number | null;
  currency_there: string | null;
  currency_here: string | null;
};

/** Both sides of the day, matched by attempt and direction. Used by the two queries below. */
const COMPARED = `
  with file as (
    select coalesce(billing_no, 'line ' || line) as key, billing_no, attempt_no, movement = 'payment' as incoming,
      min(line) as line, min(reference) as reference,
      string_agg(distinct movement, '+' order by movement) as movement, string_agg(distinct currency, '+'
        order by currency) as currency,
      sum(amount_minor)::bigint as amount, bool_or(at >= $2 and at < $3) as is_today
    from settlement_line group by 1, 2, 3, 4
  ), concerned as (
    select player_id, billing_no from ledger_entry
    where created_at >= $2 and created_at < $3 and account = 'provider_receivable'
    union select player_id, billing_no from settlement_line where player_id is not null
  ), books as (
    select l.billing_no, l.attempt_no, l.amount_minor > 0 as incoming,
      string_agg(distinct case when l.kind in ('paid', 'overpayment') then 'payment'
        when l.kind = 'chargeback' then 'chargeback' else 'refund' end, '+') as movement,
      string_agg(distinct l.currency, '+') as currency, abs(sum(l.amount_minor))::bigint as amount,
      bool_or(l.created_at >= $2 and l.created_at < $3) as is_today
    from concerned c join ledger_entry l on l.player_id = c.player_id and l.billing_no = c.billing_no
      join payment_attempt a on a.player_id = l.player_id and a.billing_no = l.billing_no
        and a.attempt_no = l.attempt_no and a.provider = $1
      join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
    where l.account = 'provider_receivable' group by 1, 2, 3
  ), compared as (
    select f.line, coalesce(f.billing_no, b.billing_no) as billing_no,
      coalesce(f.attempt_no, b.attempt_no) as attempt_no, f.reference,
      coalesce(f.incoming, b.incoming) as incoming, f.movement as movement_there, b.movement as movement_here, f.amount as amount_there,
      b.amount as amount_here, f.currency as currency_there, b.currency as currency_here,
      coalesce(f.is_today, false) as today_there, coalesce(b.is_today, false) as today_here,
      case when b.billing_no is null then 'missing_here' when f.key is null then 'missing_there'
        when f.currency <> b.currency then 'currency_differs' when f.amount <> b.amount then 'amount_differs'
        when f.movement <> b.movement then 'movement_differs' when f.is_today <> b.is_today then 'other_day' else 'equal' end as kind
    from file f full join books b on f.key = b.billing_no and f.attempt_no = b.attempt_no and f.incoming = b.incoming
    where f.is_today or b.is_today
  )`;

/** Everything that is not equal, by line of the file, then what only we have. */
export function listDifferences(db: Queryable, provider: string, from: Date, to: Date): Promise<SettlementRow[]> {
  return query<SettlementRow>(
    db,
    'settlement_differences',
    `${COMPARED} select kind, line, billing_no, attempt_no, reference, movement_there, movement_here, amount_there, amount_here, currency_there, currency_here
     from compared where kind <> 'equal' order by line nulls last, billing_no, attempt_no`,
    [provider, from, to],
  );
}

/** Of one currency, minor units: payments less what went back, of the day on each side. */
export type SettlementTotal = { currency: string; there: number; here: number; equal: number };

export function readTotals(db: Queryable, provider: string, from: Date, to: Date): Promise<SettlementTotal[]> {
  return query<SettlementTotal>(
    db,
    'settlement_totals',
    `${COMPARED}, sides as (
       select currency_there as currency, case when incoming then amount_there else -amount_there end as there, 0::bigint as here, (kind = 'equal')::integer as equal
         from compared where today_there
       union all select currency_here, 0, case when incoming then amount_here else -amount_here end, 0 from compared where today_here
     ) select currency, sum(there)::bigint as there, sum(here)::bigint as here, sum(equal)::bigint as equal from sides group by currency order by currency`,
    [provider, from, to],
  );
}

export async function createAppliedTable(db: Queryable): Promise<void> {
  await db.query(`set statement_timeout = '10min'`);
  await db.query('create temporary table applied_key (billing_no text primary key, player_id uuid)');
}

export async function addAppliedKeys(db: Queryable, keys: readonly string[]): Promise<void> {
  await query(db, 'applied_add', 'insert into applied_key select distinct unnest($1::text[]) on conflict do nothing', [
    keys,
  ]);
}

/** When all keys are there: whose they are. */
export async function resolveApplied(db: Queryable): Promise<void> {
  await query(
    db,
    'applied_players',
    'update applied_key k set player_id = l.player_id from order_lookup l where l.billing_no = k.billing_no',
  );
  await db.query('analyze applied_key');
}

/** One grant for which the game's list and our deliveries do not both say "done"; `compareGrant` judges it. */
export type GrantRow = {
  billing_no: string;
  /** State of the order; null: it is not here, or of another game. */
  state: OrderState | null;
  delivery: DeliveryState | null;
  revocation: RevocationState | null;
  is_applied: boolean;
};

/** Keys of the game against deliveries done here since `since`. */
export function listGrantsToCompare(db: Queryable, gameId: GameId, since: Date): Promise<GrantRow[]> {
  return query<GrantRow>(
    db,
    'applied_differences',
    `select k.billing_no, o.state, d.state as delivery, r.state as revocation, true as is_applied
     from applied_key k left join orders o
         on o.player_id = k.player_id and o.billing_no = k.billing_no and o.game_id = $1
       left join delivery d on d.player_id = o.player_id and d.billing_no = o.billing_no
       left join revocation r on r.player_id = o.player_id and r.billing_no = o.billing_no
     where d.state is distinct from 'done'
     union all
     select d.billing_no, o.state, d.state, r.state, false
     from delivery d join orders o on o.player_id = d.player_id and o.billing_no = d.billing_no
       left join revocation r on r.player_id = d.player_id and r.billing_no = d.billing_no
     where d.game_id = $1 and d.state = 'done' and d.done_at >= $2 and o.replenish_id is null
       and not exists (select from applied_key k where k.billing_no = d.billing_no)
     order by billing_no`,
    [gameId, since],
  );
}
