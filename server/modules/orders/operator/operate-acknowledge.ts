// An operator has seen to a callback that belongs to no order here: it leaves the dead letters and the alarm's count,
// with an audit line in the same transaction. No money is booked: there is no order to book it to.
import { type Queryable, query, transaction } from '#server/platform/database/db.ts';
import { findPlayerOf } from '#server/modules/orders/find-store.ts';
import { addAudit } from './operate-store.ts';
import type { ActOutcome, Operator } from './operate.ts';

/** A callback by its provider and the key that `order deadletters` shows. */
export type CallbackName = { readonly provider: string; readonly key: string };

type Seen = { state: string; is_letter: boolean; is_leased: boolean; has_order: boolean };

/** @param reason what became of the money, for the audit */
export async function acknowledgeCallback(
  operator: Operator,
  callback: CallbackName,
  reason: string,
): Promise<ActOutcome> {
  const name = `callback ${callback.key} of ${callback.provider}`;
  const impossible = (outcome: string, sentence: string): ActOutcome => ({ kind: 'impossible', outcome, sentence });
  return transaction(operator.db, async (client): Promise<ActOutcome> => {
    const seen = await lockCallback(client, callback);
    if (!seen) return { kind: 'not_found', outcome: 'not_found', sentence: `There is no ${name}.` };
    if (!seen.is_letter)
      return impossible('wrong_state', `The ${name} is ${seen.state}: only what order deadletters lists is waiting.`);
    if (seen.has_order)
      return impossible('has_order', `The order of ${name} is here: it is tried again by itself within the hour.`);
    if (seen.is_leased) return impossible('applying_now', `The ${name} is being tried at this moment: try again.`);
    const report = await closeCallback(client, callback);
    await addAudit(client, { actor: operator.by, act: 'acknowledge', billingNo: null, details: { ...report, reason } });
    return { kind: 'done', outcome: 'acknowledged', sentence: `The ${name} is seen to: it is not tried again.` };
  });
}

async function lockCallback(db: Queryable, { provider, key }: CallbackName): Promise<Seen | null> {
  const [row] = await query<Omit<Seen, 'has_order'> & { number: string }>(
    db,
    'operate_callback',
    `select state, state = 'dead' or (state = 'stored' and unmatched_at is not null) as is_letter,
       coalesce(lease_until > now(), false) as is_leased, coalesce(split_part(reference, '-', 1), '') as number
     from callback_inbox where provider = $1 and dedup_key = $2 for update`,
    [provider, key],
  );
  if (!row) return null;
  const { number, ...seen } = row;
  return { ...seen, has_order: seen.state === 'stored' && (await findPlayerOf(db, number)) !== null };
}

/** Returns what the audit keeps of it. */
async function closeCallback(db: Queryable, { provider, key }: CallbackName): Promise<object> {
  const [row] = await query<{ said: object }>(
    db,
    'operate_callback_close',
    `update callback_inbox set state = 'ignored', outcome = 'acknowledged', next_try_at = null, applied_at = now()
     where provider = $1 and dedup_key = $2
     returning jsonb_build_object('provider', provider, 'key', dedup_key, 'reference', reference,
       'status', report ->> 'status', 'amount', report -> 'amount', 'provider_ref', report ->> 'providerRef') as said`,
    [provider, key],
  );
  return row?.said ?? {};
}
