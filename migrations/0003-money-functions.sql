-- The three money steps, each one round trip: place an order, take in what a provider says, close deliveries.
-- Lock order everywhere: player limit -> stock -> order -> attempt, delivery, ledger. Time is the database's.

-- The window of a "N within D days" limit: windows begin at local midnight of the brand's zone, counted from Monday 2024-01-01.
create function limit_period(days integer, zone text, at timestamptz) returns text language sql stable as $$
  select case when days is null then 'ever' else 'd' || days || ':' || (((at at time zone zone)::date - date '2024-01-01') / days) end
$$;

-- When the window that holds `at` ends; null for limits without days.
create function limit_period_end(days integer, zone text, at timestamptz) returns timestamptz language sql stable as $$
  select case when days is null then null
    else ((date '2024-01-01' + ((((at at time zone zone)::date - date '2024-01-01') / days) + 1) * days)::timestamp at time zone zone) end
$$;

-- Gives back what a closed order held. The caller has locked in the agreed order by lock_reservations.
create function lock_reservations(p_player uuid, p_billing text) returns void language plpgsql as $$
begin
  perform 1 from limit_counter c join reservation r on r.player_id = c.player_id and r.game_id = c.game_id and r.product_id = c.product_id
    and r.subject = c.subject and r.period = c.period
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'limit' and c.player_id = p_player for update of c;
  perform 1 from product_stock s join reservation r on r.game_id = s.game_id and r.product_id = s.product_id
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'stock' for update of s;
end $$;

create function release_reservations(p_player uuid, p_billing text) returns void language plpgsql as $$
declare r record;
begin
  for r in update reservation set state = 'released'
    where player_id = p_player and billing_no = p_billing and state = 'held' returning *
  loop
    if r.kind = 'limit' then
      update limit_counter set used = used - 1
        where player_id = p_player and game_id = r.game_id and product_id = r.product_id and subject = r.subject and period = r.period;
    else
      update product_stock set used = used - 1 where game_id = r.game_id and product_id = r.product_id;
    end if;
  end loop;
end $$;

-- Takes again what a closed order had given back, for money that came late. True when all of it could be had.
create function reserve_again(p_player uuid, p_billing text) returns boolean language plpgsql as $$
declare r record;
begin
  for r in select * from reservation where player_id = p_player and billing_no = p_billing and state = 'released' order by kind loop
    if r.kind = 'limit' then
      update limit_counter set used = used + 1 where player_id = p_player and game_id = r.game_id and product_id = r.product_id
        and subject = r.subject and period = r.period and used < cap;
    else
      update product_stock set used = used + 1 where game_id = r.game_id and product_id = r.product_id and used < total;
    end if;
    if not found then
      perform release_reservations(p_player, p_billing);
      return false;
    end if;
    update reservation set state = 'held' where player_id = p_player and billing_no = p_billing and kind = r.kind;
  end loop;
  return true;
end $$;

-- Places an order with everything reserved and the attempt committed as about to be sent, or says why not, or finds the order
-- that is there already. Input and outcomes: server/modules/orders/store.ts.
create function place_order(p jsonb) returns jsonb language plpgsql as $$
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
  v_role player_role;
  v_recent integer;
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
        return jsonb_build_object('outcome', 'placed', 'billing_no', v_open.billing_no, 'attempt_no', v_attempt.attempt_no,
          'server_name', v_open.server_name, 'role_name', v_open.role_name);
      end if;
      return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
    end if;
  end if;

  select * into v_role from player_role where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
    and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and seen_at > now() - interval '7 days';
  if not found then
    delete from idempotency where player_id = v_player and key = v_key;
    return jsonb_build_object('outcome', 'role_unknown');
  end if;

  for round in 1 .. 3 loop
    select * into v_open from orders where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
      and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and product_id = p ->> 'product_id' and state in ('created', 'pending') for update;
    if found then
      select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      if (v_attempt.channel_key = p ->> 'channel_key' and v_attempt.state in ('sent', 'redirected', 'unknown')) or v_open.amount_minor <> (p ->> 'amount_minor')::bigint or v_open.currency <> p ->> 'currency'
         or v_open.current_attempt >= 20 then
        update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt,
          answer = jsonb_build_object('code', 'repeatOrder', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''))
          where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
      end if;
      -- Another way to pay for the same order: a new attempt; the old one may still bring money and stays watched.
      update payment_attempt set is_replaced = true where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      update orders set current_attempt = current_attempt + 1, expires_at = greatest(expires_at, now() + (p ->> 'expires_in')::interval)
        where player_id = v_player and billing_no = v_open.billing_no returning * into v_open;
      perform insert_attempt(p, v_player, v_open.billing_no, v_open.current_attempt);
      update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_open.billing_no, 'attempt_no', v_open.current_attempt,
        'server_name', v_open.server_name, 'role_name', v_open.role_name);
    end if;

    select count(*) into v_recent from (select created_at from orders where player_id = v_player order by billing_no desc limit (p ->> 'max_per_minute')::integer) o
      where o.created_at > now() - interval '1 minute';
    if v_recent >= (p ->> 'max_per_minute')::integer
       or (select count(*) from orders where player_id = v_player and state in ('created', 'pending')) >= (p ->> 'max_open')::integer then
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
        if v_period is not null then
          update limit_counter set used = used - 1 where player_id = v_player and game_id = p ->> 'game_id' and product_id = p ->> 'product_id'
            and subject = v_subject and period = v_period;
        end if;
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'sold_out');
      end if;
    end if;

    insert into orders (player_id, billing_no, brand_key, mode, game_id, client_id, product_id, server_id, server_name, area_id, role_id, role_name,
      suid, username, product, amount_minor, currency, region, country, language, state, expires_at)
      values (v_player, v_billing, p ->> 'brand_key', p ->> 'mode', p ->> 'game_id', p ->> 'client_id', p ->> 'product_id', p ->> 'server_id',
        v_role.server_name, p ->> 'area_id', p ->> 'role_id', v_role.name, p ->> 'suid', p ->> 'username', p -> 'product',
        (p ->> 'amount_minor')::bigint, p ->> 'currency', p ->> 'region', p ->> 'country', p ->> 'language', 'created', now() + (p ->> 'expires_in')::interval)
      on conflict (player_id, client_id, server_id, area_id, role_id, product_id) where state in ('created', 'pending') do nothing;
    if found then
      insert into order_lookup (billing_no, player_id) values (v_billing, v_player);
      if v_period is not null then
        insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap)
          values (v_player, v_billing, 'limit', p ->> 'game_id', p ->> 'product_id', v_subject, v_period, (v_limit ->> 'times')::integer);
      end if;
      if v_has_stock then
        insert into reservation (player_id, billing_no, kind, game_id, product_id) values (v_player, v_billing, 'stock', p ->> 'game_id', p ->> 'product_id');
      end if;
      perform insert_attempt(p, v_player, v_billing, 1);
      update idempotency set billing_no = v_billing, attempt_no = 1 where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_billing, 'attempt_no', 1, 'server_name', v_role.server_name, 'role_name', v_role.name);
    end if;
    -- A twin was faster: give back what this call took and answer with the winner.
    if v_period is not null then
      update limit_counter set used = used - 1 where player_id = v_player and game_id = p ->> 'game_id' and product_id = p ->> 'product_id'
        and subject = v_subject and period = v_period;
    end if;
    if v_has_stock then update product_stock set used = used - 1 where game_id = p ->> 'game_id' and product_id = p ->> 'product_id'; end if;
  end loop;
  delete from idempotency where player_id = v_player and key = v_key;
  return jsonb_build_object('outcome', 'running');
end $$;

create function insert_attempt(p jsonb, p_player uuid, p_billing text, p_attempt integer) returns void language sql as $$
  insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id, amount_minor, currency, state, payable_until, next_query_at)
  values (p_player, p_billing, p_attempt, p ->> 'provider', p ->> 'channel_key', p -> 'channel_name', p ->> 'channel_id', (p ->> 'amount_minor')::bigint,
    p ->> 'currency', 'sent', now() + (p ->> 'payable_for')::interval, now() + interval '30 seconds')
$$;

-- What the provider answered to create. `state`: redirected, unknown or failed (refused: certain that nothing was made).
create function finish_create(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_billing text := p ->> 'billing_no';
  v_attempt integer := (p ->> 'attempt_no')::integer;
  v_state text := p ->> 'state';
  v_order orders;
begin
  if v_state = 'failed' then perform lock_reservations(v_player, v_billing); end if;
  select * into v_order from orders where player_id = v_player and billing_no = v_billing for update;
  -- A callback may have been faster: then only the address is missing and nothing goes back.
  update payment_attempt set
      state = case when state = 'sent' then v_state else state end,
      provider_ref = coalesce(p ->> 'provider_ref', provider_ref), pay_url = p ->> 'url',
      exchange = exchange || coalesce(p -> 'exchange', '{}')
    where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt;
  if p ->> 'provider_ref' is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (p ->> 'provider', p ->> 'provider_ref', v_player, v_billing, v_attempt) on conflict do nothing;
  end if;
  if v_state = 'failed' then
    update orders set state = 'failed', closed_at = now() where player_id = v_player and billing_no = v_billing and state in ('created', 'pending')
      and current_attempt = v_attempt returning * into v_order;
    if found then perform release_reservations(v_player, v_billing); end if;
  else
    update orders set state = 'pending' where player_id = v_player and billing_no = v_billing and state = 'created';
  end if;
  if p ->> 'idempotency_key' is not null then
    if p -> 'answer' is null then
      delete from idempotency where player_id = v_player and key = p ->> 'idempotency_key';
    else
      update idempotency set answer = p -> 'answer' where player_id = v_player and key = p ->> 'idempotency_key';
    end if;
  end if;
  return jsonb_build_object('outcome', 'ok');
end $$;

-- Takes in what a provider says of a payment: by callback (with dedup_key: stored in the inbox in the same step), query or capture.
-- Outcomes: duplicate, unknown_order, paid, late_paid, late_refused, surplus, mismatch, approved, declined, closed, refunded, partial_refund,
-- chargeback, noted.
create function apply_report(p jsonb) returns jsonb language plpgsql as $$
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

  if v_billing is not null then
    select player_id into v_player from order_lookup where billing_no = v_billing;
  elsif p ->> 'provider_ref' is not null then
    select player_id, billing_no, attempt_no into v_player, v_billing, v_attempt_no from provider_reference
      where provider = v_provider and provider_ref = p ->> 'provider_ref';
  end if;
  if v_player is not null then
    select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no and provider = v_provider;
  end if;
  if v_attempt.player_id is null or (select mode from orders where player_id = v_player and billing_no = v_billing) <> p ->> 'mode' then
    -- It may have come before our own commit: kept, tried again for 24 hours.
    update callback_inbox set tries = tries + 1, next_try_at = now() + make_interval(secs => least(3600, 2 * power(2, tries))),
        state = case when received_at < now() - interval '24 hours' then 'dead' else 'stored' end, outcome = 'unknown_order'
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
    return jsonb_build_object('outcome', 'unknown_order');
  end if;

  -- Only money for a closed order, or the end of an open one, touches counters: then they are locked first, as everywhere.
  if v_status in ('paid', 'failed', 'expired')
     and exists (select from reservation where player_id = v_player and billing_no = v_billing)
     and (v_status <> 'paid' or exists (select from orders where player_id = v_player and billing_no = v_billing and state in ('failed', 'expired', 'cancelled'))) then
    perform lock_reservations(v_player, v_billing);
  end if;
  select * into v_order from orders where player_id = v_player and billing_no = v_billing for update;
  select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no for update;

  if v_status = 'paid' then
    if v_attempt.state in ('succeeded', 'surplus') then
      v_outcome := 'duplicate';
    elsif not (p ->> 'merchant_ok')::boolean or (p ->> 'amount_minor')::bigint is distinct from v_attempt.amount_minor
          or p ->> 'currency' is distinct from v_attempt.currency then
      v_outcome := 'mismatch';
      update payment_attempt set state = 'mismatch', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), next_query_at = null
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      if v_order.state in ('created', 'pending', 'failed', 'expired', 'cancelled') then
        update orders set state = 'review', review_reason = 'payment_mismatch' where player_id = v_player and billing_no = v_billing;
      end if;
    elsif v_order.state in ('paid', 'delivering', 'delivered', 'refunded', 'refund_due')
          or exists (select from payment_attempt where player_id = v_player and billing_no = v_billing and state = 'succeeded') then
      v_outcome := 'surplus';
      update payment_attempt set state = 'surplus', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), succeeded_at = now(), next_query_at = null
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -v_attempt.amount_minor, v_attempt.currency);
    else
      update payment_attempt set state = 'succeeded', succeeded_at = now(), capture_ref = coalesce(p ->> 'capture_ref', capture_ref),
          provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = null, exchange = exchange || coalesce(p -> 'exchange', '{}')
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'paid', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'paid', v_attempt_no, 'goods_owed', -v_attempt.amount_minor, v_attempt.currency);
      if v_order.state in ('created', 'pending') then
        v_outcome := 'paid';
      elsif v_order.state in ('failed', 'expired', 'cancelled') and reserve_again(v_player, v_billing) then
        v_outcome := 'late_paid';
      else
        v_outcome := 'late_refused';
      end if;
      if v_outcome = 'late_refused' then
        update orders set state = case when v_order.state = 'review' then 'review' else 'refund_due' end, is_late = true, paid_at = now(),
            review_reason = coalesce(review_reason, 'late_payment_without_stock') where player_id = v_player and billing_no = v_billing;
      else
        update orders set state = 'paid', paid_at = now(), is_late = v_outcome = 'late_paid', closed_at = null where player_id = v_player and billing_no = v_billing;
        insert into delivery (player_id, billing_no, game_id, mode) values (v_player, v_billing, v_order.game_id, v_order.mode);
        v_wake := true;
      end if;
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
    if (p ->> 'amount_minor')::bigint is distinct from v_attempt.amount_minor or p ->> 'currency' is distinct from v_attempt.currency then
      -- Only a part came back, or nobody says how much: the books wait for a person.
      v_outcome := 'partial_refund';
      update orders set review_reason = 'partial_refund', state = case when state in ('paid', 'delivering') then 'review' else state end
        where player_id = v_player and billing_no = v_billing;
    elsif v_attempt.state = 'surplus' then
      v_outcome := 'refunded';
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'surplus_refunded', v_attempt_no, 'refund_owed', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'surplus_refunded', v_attempt_no, 'provider_receivable', -v_attempt.amount_minor, v_attempt.currency)
        on conflict do nothing;
    elsif v_attempt.state = 'succeeded' and v_order.refunded_at is null then
      v_outcome := 'refunded';
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'refunded', v_attempt_no, case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end, v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'refunded', v_attempt_no, 'provider_receivable', -v_attempt.amount_minor, v_attempt.currency);
      update delivery set state = 'rejected', last_error = 'refunded' where player_id = v_player and billing_no = v_billing and state = 'queued';
      -- A call may be in flight: then the delivery finishes and the order shows both.
      update orders set refunded_at = now(), state = 'refunded' where player_id = v_player and billing_no = v_billing;
    end if;

  elsif v_status = 'chargeback' then
    v_outcome := 'chargeback';
    update orders set state = case when state in ('paid', 'delivering') then 'review' else state end, review_reason = 'chargeback'
      where player_id = v_player and billing_no = v_billing;
  end if;

  if p ->> 'dedup_key' is not null then
    update callback_inbox set state = case when v_outcome in ('noted', 'duplicate') then 'ignored' else 'applied' end, outcome = v_outcome,
        player_id = v_player, billing_no = v_billing, applied_at = now(), next_try_at = null
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
  end if;
  if v_wake and (p ->> 'notify')::boolean then perform pg_notify('refill_delivery', v_order.game_id); end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', v_player, 'billing_no', v_billing, 'attempt_no', v_attempt_no, 'game_id', v_order.game_id);
end $$;

-- Takes due deliveries for a lease, at most `p_limit`, none of the games in `p_busy`. What is returned is committed as "about to call".
create function claim_deliveries(p_limit integer, p_lease interval, p_busy text[]) returns table (
  player_id uuid, billing_no text, game_id text, mode text, tries integer, client_id text, suid text, server_id text, area_id text, role_id text,
  product_id text, product jsonb, amount_minor bigint, currency text
) language sql as $$
  with due as (
    -- Both rows are taken without waiting, so that a late answer to an old call can not meet us crosswise.
    select d.player_id, d.billing_no from delivery d join orders o on o.player_id = d.player_id and o.billing_no = d.billing_no
    where d.state in ('queued', 'calling', 'unknown') and d.next_at <= now() and d.game_id <> all (p_busy)
    order by d.next_at limit p_limit for update of d, o skip locked
  ), claimed as (
    update delivery d set state = 'calling', tries = d.tries + 1, next_at = now() + p_lease
    from due where d.player_id = due.player_id and d.billing_no = due.billing_no
    returning d.player_id, d.billing_no, d.game_id, d.mode, d.tries
  ), moved as (
    update orders o set state = 'delivering', delivering_at = coalesce(o.delivering_at, now())
    from claimed c where o.player_id = c.player_id and o.billing_no = c.billing_no and o.state = 'paid'
  )
  select c.player_id, c.billing_no, c.game_id, c.mode, c.tries, o.client_id, o.suid, o.server_id, o.area_id, o.role_id, o.product_id, o.product, o.amount_minor, o.currency
  from claimed c join orders o on o.player_id = c.player_id and o.billing_no = c.billing_no
$$;

-- Closes a batch of calls: [{player_id, billing_no, tries, kind: done|declined|unknown, receipt_id, reason, retry_in_seconds}].
-- `done` is true whoever says it; the others only count for the call that was last.
create function finish_deliveries(p jsonb) returns integer language plpgsql as $$
declare
  r record;
  v_delivery delivery;
  v_order orders;
  v_attempt_no integer;
  v_closed integer := 0;
begin
  for r in select * from jsonb_to_recordset(p) as x(player_id uuid, billing_no text, tries integer, kind text, receipt_id text, reason text, retry_in_seconds double precision)
    order by x.player_id, x.billing_no
  loop
    select * into v_order from orders where player_id = r.player_id and billing_no = r.billing_no for update;
    if r.kind = 'done' then
      update delivery set state = 'done', done_at = now(), receipt_id = r.receipt_id, last_error = null
        where player_id = r.player_id and billing_no = r.billing_no and state <> 'done' returning * into v_delivery;
      continue when not found;
      update orders set state = case when state in ('paid', 'delivering', 'review') then 'delivered' else state end, delivered_at = now(), closed_at = now()
        where player_id = r.player_id and billing_no = r.billing_no;
      select attempt_no into v_attempt_no from payment_attempt where player_id = r.player_id and billing_no = r.billing_no and state = 'succeeded';
      if v_order.refunded_at is null then
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
          (r.player_id, r.billing_no, 'delivered', v_attempt_no, 'goods_owed', v_order.amount_minor, v_order.currency),
          (r.player_id, r.billing_no, 'delivered', v_attempt_no, 'revenue', -v_order.amount_minor, v_order.currency);
      end if;
      update reservation set state = 'used' where player_id = r.player_id and billing_no = r.billing_no and state = 'held';
      v_closed := v_closed + 1;
    elsif r.kind = 'declined' then
      update delivery set state = 'rejected', last_error = r.reason where player_id = r.player_id and billing_no = r.billing_no and state = 'calling' and tries = r.tries;
      if found then
        update orders set state = 'review', review_reason = 'game_declined: ' || r.reason where player_id = r.player_id and billing_no = r.billing_no and state in ('paid', 'delivering');
      end if;
    else
      update delivery set state = case when r.retry_in_seconds is null then 'dead' else 'unknown' end, last_error = r.reason,
          next_at = now() + make_interval(secs => coalesce(r.retry_in_seconds, 0))
        where player_id = r.player_id and billing_no = r.billing_no and state = 'calling' and tries = r.tries;
      if found and r.retry_in_seconds is null then
        update orders set state = 'review', review_reason = 'delivery_gave_up: ' || r.reason where player_id = r.player_id and billing_no = r.billing_no and state in ('paid', 'delivering');
      end if;
    end if;
  end loop;
  return v_closed;
end $$;
