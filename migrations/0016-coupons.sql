-- Coupons: a part of the price that the shop pays itself. One is taken in the transaction that places the order, comes free again in the
-- transaction that closes it, and is used up for good when the goods are in the game (its reservation says so, like those of limit and stock).
-- Lock order: player limit -> stock -> coupon -> delivery -> order -> attempt, refund, ledger.

create table coupon (
  player_id     uuid not null,
  code          text not null,
  brand_key     text not null,
  name          jsonb not null,              -- language to text
  discount_rate numeric(7, 6) not null check (discount_rate > 0 and discount_rate < 1), -- the part of the price that is paid
  min_spend     jsonb not null default '{}', -- currency to minor units of the price; none: any price
  games         text[] not null default '{}', -- none: all games of the brand
  products      text[] not null default '{}', -- none: all goods that take coupons
  valid_from    timestamptz not null default now(),
  valid_end     timestamptz not null,
  state         text not null default 'free' check (state in ('claimable', 'free', 'taken', 'void')),
  billing_no    text,                        -- the order that holds it, or used it up
  taken_at      timestamptz,
  source        text not null,               -- who gave it and why: 'operator ...', 'vip ...'
  issue_key     text,                        -- what must be given once only, e.g. a level's coupon of one month
  created_at    timestamptz not null default now(),
  primary key (player_id, code),
  unique (player_id, issue_key),
  check ((state = 'taken') = (billing_no is not null)),
  check (valid_from < valid_end)
) with (fillfactor = 80);

alter table orders add column discount_minor bigint not null default 0 check (discount_minor >= 0), add column coupon_code text;
alter table reservation drop constraint reservation_kind_check;
alter table reservation add constraint reservation_kind_check check (kind in ('limit', 'stock', 'coupon'));
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check
  check (account in ('provider_receivable', 'goods_owed', 'revenue', 'refund_owed', 'chargeback_loss', 'promo'));

create or replace function lock_reservations(p_player uuid, p_billing text) returns void language plpgsql as $$
begin
  perform 1 from limit_counter c join reservation r on r.player_id = c.player_id and r.game_id = c.game_id and r.product_id = c.product_id
    and r.subject = c.subject and r.period = c.period
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'limit' and c.player_id = p_player for update of c;
  perform 1 from product_stock s join reservation r on r.game_id = s.game_id and r.product_id = s.product_id
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'stock' for update of s;
  perform 1 from coupon c join reservation r on r.player_id = c.player_id and r.subject = c.code
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'coupon' and c.player_id = p_player for update of c;
end $$;

create or replace function release_reservations(p_player uuid, p_billing text) returns void language plpgsql as $$
declare r record;
begin
  for r in update reservation set state = 'released'
    where player_id = p_player and billing_no = p_billing and state = 'held' returning *
  loop
    if r.kind = 'limit' then
      update limit_counter set used = used - 1
        where player_id = p_player and game_id = r.game_id and product_id = r.product_id and subject = r.subject and period = r.period;
    elsif r.kind = 'stock' then
      update product_stock set used = used - 1 where game_id = r.game_id and product_id = r.product_id;
    else
      update coupon set state = 'free', billing_no = null, taken_at = null where player_id = p_player and code = r.subject and billing_no = p_billing;
    end if;
  end loop;
end $$;

-- For money that came late. A coupon is had again when it is free, also after its last day: the price was agreed while it was good.
create or replace function reserve_again(p_player uuid, p_billing text) returns boolean language plpgsql as $$
declare r record;
begin
  for r in select * from reservation where player_id = p_player and billing_no = p_billing and state = 'released'
    order by array_position(array['limit', 'stock', 'coupon'], kind)
  loop
    if r.kind = 'limit' then
      update limit_counter set used = used + 1 where player_id = p_player and game_id = r.game_id and product_id = r.product_id
        and subject = r.subject and period = r.period and used < cap;
    elsif r.kind = 'stock' then
      update product_stock set used = used + 1 where game_id = r.game_id and product_id = r.product_id and used < total;
    else
      update coupon set state = 'taken', billing_no = p_billing, taken_at = now() where player_id = p_player and code = r.subject and state = 'free';
    end if;
    if not found then
      perform release_reservations(p_player, p_billing);
      return false;
    end if;
    update reservation set state = 'held' where player_id = p_player and billing_no = p_billing and kind = r.kind;
  end loop;
  return true;
end $$;

-- Gives back what a call of place_order had taken before it found that there will be no order.
create function undo_takes(p jsonb, p_period text, p_has_stock boolean, p_coupon text) returns void language plpgsql as $$
begin
  if p_period is not null then
    update limit_counter set used = used - 1 where player_id = (p ->> 'player_id')::uuid and game_id = p ->> 'game_id' and product_id = p ->> 'product_id'
      and subject = p -> 'limit' ->> 'subject' and period = p_period;
  end if;
  if p_has_stock then update product_stock set used = used - 1 where game_id = p ->> 'game_id' and product_id = p ->> 'product_id'; end if;
  if p_coupon is not null then
    update coupon set state = 'free', billing_no = null, taken_at = null where player_id = (p ->> 'player_id')::uuid and code = p_coupon and billing_no = p ->> 'billing_no';
  end if;
end $$;

-- Places an order as before, with a coupon if one is named: `amount_minor` is the price of the goods, the answer's is what is to pay.
create or replace function place_order(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_billing text := p ->> 'billing_no';
  v_key text := p ->> 'idempotency_key';
  v_limit jsonb := p -> 'limit';
  v_has_stock boolean := (p ->> 'has_stock')::boolean;
  v_period text;
  v_subject text;
  v_known idempotency;
  v_open orders;
  v_attempt payment_attempt;
  v_server_name text;
  v_role_name text;
  v_recent integer;
  v_open_count integer;
  v_made integer;
  v_code text := p -> 'coupon' ->> 'code';
  v_list bigint := (p ->> 'amount_minor')::bigint;
  v_amount bigint := v_list;
begin
  if v_key is not null then
    insert into idempotency (player_id, key, fingerprint) values (v_player, v_key, p ->> 'fingerprint') on conflict do nothing;
    if not found then
      select * into v_known from idempotency where player_id = v_player and key = v_key for update;
      if v_known.fingerprint <> p ->> 'fingerprint' then return jsonb_build_object('outcome', 'key_reused'); end if;
      if v_known.answer is not null then return jsonb_build_object('outcome', 'replay', 'answer', v_known.answer); end if;
      -- The first call is running or died between placing and creating. Longer than any call may take: go on where it stopped.
      if v_known.created_at > now() - interval '20 seconds' then return jsonb_build_object('outcome', 'running'); end if;
      update idempotency set created_at = now() where player_id = v_player and key = v_key;
      select * into v_open from orders where player_id = v_player and billing_no = v_known.billing_no;
      select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_known.billing_no and attempt_no = v_known.attempt_no;
      if v_attempt.state = 'sent' then
        return jsonb_build_object('outcome', 'placed', 'billing_no', v_open.billing_no, 'attempt_no', v_attempt.attempt_no, 'amount_minor', v_attempt.amount_minor,
          'server_name', v_open.server_name, 'role_name', v_open.role_name);
      end if;
      return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
    end if;
  end if;

  -- The character, what is open and how much was ordered lately, in one look.
  select r.server_name, r.name,
      (select count(*) from orders o where o.player_id = v_player and o.state in ('created', 'pending')),
      (select count(*) from (select created_at from orders o where o.player_id = v_player order by o.billing_no desc limit (p ->> 'max_per_minute')::integer) o
        where o.created_at > now() - interval '1 minute')
    into v_server_name, v_role_name, v_open_count, v_recent
    from player_role r where r.player_id = v_player and r.client_id = p ->> 'client_id' and r.server_id = p ->> 'server_id'
      and r.area_id = p ->> 'area_id' and r.role_id = p ->> 'role_id' and r.seen_at > now() - interval '7 days';
  if not found then
    delete from idempotency where player_id = v_player and key = v_key;
    return jsonb_build_object('outcome', 'role_unknown');
  end if;

  for round in 1 .. 3 loop
    v_open := null;
    if v_open_count > 0 or round > 1 then
      select * into v_open from orders where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
      and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and product_id = p ->> 'product_id' and state in ('created', 'pending') for update;
    end if;
    if v_open.billing_no is not null then
      select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      if (v_attempt.channel_key = p ->> 'channel_key' and v_attempt.state in ('sent', 'redirected', 'unknown')) or v_open.amount_minor + v_open.discount_minor <> v_list or v_open.currency <> p ->> 'currency'
         or v_open.coupon_code is distinct from v_code or v_open.current_attempt >= 20 then
        update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt,
          answer = jsonb_build_object('code', 'repeatOrder', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''))
          where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
      end if;
      -- Another way to pay for the same order: a new attempt; the old one may still bring money and stays watched.
      update payment_attempt set is_replaced = true where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      update orders set current_attempt = current_attempt + 1, expires_at = greatest(expires_at, now() + (p ->> 'expires_in')::interval)
        where player_id = v_player and billing_no = v_open.billing_no returning * into v_open;
      perform insert_attempt(p || jsonb_build_object('amount_minor', v_open.amount_minor), v_player, v_open.billing_no, v_open.current_attempt);
      update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_open.billing_no, 'attempt_no', v_open.current_attempt, 'amount_minor', v_open.amount_minor,
        'server_name', v_open.server_name, 'role_name', v_open.role_name);
    end if;

    if v_recent >= (p ->> 'max_per_minute')::integer or v_open_count >= (p ->> 'max_open')::integer then
      delete from idempotency where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'too_many_orders');
    end if;

    if v_limit is not null and v_limit <> 'null' then
      v_period := limit_period((v_limit ->> 'days')::integer, p ->> 'time_zone', now());
      v_subject := v_limit ->> 'subject';
      insert into limit_counter as c (player_id, game_id, product_id, subject, period, used, cap)
        values (v_player, p ->> 'game_id', p ->> 'product_id', v_subject, v_period, 1, (v_limit ->> 'times')::integer)
        on conflict (player_id, game_id, product_id, subject, period) do update set used = c.used + 1, cap = greatest(excluded.cap, c.used)
        where c.used < excluded.cap;
      if not found then
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'limit_reached');
      end if;
    end if;
    if v_has_stock then
      update product_stock set used = used + 1 where game_id = p ->> 'game_id' and product_id = p ->> 'product_id' and used < total;
      if not found then
        perform undo_takes(p, v_period, false, null);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'sold_out');
      end if;
    end if;
    if v_code is not null then
      -- Everything that a coupon must be is in the condition; what is to pay is rounded here, once, half up.
      update coupon set state = 'taken', billing_no = v_billing, taken_at = now()
        where player_id = v_player and code = v_code and state = 'free' and brand_key = p ->> 'brand_key' and valid_from <= now() and now() < valid_end
          and (games = '{}' or p ->> 'game_id' = any(games)) and (products = '{}' or p ->> 'product_id' = any(products))
          and (min_spend = '{}' or (min_spend ->> (p ->> 'currency'))::bigint <= v_list)
          and round(v_list * discount_rate) >= greatest(1, (p -> 'coupon' ->> 'least_minor')::bigint)
        returning round(v_list * discount_rate)::bigint into v_amount;
      if not found then
        perform undo_takes(p, v_period, v_has_stock, null);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'coupon_refused');
      end if;
      if v_amount <> (p -> 'coupon' ->> 'seen_minor')::bigint then
        perform undo_takes(p, v_period, v_has_stock, v_code);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'price_changed');
      end if;
    end if;

    with made as (
      insert into orders (player_id, billing_no, brand_key, mode, game_id, client_id, product_id, server_id, server_name, area_id, role_id, role_name,
        suid, username, product, amount_minor, discount_minor, coupon_code, currency, region, country, language, state, expires_at)
        values (v_player, v_billing, p ->> 'brand_key', p ->> 'mode', p ->> 'game_id', p ->> 'client_id', p ->> 'product_id', p ->> 'server_id',
          v_server_name, p ->> 'area_id', p ->> 'role_id', v_role_name, p ->> 'suid', p ->> 'username', p -> 'product',
          v_amount, v_list - v_amount, v_code, p ->> 'currency', p ->> 'region', p ->> 'country', p ->> 'language', 'created', now() + (p ->> 'expires_in')::interval)
        on conflict (player_id, client_id, server_id, area_id, role_id, product_id) where state in ('created', 'pending') do nothing
        returning player_id, billing_no
    ), known as (
      insert into order_lookup (billing_no, player_id) select billing_no, player_id from made
    ), limited as (
      insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap)
        select player_id, billing_no, 'limit', p ->> 'game_id', p ->> 'product_id', v_subject, v_period, (v_limit ->> 'times')::integer
        from made where v_period is not null
    ), stocked as (
      insert into reservation (player_id, billing_no, kind, game_id, product_id)
        select player_id, billing_no, 'stock', p ->> 'game_id', p ->> 'product_id' from made where v_has_stock
    ), discounted as (
      insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
        select player_id, billing_no, 'coupon', p ->> 'game_id', p ->> 'product_id', v_code from made where v_code is not null
    ), sent as (
      insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id, amount_minor, currency, state, payable_until, next_query_at)
        select player_id, billing_no, 1, p ->> 'provider', p ->> 'channel_key', p -> 'channel_name', p ->> 'channel_id', v_amount,
          p ->> 'currency', 'sent', now() + (p ->> 'payable_for')::interval, now() + interval '30 seconds' from made
    ), keyed as (
      update idempotency i set billing_no = made.billing_no, attempt_no = 1 from made where i.player_id = v_player and i.key = v_key
    )
    select count(*) into v_made from made;
    if v_made = 1 then
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_billing, 'attempt_no', 1, 'amount_minor', v_amount, 'server_name', v_server_name, 'role_name', v_role_name);
    end if;
    -- A twin was faster: give back what this call took and answer with the winner.
    perform undo_takes(p, v_period, v_has_stock, v_code);
  end loop;
  delete from idempotency where player_id = v_player and key = v_key;
  return jsonb_build_object('outcome', 'running');
end $$;

-- Closes a batch of calls as before; what was owed and is earned now is the whole price, whoever paid which part of it.
create or replace function finish_deliveries(p jsonb) returns integer language plpgsql as $$
declare v_closed integer;
begin
  -- In one order, so that two batches which share a late answer can not meet crosswise.
  perform 1 from delivery d join jsonb_to_recordset(p) as r(player_id uuid, billing_no text) on d.player_id = r.player_id and d.billing_no = r.billing_no
    order by d.player_id, d.billing_no for update of d;

  with told as (
    select * from jsonb_to_recordset(p) as x(player_id uuid, billing_no text, tries integer, kind text, receipt_id text, reason text, retry_in_seconds double precision)
  ), done as (
    update delivery d set state = 'done', done_at = now(), receipt_id = t.receipt_id, last_error = null
    from told t where t.kind = 'done' and d.player_id = t.player_id and d.billing_no = t.billing_no and d.state <> 'done'
    returning d.player_id, d.billing_no
  ), closed as (
    update orders o set state = case when o.state in ('paid', 'delivering', 'review') then 'delivered' else o.state end, delivered_at = now(), closed_at = now()
    from done where o.player_id = done.player_id and o.billing_no = done.billing_no
    returning o.player_id, o.billing_no, o.amount_minor + o.discount_minor as worth_minor, o.currency, o.refunded_at
  ), booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select c.player_id, c.billing_no, 'delivered', a.attempt_no, side.account, side.sign * c.worth_minor, c.currency
    from closed c join payment_attempt a on a.player_id = c.player_id and a.billing_no = c.billing_no and a.state = 'succeeded'
      cross join (values ('goods_owed', 1), ('revenue', -1)) as side(account, sign)
    where c.refunded_at is null
  ), used as (
    update reservation r set state = 'used' from done where r.player_id = done.player_id and r.billing_no = done.billing_no and r.state = 'held'
  ), stopped as (
    update delivery d set
        state = case when t.kind = 'declined' then 'rejected' when t.retry_in_seconds is null then 'dead' else 'unknown' end,
        last_error = t.reason,
        next_at = case when t.kind = 'unknown' then now() + make_interval(secs => coalesce(t.retry_in_seconds, 0)) else d.next_at end
    from told t where t.kind <> 'done' and d.player_id = t.player_id and d.billing_no = t.billing_no and d.state = 'calling' and d.tries = t.tries
    returning d.player_id, d.billing_no, d.state, t.reason
  ), reviewed as (
    update orders o set state = 'review', review_reason = case when s.state = 'rejected' then 'game_declined: ' else 'delivery_gave_up: ' end || s.reason
    from stopped s where s.state in ('rejected', 'dead') and o.player_id = s.player_id and o.billing_no = s.billing_no and o.state in ('paid', 'delivering')
  )
  select count(*) into v_closed from done;
  return v_closed;
end $$;

-- As before, with the shop's own part of the price in the books.
create or replace function book_unheard_payment(p_player uuid, p_billing text, p_attempt integer) returns void language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_is_paid_already boolean;
  v_discount bigint := 0;
begin
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state not in ('sent', 'redirected', 'unknown', 'failed', 'expired') then return; end if;
  v_is_paid_already := exists (select from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded');
  if not v_is_paid_already then
    select discount_minor into v_discount from orders where player_id = p_player and billing_no = p_billing;
  end if;
  update payment_attempt set state = case when v_is_paid_already then 'surplus' else 'succeeded' end, succeeded_at = now(), next_query_at = null
    where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_player, p_billing, case when v_is_paid_already then 'surplus' else 'paid' end, p_attempt, side.account, side.minor, v_attempt.currency
    from (values ('provider_receivable', v_attempt.amount_minor), ('promo', v_discount),
      (case when v_is_paid_already then 'refund_owed' else 'goods_owed' end, -v_attempt.amount_minor - v_discount)) as side(account, minor) where side.minor <> 0;
  if not v_is_paid_already then
    -- An order without goods to come: a person looks, unless a refund closes it in the same step.
    update orders set paid_at = now(), state = case when state in ('created', 'pending', 'failed', 'expired', 'cancelled') then 'review' else state end
      where player_id = p_player and billing_no = p_billing;
  end if;
end $$;

create or replace function book_refund(p_player uuid, p_billing text, p_attempt integer) returns boolean language plpgsql as $$
declare
  v_order orders;
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  -- A bank has it already; a provider that also says "refunded" (Xsolla's order_canceled) speaks of the same money.
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and kind = 'chargeback') then
    return false;
  end if;
  if v_attempt.state in ('surplus', 'mismatch') then
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
    if not found then return false; end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'surplus_refunded', p_attempt, 'refund_owed', v_amount, v_currency),
      (p_player, p_billing, 'surplus_refunded', p_attempt, 'provider_receivable', -v_amount, v_currency)
      on conflict do nothing;
    if not found then return false; end if;
    if v_attempt.state = 'mismatch' then
      -- Unless another payment of the order is here: then that one waits for its decision.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due') and not exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.state = 'succeeded');
      if found then perform release_reservations(p_player, p_billing); end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player, p_billing, 'refunded', p_attempt, side.account, side.minor, v_attempt.currency
      from (values (case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end, v_attempt.amount_minor + v_order.discount_minor),
        ('provider_receivable', -v_attempt.amount_minor), ('promo', -v_order.discount_minor)) as side(account, minor) where side.minor <> 0
      on conflict do nothing;
    if not found then return false; end if;
    perform stop_delivery(p_player, p_billing, 'refunded');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing;
    if v_order.delivered_at is null then perform release_reservations(p_player, p_billing); end if;
  else
    return false;
  end if;
  update refund set state = 'done', done_at = now(), last_error = null where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  return true;
end $$;

create or replace function apply_report(p jsonb) returns jsonb language plpgsql as $$
declare
  v_provider text := p ->> 'provider';
  v_status text := p ->> 'status';
  v_player uuid;
  v_billing text := p ->> 'billing_no';
  v_attempt_no integer := (p ->> 'attempt_no')::integer;
  v_order orders;
  v_attempt payment_attempt;
  v_inbox text;
  v_outcome text := 'noted';
  v_wake boolean := false;
  v_state text;
  v_has_reservation boolean;
  v_is_paid_already boolean;
  v_both record;
  v_is_heard boolean := false;
begin
  if p ->> 'dedup_key' is not null then
    insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, next_try_at)
      values (v_provider, p ->> 'dedup_key', p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', now() + interval '2 seconds')
      on conflict (provider, dedup_key) do nothing;
    if not found then
      select state into v_inbox from callback_inbox where provider = v_provider and dedup_key = p ->> 'dedup_key' for update;
      if v_inbox <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
    end if;
  end if;

  -- Who and what in one look: the player behind our number, or behind the provider's own reference when it names no other.
  if v_billing is null and p ->> 'provider_ref' is not null then
    select billing_no, attempt_no into v_billing, v_attempt_no from provider_reference where provider = v_provider and provider_ref = p ->> 'provider_ref';
  end if;
  select l.player_id, o.state, exists (select from reservation r where r.player_id = l.player_id and r.billing_no = l.billing_no)
    into v_player, v_state, v_has_reservation
    from order_lookup l
    join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no and o.mode = p ->> 'mode'
    join payment_attempt a on a.player_id = l.player_id and a.billing_no = l.billing_no and a.attempt_no = v_attempt_no and a.provider = v_provider
    where l.billing_no = v_billing;
  if v_player is null then
    -- It may have come before our own commit: kept, tried again for 24 hours.
    update callback_inbox set tries = tries + 1, next_try_at = now() + make_interval(secs => least(3600, 2 * power(2, tries))),
        state = case when received_at < now() - interval '24 hours' then 'dead' else 'stored' end, outcome = 'unknown_order'
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
    return jsonb_build_object('outcome', 'unknown_order');
  end if;

  -- Only money for a closed order, or the end of an open one, touches counters: then they are locked first, as everywhere.
  if v_has_reservation and (v_status in ('failed', 'expired', 'cancelled') or (v_status = 'paid' and v_state in ('failed', 'expired', 'cancelled'))) then
    perform lock_reservations(v_player, v_billing);
  end if;
  if v_status in ('refunded', 'chargeback') then
    perform lock_reservations(v_player, v_billing);
    perform 1 from delivery where player_id = v_player and billing_no = v_billing for update;
  end if;
  select o as o, a as a, exists (select from payment_attempt s where s.player_id = v_player and s.billing_no = v_billing and s.state = 'succeeded') as paid
    into v_both
    from orders o join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = v_attempt_no
    where o.player_id = v_player and o.billing_no = v_billing for update of o, a;
  v_order := v_both.o;
  v_attempt := v_both.a;
  v_is_paid_already := v_both.paid;

  if v_status = 'paid' then
    if v_attempt.state in ('succeeded', 'surplus') or (v_attempt.state = 'mismatch' and exists (select from ledger_entry
        where player_id = v_player and billing_no = v_billing and kind = 'surplus' and attempt_no = v_attempt_no)) then
      v_outcome := 'duplicate';
    elsif not (p ->> 'merchant_ok')::boolean or (p ->> 'amount_minor')::bigint is distinct from v_attempt.amount_minor
          or p ->> 'currency' is distinct from v_attempt.currency then
      v_outcome := 'mismatch';
      update payment_attempt set state = 'mismatch', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), next_query_at = null,
          reported_minor = (p ->> 'amount_minor')::bigint, reported_currency = p ->> 'currency'
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      -- Money that is ours but not what was asked is owed back until a person decides; another merchant's money is not ours to book.
      if (p ->> 'merchant_ok')::boolean and (p ->> 'amount_minor')::bigint > 0 then
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
          (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', (p ->> 'amount_minor')::bigint, p ->> 'currency'),
          (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -(p ->> 'amount_minor')::bigint, p ->> 'currency');
      end if;
      if v_order.state in ('created', 'pending', 'failed', 'expired', 'cancelled') then
        update orders set state = 'review', review_reason = 'payment_mismatch' where player_id = v_player and billing_no = v_billing;
      end if;
    elsif v_order.state in ('paid', 'delivering', 'delivered', 'refunded', 'refund_due')
          or v_is_paid_already then
      v_outcome := 'surplus';
      update payment_attempt set state = 'surplus', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), succeeded_at = now(), next_query_at = null
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -v_attempt.amount_minor, v_attempt.currency);
      perform request_refund(v_player, v_billing, v_attempt_no, 'paid twice', 'shop');
    else
      if v_order.state in ('created', 'pending') then
        v_outcome := 'paid';
      elsif v_order.state in ('failed', 'expired', 'cancelled') and reserve_again(v_player, v_billing) then
        v_outcome := 'late_paid';
      else
        v_outcome := 'late_refused';
      end if;
      v_wake := v_outcome <> 'late_refused';
      with attempt as (
        update payment_attempt set state = 'succeeded', succeeded_at = now(), capture_ref = coalesce(p ->> 'capture_ref', capture_ref),
            reported_minor = null, reported_currency = null,
            provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = null, exchange = exchange || coalesce(p -> 'exchange', '{}')
          where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no
      ), booked as (
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
          select v_player, v_billing, 'paid', v_attempt_no, side.account, side.minor, v_attempt.currency
          from (values ('provider_receivable', v_attempt.amount_minor), ('promo', v_order.discount_minor),
            ('goods_owed', -v_attempt.amount_minor - v_order.discount_minor)) as side(account, minor) where side.minor <> 0
      ), queued as (
        insert into delivery (player_id, billing_no, game_id, mode) select v_player, v_billing, v_order.game_id, v_order.mode where v_wake
      ), heard as (
        update callback_inbox set state = 'applied', outcome = v_outcome, player_id = v_player, billing_no = v_billing, applied_at = now(), next_try_at = null
          where provider = v_provider and dedup_key = p ->> 'dedup_key'
      )
      update orders set paid_at = now(),
          state = case when v_wake then 'paid' when v_order.state = 'review' then 'review' else 'refund_due' end,
          is_late = v_outcome <> 'paid', closed_at = case when v_wake then null else closed_at end,
          review_reason = case when v_wake then review_reason else coalesce(review_reason, 'late_payment_without_stock') end
        where player_id = v_player and billing_no = v_billing;
      if v_outcome = 'late_refused' and v_order.state <> 'review' then
        perform request_refund(v_player, v_billing, v_attempt_no, 'paid too late', 'shop');
      end if;
      v_is_heard := true;
    end if;

  elsif v_status in ('failed', 'expired') then
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'closed';
      update payment_attempt set state = v_status, next_query_at = null where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      update orders set state = v_status, closed_at = now() where player_id = v_player and billing_no = v_billing
        and state in ('created', 'pending') and current_attempt = v_attempt_no;
      if found then perform release_reservations(v_player, v_billing); end if;
    end if;

  elsif v_status = 'declined' then
    -- This try was refused, the page can be paid again: the order stays open and says so.
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'declined';
      update payment_attempt set declined_at = now() where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
    end if;

  elsif v_status = 'approved' then
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'approved';
      update payment_attempt set approved_at = coalesce(approved_at, now()), provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = now()
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
    end if;

  elsif v_status = 'refunded' then
    if (p ->> 'amount_minor')::bigint is distinct from coalesce(v_attempt.reported_minor, v_attempt.amount_minor)
       or p ->> 'currency' is distinct from coalesce(v_attempt.reported_currency, v_attempt.currency) then
      -- Only a part came back, or nobody says how much: the books wait for a person.
      v_outcome := 'partial_refund';
      update orders set review_reason = 'partial_refund', state = case when state in ('paid', 'delivering') then 'review' else state end
        where player_id = v_player and billing_no = v_billing;
    else
      -- Money of which we first hear now that it is gone again: booked in and out, so that a late "paid" is a repetition.
      if (p ->> 'merchant_ok')::boolean then perform book_unheard_payment(v_player, v_billing, v_attempt_no); end if;
      if book_refund(v_player, v_billing, v_attempt_no) then v_outcome := 'refunded'; end if;
    end if;

  elsif v_status = 'refund_failed' then
    v_outcome := 'refund_failed';
    update refund set state = 'manual', last_error = coalesce(p ->> 'reason', 'the provider could not refund')
      where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no and state <> 'done';

  elsif v_status = 'chargeback' then
    v_outcome := 'chargeback';
    if (p ->> 'merchant_ok')::boolean and (p ->> 'amount_minor')::bigint is not distinct from v_attempt.amount_minor
       and p ->> 'currency' is not distinct from v_attempt.currency then
      perform book_unheard_payment(v_player, v_billing, v_attempt_no);
    end if;
    perform book_chargeback(v_player, v_billing, v_attempt_no);
  end if;

  if p ->> 'dedup_key' is not null and not v_is_heard then
    update callback_inbox set state = case when v_outcome in ('noted', 'duplicate') then 'ignored' else 'applied' end, outcome = v_outcome,
        player_id = v_player, billing_no = v_billing, applied_at = now(), next_try_at = null
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
  end if;
  if v_wake and (p ->> 'notify')::boolean then perform pg_notify('refill_delivery', v_order.game_id); end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', v_player, 'billing_no', v_billing, 'attempt_no', v_attempt_no, 'game_id', v_order.game_id);
end $$;

-- ---------- invariants ----------
create or replace view invariant_i2_delivered_paid_once as
  select o.player_id, o.billing_no from orders o where o.state = 'delivered' and (
    (select count(*) from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no and a.state = 'succeeded'
      and a.amount_minor = o.amount_minor and a.currency = o.currency) <> 1
    or not exists (select from delivery d where d.player_id = o.player_id and d.billing_no = o.billing_no and d.state = 'done')
    or (select count(*) from ledger_entry l where l.player_id = o.player_id and l.billing_no = o.billing_no and l.kind in ('paid', 'delivered')
      and abs(l.amount_minor) = case l.account when 'provider_receivable' then o.amount_minor when 'promo' then o.discount_minor
        else o.amount_minor + o.discount_minor end) <> case when o.discount_minor > 0 then 5 else 4 end);

-- A coupon that is taken belongs to the one order whose reservation stands; one that is not taken to none.
create view invariant_i5_used_once as
  select c.player_id, c.billing_no, c.code as what, c.state, count(r.billing_no) as orders
  from coupon c left join reservation r on r.player_id = c.player_id and r.kind = 'coupon' and r.subject = c.code and r.state <> 'released'
  group by c.player_id, c.code
  having count(r.billing_no) <> case when c.state = 'taken' then 1 else 0 end or (c.state = 'taken' and min(r.billing_no) <> c.billing_no);
comment on view invariant_i5_used_once is 'Every coupon is held or used by one order at most, and that order knows it.';

create or replace view invariant_i6_reservations as
  select c.player_id, c.game_id, c.product_id, c.subject || ' ' || c.period as what, c.used, c.cap,
    (select count(*) from reservation r where r.player_id = c.player_id and r.kind = 'limit' and r.game_id = c.game_id and r.product_id = c.product_id
      and r.subject = c.subject and r.period = c.period and r.state <> 'released') as held
  from limit_counter c
  where c.used > c.cap or c.used <> (select count(*) from reservation r where r.player_id = c.player_id and r.kind = 'limit' and r.game_id = c.game_id
    and r.product_id = c.product_id and r.subject = c.subject and r.period = c.period and r.state <> 'released')
  union all
  select null, s.game_id, s.product_id, 'stock', s.used, s.total,
    (select count(*) from reservation r where r.kind = 'stock' and r.game_id = s.game_id and r.product_id = s.product_id and r.state <> 'released')
  from product_stock s
  where s.used > s.total or s.used <> (select count(*) from reservation r where r.kind = 'stock' and r.game_id = s.game_id and r.product_id = s.product_id and r.state <> 'released')
  union all
  -- A discount without a coupon that stands for it, or the other way about, while the order may still be paid or was.
  select o.player_id, o.game_id, o.product_id, 'coupon of ' || o.billing_no, 1, 1,
    (select count(*) from reservation r where r.player_id = o.player_id and r.billing_no = o.billing_no and r.kind = 'coupon' and r.subject = o.coupon_code)
  from orders o
  where (o.coupon_code is not null or o.discount_minor > 0)
    and not exists (select from reservation r where r.player_id = o.player_id and r.billing_no = o.billing_no and r.kind = 'coupon' and r.subject = o.coupon_code
      and (r.state <> 'released' or o.state in ('failed', 'expired', 'cancelled', 'refund_due', 'refunded', 'review')));
comment on view invariant_i6_reservations is 'Limits and stock are never exceeded, and count exactly the reservations that stand; no order has a discount without its coupon.';

create or replace view invariant_breach as
  select 'I1' as invariant, count(*) as breaches, min(billing_no) as example from invariant_i1_ledger_balanced
  union all select 'I2', count(*), min(billing_no) from invariant_i2_delivered_paid_once
  union all select 'I3', count(*), min(billing_no) from invariant_i3_no_goods_unpaid
  union all select 'I5', count(*), min(what) from invariant_i5_used_once
  union all select 'I6', count(*), min(product_id) from invariant_i6_reservations
  union all select 'I8', count(*), min(billing_no) from invariant_i8_nothing_forgotten
  union all select 'I9', count(*), min(billing_no) from invariant_i9_no_endless_doubt
  union all select 'I11', count(*), min(billing_no) from invariant_i11_applied_once
  union all select 'I13', count(*), min(billing_no) from invariant_i13_reservation_follows_order;
