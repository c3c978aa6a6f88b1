// SQL of caps, pauses and declared ages outside the functions in sql/.
import type { SpendingPeriod } from '#contracts/spending.ts';
import type { PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, callFunction, query, toJsonb } from '#server/platform/database/db.ts';
import type { PayerRules } from './spending-types.ts';

type LimitRow = { kind: 'age' | SpendingPeriod; cap_minor: number; used_minor: number; ends_at: Date };

/** Caps that count now, the one of the age first, as cap_refusal counts them. */
export function readLimits(
  db: Queryable,
  playerId: PlayerId,
  rules: PayerRules,
  currency: Currency,
): Promise<LimitRow[]> {
  return query<LimitRow>(
    db,
    'spending_limits',
    `select * from spending_limits($1, $2, $3, now(), null)
     order by array_position('{age,day,week,month}'::text[], kind)`,
    [playerId, toJsonb(rules), currency],
  );
}

type CapRow = {
  period: SpendingPeriod;
  cap_minor: number | null;
  next_cap_minor: number | null;
  next_at: Date | null;
};

/** Reads the player's own caps in a currency; a raise whose waiting time is over counts as set. */
export function readCaps(db: Queryable, playerId: PlayerId, currency: Currency): Promise<CapRow[]> {
  return query<CapRow>(
    db,
    'spending_caps',
    `select period, case when next_at <= now() then next_cap_minor else cap_minor end as cap_minor,
       case when next_at > now() then next_cap_minor end as next_cap_minor,
       case when next_at > now() then next_at end as next_at
     from spending_cap where player_id = $1 and currency = $2`,
    [playerId, currency],
  );
}

type PayerFacts = { paused_until: Date | null; birth_year: number | null; birth_month: number | null };

export async function readPayer(db: Queryable, playerId: PlayerId): Promise<PayerFacts> {
  const [row] = await query<PayerFacts>(
    db,
    'spending_payer',
    `select (select paused_until from spending_pause where player_id = $1 and paused_until > now()) as paused_until,
       d.birth_year, d.birth_month
     from (select 1) one left join age_declaration d on d.player_id = $1`,
    [playerId],
  );
  return row ?? { paused_until: null, birth_year: null, birth_month: null };
}

export type Declaration = { birthYear: number; birthMonth: number; hasConsent: boolean };

/** @param by the operator who changes it; null: the player's own word, which counts once. False: it was said before. */
export function declareAge(db: Queryable, playerId: PlayerId, said: Declaration, by: string | null): Promise<boolean> {
  return callFunction(db, 'declare_age', {
    player_id: playerId,
    birth_year: said.birthYear,
    birth_month: said.birthMonth,
    has_consent: said.hasConsent,
    by,
  });
}

/** The player is asked again before the next order. False: nothing was declared. */
export async function eraseAge(db: Queryable, playerId: PlayerId): Promise<boolean> {
  const rows = await query(
    db,
    'spending_forget_age',
    'delete from age_declaration where player_id = $1 returning player_id',
    [playerId],
  );
  return rows.length > 0;
}

/** @param capMinor null: no cap */
export function setCap(
  db: Queryable,
  playerId: PlayerId,
  { currency, period, capMinor }: { currency: Currency; period: SpendingPeriod; capMinor: number | null },
): Promise<void> {
  return callFunction(db, 'set_spending_cap', { player_id: playerId, currency, period, cap_minor: capMinor });
}

/** @param days 0 ends a pause, 24 hours from now at the soonest */
export function pauseSpending(db: Queryable, playerId: PlayerId, days: number): Promise<void> {
  return callFunction(db, 'pause_spending', { player_id: playerId, days });
}
