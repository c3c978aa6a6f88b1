// SQL of finding orders by what support is told. A number, a player or a provider's reference leads to rows by an
// index; anything else is looked for in a bounded span of time, which the rows of orders are ordered by.
import type { PlayerId } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { OrderState } from '#server/modules/orders/rules.ts';
import { FOUND_COLUMNS, type FoundOrder } from './operate-find-store.ts';

/**
 * Null leaves a filter out. `number`: an order's number or a part of it, as it is written. `player`: the login name in
 * any case, or the game's user id; `role`: a character's name or id.
 */
export type OrderFilter = {
  readonly number: string | null;
  readonly player: string | null;
  readonly playerId: PlayerId | null;
  readonly role: string | null;
  readonly providerRef: string | null;
  readonly state: OrderState | null;
  readonly brand: string | null;
  readonly country: string | null;
  readonly amount: Money | null;
  readonly since: Date | null;
  readonly until: Date | null;
};

export const NO_FILTER: OrderFilter = {
  number: null,
  player: null,
  playerId: null,
  role: null,
  providerRef: null,
  state: null,
  brand: null,
  country: null,
  amount: null,
  since: null,
  until: null,
};

/** Our choice: a month is what support is asked about; whoever asks for more says since when. */
const USUAL_DAYS = 31;
const WHOLE_NUMBER = 26;

export type OrderPage = {
  /** One more than `limit` where there is another page. */
  readonly rows: (FoundOrder & { cursor_at: string })[];
  /** Days that were looked through, where nothing led to the rows and nobody said since when; else null. */
  readonly days: number | null;
};

/**
 * Newest first. A provider's reference is one of its own (order, link, capture) or ours of an attempt.
 * @param before the last row of the page before
 */
export async function searchOrders(
  db: Queryable,
  filter: OrderFilter,
  page: { limit: number; before: { at: string; id: string } | null },
): Promise<OrderPage> {
  const isKeyed = filter.number?.length === WHOLE_NUMBER || filter.player !== null || filter.playerId !== null;
  if (filter.providerRef !== null) {
    const known = await runSearch(db, filter, page, { references: 'known', days: null });
    if (known.length > 0 || isKeyed) return { rows: known, days: null };
  }
  const days = isKeyed || filter.since !== null ? null : USUAL_DAYS;
  const references = filter.providerRef === null ? null : 'attempts';
  return { rows: await runSearch(db, filter, page, { references, days }), days };
}

/** A reference of a provider's is unique beside its provider only, and there are few of those: each is looked up. */
const KNOWN_REFERENCES = `(o.player_id, o.billing_no) in (
  with recursive named as (
    select min(provider) as provider from provider_reference
    union all select (select min(r.provider) from provider_reference r where r.provider > n.provider) from named n
      where n.provider is not null)
  select r.player_id, r.billing_no from named n join provider_reference r
    on r.provider = n.provider and r.provider_ref = $
  union select l.player_id, l.billing_no from order_lookup l where l.billing_no = left($, 26))`;

/** A capture has its own reference, which no index knows: asked of the attempts of the span. */
const OF_ATTEMPTS = `exists (select from payment_attempt a where a.player_id = o.player_id
  and a.billing_no = o.billing_no and (a.provider_ref = $ or a.capture_ref = $))`;

type How = { references: 'known' | 'attempts' | null; days: number | null };

function runSearch(
  db: Queryable,
  filter: OrderFilter,
  { limit, before }: Parameters<typeof searchOrders>[2],
  how: How,
): Promise<OrderPage['rows']> {
  const values: unknown[] = [limit + 1];
  const conditions: string[] = [];
  // One name has one text: a letter for each condition, never a value. PostgreSQL reads 63 bytes of it.
  let name = 'operate_search_';
  const add = (letter: string, condition: string, ...given: unknown[]) => {
    name += letter;
    let text = condition;
    for (const value of given) {
      values.push(value);
      text = given.length === 1 ? text.replaceAll('$', `$${values.length}`) : text.replace('$?', `$${values.length}`);
    }
    conditions.push(text);
  };
  const { number, amount } = filter;
  if (number?.length === WHOLE_NUMBER)
    add(
      'n',
      '(o.player_id, o.billing_no) in (select player_id, billing_no from order_lookup where billing_no = $)',
      number,
    );
  else if (number !== null) add('p', `o.billing_no like '%' || $ || '%'`, number);
  if (filter.playerId !== null) add('i', 'o.player_id = $::uuid', filter.playerId);
  if (filter.player !== null)
    add(
      'u',
      `o.player_id in (select player_id from player where lower(username) = lower($)
       union select player_id from player where suid = $)`,
      filter.player,
    );
  if (filter.role !== null) add('r', '(o.role_name = $ or o.role_id = $)', filter.role);
  if (how.references === 'known') add('k', KNOWN_REFERENCES, filter.providerRef);
  if (how.references === 'attempts') add('a', OF_ATTEMPTS, filter.providerRef);
  if (filter.state !== null) add('s', 'o.state = $', filter.state);
  if (filter.brand !== null) add('b', 'o.brand_key = $', filter.brand);
  if (filter.country !== null) add('c', 'o.country = $', filter.country);
  if (amount !== null) add('m', 'o.amount_minor = $? and o.currency = $?', amount.amountMinor, amount.currency);
  if (filter.since !== null) add('f', 'o.created_at >= $', filter.since);
  if (filter.until !== null) add('t', 'o.created_at < $', filter.until);
  if (how.days !== null)
    add('d', 'o.created_at >= coalesce($?::timestamptz, now()) - make_interval(days => $?)', filter.until, how.days);
  if (before !== null) add('x', '(o.created_at, o.billing_no) < ($?::timestamptz, $?)', before.at, before.id);
  return query(
    db,
    name,
    `select ${FOUND_COLUMNS}, o.created_at::text as cursor_at from orders o where ${conditions.join(' and ') || 'true'}
     order by o.created_at desc, o.billing_no desc limit $1`,
    values,
  );
}
