// SQL of looking orders up: one of a player, their list, what was delivered before, and whose an order is.
import { encodeTime } from 'ulid';
import type { Texts } from '#contracts/files.ts';
import type { Bound } from '#kernel/bound.ts';
import type { BillingNo, BrandKey, GameId, PlayerId, ReplenishId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { DAY_MS } from '#kernel/time.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { OrderState } from './rules.ts';
import type { SoldProduct } from './store.ts';

export type OrderRow = {
  billing_no: BillingNo; player_id: PlayerId; brand_key: BrandKey; game_id: GameId; client_id: string; product_id: string; server_id: string;
  server_name: string; area_id: string; role_id: string; role_name: string; suid: string; username: string; product: SoldProduct; amount_minor: number; currency: Currency;
  state: OrderState; review_reason: string | null; created_at: Date; paid_at: Date | null; delivering_at: Date | null; delivered_at: Date | null;
  refunded_at: Date | null; channel_key: string; channel_name: Texts; pay_url: string | null; attempt_no: number; attempt_state: string; queried_at: Date | null;
  declined_at: Date | null; left_at: Date | null; promo_code: string | null; discount_minor: number; replenish_id: ReplenishId | null; coupon_name: Texts | null; is_offer: boolean | null;
}; /* a row a line */ // prettier-ignore

const ORDER_COLUMNS = `o.billing_no, o.player_id, o.brand_key, o.game_id, o.client_id, o.product_id, o.server_id, o.server_name, o.area_id, o.role_id,
  o.role_name, o.suid, o.username, o.product, o.replenish_id, o.amount_minor, o.currency, o.state, o.review_reason, o.created_at, o.paid_at, o.delivering_at, o.delivered_at,
  o.refunded_at, a.channel_key, a.channel_name, a.pay_url, a.attempt_no, a.state as attempt_state, a.queried_at, a.declined_at, a.left_at, o.promo_code,
  o.discount_minor, c.name as coupon_name, c.prices is not null as is_offer`;

/** A coupon lowered the price too, beside a promo code. */
const COUPON = 'left join coupon c on c.player_id = o.player_id and c.code = o.coupon_code';

/**
 * One order of one player, with the attempt that counts: the one that paid, else the current one. Both tables by the
 * number that was asked for: by the other's row, no month would be left out of the plan.
 */
export async function findOrder(db: Queryable, playerId: PlayerId, billingNo: BillingNo): Promise<OrderRow | null> {
  const [row] = await query<OrderRow>(
    db,
    'order_find',
    `select ${ORDER_COLUMNS} from orders o join lateral (
       select * from payment_attempt a where a.player_id = $1 and a.billing_no = $2
       order by (a.state = 'succeeded') desc, a.attempt_no desc limit 1) a on true ${COUPON}
     where o.player_id = $1 and o.billing_no = $2`,
    [playerId, billingNo],
  );
  return row ?? null;
}

/**
 * A player's orders, newest first, from before `before` (a billing_no; numbers are ordered by time).
 * @param bound of the session that asks: it sees orders of its own character only
 */
export function listOrders(
  db: Queryable,
  playerId: PlayerId,
  before: string,
  limit: number,
  bound: Bound | null,
): Promise<OrderRow[]> {
  return query<OrderRow>(
    db,
    'order_list',
    `select ${ORDER_COLUMNS} from orders o join lateral (
       select * from payment_attempt a where a.player_id = $1 and a.billing_no = o.billing_no
       order by (a.state = 'succeeded') desc, a.attempt_no desc limit 1) a on true ${COUPON}
     where o.player_id = $1 and ($2 = '' or o.billing_no < $2) and ($4::text is null or o.client_id = $4)
       and (o.replenish_id is not null
         or (($5::text is null or o.server_id = $5) and ($6::text is null or o.area_id = $6)
         and ($7::text is null or o.role_id = $7)))
     order by o.billing_no desc limit $3`,
    [
      playerId,
      before,
      limit,
      bound?.client_id ?? null,
      bound?.server_id ?? null,
      bound?.area_id ?? null,
      bound?.role_id ?? null,
    ],
  );
}

/** Our choice: more unpaid orders than any page shows. */
const MAX_UNPAID = 50;

/**
 * `closes_at`: closed by then if nothing is paid, also where only time closes it. `is_quiet`: no sign of a payment, and
 * no payment is being created.
 */
export type UnpaidRow = OrderRow & { closes_at: Date; open_providers: string[]; is_quiet: boolean };

/**
 * A player's unpaid orders, the oldest first.
 * @param expiry.margin how long after its provider's own time an attempt is closed, seconds
 * @param expiry.round an order that is due may be looked at so much later, seconds
 */
export function listUnpaid(
  db: Queryable,
  playerId: PlayerId,
  expiry: { margin: number; round: number },
): Promise<UnpaidRow[]> {
  return query<UnpaidRow>(
    db,
    'order_list_unpaid',
    `select ${ORDER_COLUMNS}, w.is_quiet, w.open_providers,
       greatest(o.expires_at, w.payable_until + make_interval(secs => $2)) + make_interval(secs => $3) as closes_at
     from unpaid_order u
     join orders o on o.player_id = $1 and o.billing_no = u.billing_no and o.is_unpaid
     join lateral (select * from payment_attempt a where a.player_id = $1 and a.billing_no = u.billing_no
       order by a.attempt_no desc limit 1) a on true
     cross join lateral (select max(b.payable_until) as payable_until,
         coalesce(array_agg(distinct b.provider), '{}') as open_providers,
         coalesce(bool_and(b.state = 'redirected' and b.approval is null and b.capture_ref is null
           and coalesce(b.capture_lease_until < now(), true)), true) as is_quiet
       from payment_attempt b where b.player_id = $1 and b.billing_no = u.billing_no and b.is_open) w ${COUPON}
     where u.player_id = $1 order by u.billing_no limit ${MAX_UNPAID}`,
    [playerId, expiry.margin, expiry.round],
  );
}

export type DeliveredBefore = { product_id: string; channel_key: string; channel_name: Texts };

const BEFORE_DAYS = 60;

/**
 * Lists the deliveries of one game to a player in the last 60 days, the newest first, with the channel that paid each.
 * @param now epoch milliseconds: by the numbers of a day more, which leave older months out of the plan
 */
export function listDeliveredBefore(
  db: Queryable,
  playerId: PlayerId,
  clientId: string,
  bound: Bound | null,
  now: number,
): Promise<DeliveredBefore[]> {
  return query<DeliveredBefore>(
    db,
    'order_delivered_before',
    `select o.product_id, a.channel_key, a.channel_name from orders o join payment_attempt a
       on a.player_id = o.player_id and a.billing_no = o.billing_no and a.state = 'succeeded'
     where o.player_id = $1 and o.client_id = $2 and o.state = 'delivered' and o.replenish_id is null
       and o.created_at > now() - make_interval(days => $6) and o.billing_no > $7 and a.billing_no > $7
       and ($3::text is null or o.server_id = $3) and ($4::text is null or o.area_id = $4)
         and ($5::text is null or o.role_id = $5)
     order by o.billing_no desc limit 20`,
    [
      playerId,
      clientId,
      bound?.server_id ?? null,
      bound?.area_id ?? null,
      bound?.role_id ?? null,
      BEFORE_DAYS,
      encodeTime(now - (BEFORE_DAYS + 1) * DAY_MS),
    ],
  );
}

/**
 * Whose an order is; null when there is none of this number. A statement of its own: where the database is spread over
 * machines, the number and the order lie on different ones, and what follows is asked of the player's alone.
 */
export async function findPlayerOf(db: Queryable, billingNo: string): Promise<PlayerId | null> {
  const [row] = await query<{ player_id: PlayerId }>(
    db,
    'order_player',
    'select player_id from order_lookup where billing_no = $1',
    [billingNo],
  );
  return row?.player_id ?? null;
}

/** The owner and brand of an order known only by its number. */
export async function findOwner(
  db: Queryable,
  billingNo: BillingNo,
): Promise<{ playerId: PlayerId; brandKey: BrandKey } | null> {
  const playerId = await findPlayerOf(db, billingNo);
  if (playerId === null) return null;
  const [row] = await query<{ brand_key: BrandKey }>(
    db,
    'order_owner',
    'select brand_key from orders where player_id = $1 and billing_no = $2',
    [playerId, billingNo],
  );
  return row ? { playerId, brandKey: row.brand_key } : null;
}
