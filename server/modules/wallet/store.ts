// All SQL of balances outside the money functions (sql/ here, and those of orders that spend
// balances and give them back).
import type { PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type BalanceKind = 'paid' | 'free';

export type BalanceRow = { currency: Currency; paid_minor: number; free_minor: number };

export function readBalances(db: Queryable, playerId: PlayerId): Promise<BalanceRow[]> {
  return query<BalanceRow>(
    db,
    'wallet_balances',
    `select currency, coalesce(sum(balance_minor) filter (where kind = 'paid'), 0)::bigint as paid_minor,
       coalesce(sum(balance_minor) filter (where kind = 'free'), 0)::bigint as free_minor
     from wallet_account where player_id = $1 and kind in ('paid', 'free') group by currency order by currency`,
    [playerId],
  );
}

export type CreditRow = {
  player_id: PlayerId;
  external_id: string;
  currency: Currency;
  amount_minor: number;
  kind: BalanceKind;
  reason: string;
  actor: string;
};

export type CreditOutcome =
  | { outcome: 'done' | 'repeat'; txn_id: string; balance_minor: number }
  | { outcome: 'differs' };

export async function creditWallet(db: Queryable, credit: CreditRow): Promise<CreditOutcome> {
  const [row] = await query<{ wallet_credit: CreditOutcome }>(
    db,
    'wallet_credit',
    `select wallet_credit(p_player_id => $1, p_external_id => $2, p_currency => $3, p_amount_minor => $4, p_kind => $5,
       p_reason => $6, p_actor => $7)`,
    [
      credit.player_id,
      credit.external_id,
      credit.currency,
      credit.amount_minor,
      credit.kind,
      credit.reason,
      credit.actor,
    ],
  );
  if (!row) throw new Error('wallet_credit answered nothing');
  return row.wallet_credit;
}

/** True the first time; numbers are kept for longer than a call stays fresh, and go out with the next. */
export async function takeNonce(db: Queryable, nonce: string): Promise<boolean> {
  const rows = await query(
    db,
    'wallet_nonce',
    `with old as (delete from wallet_nonce where at < now() - interval '15 minutes')
     insert into wallet_nonce (nonce) values ($1) on conflict do nothing returning nonce`,
    [nonce],
  );
  return rows.length > 0;
}

export type TxnRow = {
  txn_id: string;
  type: string;
  currency: Currency;
  amount_minor: number;
  billing_no: string | null;
  reason: string;
  actor: string;
  created_at: Date;
  entries: Record<string, number>;
};

/** The last movements of a player, the newest first; `entries` maps kinds to signed minor units. */
export function listTxns(db: Queryable, playerId: PlayerId, limit: number): Promise<TxnRow[]> {
  return query<TxnRow>(
    db,
    'wallet_txns',
    `select t.txn_id, t.type, t.currency, t.amount_minor, t.billing_no, t.reason, t.actor, t.created_at,
       (select jsonb_object_agg(e.kind, e.amount_minor) from wallet_entry e
         where e.player_id = t.player_id and e.txn_id = t.txn_id) as entries
     from wallet_txn t where t.player_id = $1 order by t.created_at desc, t.txn_id limit $2`,
    [playerId, limit],
  );
}

export type LiabilityRow = {
  brand_key: string;
  currency: Currency;
  paid_minor: number;
  free_minor: number;
  players: number;
};

/**
 * Sums the balances that players could have spent at the end of a day, by brand: from every movement until then.
 * @param day "2026-03-31", in `zone`
 */
export function readLiabilitiesOn(db: Queryable, day: string, zone: string): Promise<LiabilityRow[]> {
  return query<LiabilityRow>(
    db,
    'wallet_liabilities_on',
    `with left_over as (
       select e.player_id, t.currency, e.kind, sum(e.amount_minor) as minor
       from wallet_entry e join wallet_txn t using (player_id, txn_id)
       where e.kind in ('paid', 'free') and t.created_at < ($1::date + 1)::timestamp at time zone $2
       group by 1, 2, 3 having sum(e.amount_minor) > 0
     )
     select p.brand_key, l.currency, coalesce(sum(l.minor) filter (where l.kind = 'paid'), 0)::bigint as paid_minor,
       coalesce(sum(l.minor) filter (where l.kind = 'free'), 0)::bigint as free_minor,
       count(distinct l.player_id) as players
     from left_over l join player p using (player_id) group by 1, 2 order by 1, 2`,
    [day, zone],
  );
}

/**
 * Sums the balances that players could still spend, by brand. Laws on prepaid balances ask for the unused paid part.
 */
export function readLiabilities(db: Queryable): Promise<LiabilityRow[]> {
  return query<LiabilityRow>(
    db,
    'wallet_liabilities',
    `select p.brand_key, a.currency,
       coalesce(sum(a.balance_minor) filter (where a.kind = 'paid'), 0)::bigint as paid_minor,
       coalesce(sum(a.balance_minor) filter (where a.kind = 'free'), 0)::bigint as free_minor,
       count(distinct a.player_id) as players
     from wallet_account a join player p using (player_id) where a.kind in ('paid', 'free') and a.balance_minor > 0
     group by 1, 2 order by 1, 2`,
  );
}
