-- Same outcome as db31f0c3cf005cc5093e18de46029bb3a8bac2b1a89b1d6e1962fd98350e5d62
-- (its text did not run on PostgreSQL 15 and 16).

-- The money path, lighter by a twelfth of what it cost the database: the same rows and answers, with less to set up for each.
--
-- PostgreSQL reads the text of every check and every generated column anew for each statement that writes their table, and a list of texts is
-- long to read: one constant of an array says the same. And a statement of many steps sets all of them up, also those that hardly any order needs.

do $$
declare
  c record;
  v_parts text[];
begin
  for c in
    select conrelid::regclass as held_by, conname, pg_get_constraintdef(oid) as text from pg_constraint
    where contype = 'c' and conrelid = any (array['orders', 'payment_attempt', 'delivery', 'ledger_entry', 'callback_inbox', 'reservation']::regclass[])
  loop
    v_parts := regexp_match(c.text, '^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$');
    continue when v_parts is null;
    execute format('alter table %s drop constraint %I, add constraint %I check (%I = any (%L::text[]))', c.held_by, c.conname, c.conname, v_parts[1],
      '{' || replace(replace(v_parts[2], '::text', ''), '''', '') || '}');
  end loop;
end $$;

-- PostgreSQL 15 and 16 can not say a column anew; there it stays as it is, means the same and takes a little longer.
do $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    execute $sql$
      alter table orders
        alter column is_unpaid set expression as (state = any ('{created,pending}'::text[])),
        alter column needs_person set expression as (state = any ('{review,refund_due}'::text[]))
    $sql$;
    execute $sql$ alter table payment_attempt alter column is_open set expression as (state = any ('{sent,redirected,unknown}'::text[])) $sql$;
  end if;
end $$;

-- As before; what only some orders reserve is written only for them.
create or replace function place_order(p jsonb) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
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
  v_in_place jsonb := nullif(p -> 'in_place', 'null');
  v_card jsonb;
  v_taken text;
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
      (select count(*) from orders o where o.player_id = v_player and o.is_unpaid),
      (select count(*) from (select created_at from orders o where o.player_id = v_player order by o.billing_no desc limit (p ->> 'max_per_minute')::integer) o
        where o.created_at > now() - interval '1 minute')
    into v_server_name, v_role_name, v_open_count, v_recent
    from player_role r where r.player_id = v_player and r.client_id = p ->> 'client_id' and r.server_id = p ->> 'server_id'
      and r.area_id = p ->> 'area_id' and r.role_id = p ->> 'role_id' and r.seen_at > now() - interval '7 days';
  if not found then
    delete from idempotency where player_id = v_player and key = v_key;
    return jsonb_build_object('outcome', 'role_unknown');
  end if;

  if v_in_place ->> 'kind' = 'card' then
    v_card := check_card(v_in_place || jsonb_build_object('player_id', v_player, 'brand_key', p ->> 'brand_key', 'mode', p ->> 'mode', 'game_id', p ->> 'game_id'));
    if v_card ->> 'outcome' <> 'ok' then
      delete from idempotency where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'card_refused', 'reason', v_card ->> 'reason');
    end if;
    v_in_place := v_in_place || v_card;
  end if;

  for round in 1 .. 3 loop
    v_open := null;
    if v_open_count > 0 or round > 1 then
      -- What is paid in place takes its means first and the order then, as everywhere; others may take the order at once.
      if v_in_place is null then
        select * into v_open from orders where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
          and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and product_id = p ->> 'product_id' and is_unpaid for update;
      else
        select * into v_open from orders where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
          and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and product_id = p ->> 'product_id' and is_unpaid;
      end if;
    end if;
    if v_open.billing_no is not null then
      select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      if (v_attempt.channel_key = p ->> 'channel_key' and v_attempt.state in ('sent', 'redirected', 'unknown')) or v_open.amount_minor + v_open.discount_minor <> v_list or v_open.currency <> p ->> 'currency'
         or v_open.coupon_code is distinct from v_code or v_open.current_attempt >= 20 or (p ->> 'is_alone')::boolean then
        update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt,
          answer = jsonb_build_object('code', 'repeatOrder', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''))
          where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
      end if;
      if v_in_place is not null then
        v_taken := take_in_place(v_in_place, v_player, v_open.billing_no, v_open.current_attempt + 1, v_open.amount_minor, v_open.currency);
        if v_taken <> 'taken' then
          delete from idempotency where player_id = v_player and key = v_key;
          return jsonb_build_object('outcome', v_taken);
        end if;
        perform 1 from orders where player_id = v_player and billing_no = v_open.billing_no and is_unpaid
          and current_attempt = v_open.current_attempt for update;
        if not found then
          perform undo_in_place(v_in_place, v_open.billing_no);
          continue;
        end if;
      end if;
      -- Another way to pay for the same order: a new attempt; the old one may still bring money and stays watched.
      update payment_attempt set is_replaced = true where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      update orders set current_attempt = current_attempt + 1, expires_at = greatest(expires_at, now() + (p ->> 'expires_in')::interval)
        where player_id = v_player and billing_no = v_open.billing_no returning * into v_open;
      perform insert_attempt(p || jsonb_build_object('amount_minor', v_open.amount_minor), v_player, v_open.billing_no, v_open.current_attempt);
      update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt where player_id = v_player and key = v_key;
      if v_in_place is not null then return pay_in_place(p, v_in_place, v_open.billing_no, v_open.current_attempt, v_open.amount_minor); end if;
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
    if v_in_place is not null then
      v_taken := take_in_place(v_in_place, v_player, v_billing, 1, v_amount, p ->> 'currency');
      if v_taken <> 'taken' then
        perform undo_takes(p, v_period, v_has_stock, v_code);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', v_taken);
      end if;
    end if;

    with made as (
      insert into orders (player_id, billing_no, brand_key, mode, game_id, client_id, product_id, server_id, server_name, area_id, role_id, role_name,
        suid, username, product, amount_minor, discount_minor, coupon_code, currency, region, country, language, state, expires_at)
        values (v_player, v_billing, p ->> 'brand_key', p ->> 'mode', p ->> 'game_id', p ->> 'client_id', p ->> 'product_id', p ->> 'server_id',
          v_server_name, p ->> 'area_id', p ->> 'role_id', v_role_name, p ->> 'suid', p ->> 'username', p -> 'product',
          v_amount, v_list - v_amount, v_code, p ->> 'currency', p ->> 'region', p ->> 'country', p ->> 'language', 'created', now() + (p ->> 'expires_in')::interval)
        on conflict (player_id, client_id, server_id, area_id, role_id, product_id) where is_unpaid do nothing
        returning player_id, billing_no
    ), known as (
      insert into order_lookup (billing_no, player_id) select billing_no, player_id from made
    ), sent as (
      insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id, amount_minor, currency, state, payable_until, next_query_at)
        select player_id, billing_no, 1, p ->> 'provider', p ->> 'channel_key', p -> 'channel_name', p ->> 'channel_id', v_amount,
          p ->> 'currency', 'sent', now() + (p ->> 'payable_for')::interval, now() + interval '30 seconds' from made
    ), keyed as (
      update idempotency i set billing_no = made.billing_no, attempt_no = 1 from made where i.player_id = v_player and i.key = v_key
    )
    select count(*) into v_made from made;
    if v_made = 1 then
      -- Most products have no limit, no stock and no coupon.
      if v_period is not null then
        insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap)
          values (v_player, v_billing, 'limit', p ->> 'game_id', p ->> 'product_id', v_subject, v_period, (v_limit ->> 'times')::integer);
      end if;
      if v_has_stock then
        insert into reservation (player_id, billing_no, kind, game_id, product_id) values (v_player, v_billing, 'stock', p ->> 'game_id', p ->> 'product_id');
      end if;
      if v_code is not null then
        insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
          values (v_player, v_billing, 'coupon', p ->> 'game_id', p ->> 'product_id', v_code);
      end if;
      if v_in_place is not null then return pay_in_place(p, v_in_place, v_billing, 1, v_amount); end if;
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_billing, 'attempt_no', 1, 'amount_minor', v_amount, 'server_name', v_server_name, 'role_name', v_role_name);
    end if;
    -- A twin was faster: give back what this call took and answer with the winner.
    perform undo_takes(p, v_period, v_has_stock, v_code);
    if v_in_place is not null then perform undo_in_place(v_in_place, v_billing); end if;
  end loop;
  delete from idempotency where player_id = v_player and key = v_key;
  return jsonb_build_object('outcome', 'running');
end $$;

-- As before, but only the payment that paid the order stops its goods. What came on top has nothing to do with the delivery: who holds the order
-- for it must not wait for the delivery, whose end waits for the order.
create or replace function request_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform 1 from delivery d where d.player_id = p_player and d.billing_no = p_billing and exists (select from payment_attempt a
    where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded') for update of d;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state = 'succeeded' then
    v_amount := v_attempt.amount_minor;
    v_currency := v_attempt.currency;
  else
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
  end if;
  if v_amount is null or exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt
      and kind in ('refunded', 'surplus_refunded', 'chargeback')) then
    return 'nothing_to_refund';
  end if;
  insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
    values (p_player, p_billing, p_attempt, p_reason, p_by, v_amount, v_currency) on conflict do nothing;
  if not found then return 'exists'; end if;
  -- Nothing may be delivered for money that is on its way back.
  update orders set state = 'refund_due' where player_id = p_player and billing_no = p_billing and state = 'review' and v_attempt.state <> 'surplus';
  if v_attempt.state = 'succeeded' then perform stop_delivery(p_player, p_billing, 'refund requested'); end if;
  return 'due';
end $$;

-- As before, with a question less for every payment. Look and lock stay two steps: a condition beside "for update" that no longer holds after
-- waiting drops the row and keeps its lock.
create or replace function apply_report(p jsonb) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_provider text := p ->> 'provider';
  v_status text := p ->> 'status';
  v_key text := p ->> 'dedup_key';
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
  v_is_booked boolean := false;
begin
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
    if v_key is null then return jsonb_build_object('outcome', 'unknown_order'); end if;
    insert into callback_inbox as c (provider, dedup_key, mode, reference, report, headers, body, tries, outcome, next_try_at)
      values (v_provider, v_key, p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', 1, 'unknown_order', now() + interval '2 seconds')
      on conflict (provider, dedup_key) do update set tries = c.tries + 1, next_try_at = now() + make_interval(secs => least(3600, 2 * power(2, c.tries))),
        state = case when c.received_at < now() - interval '24 hours' then 'dead' else 'stored' end, outcome = 'unknown_order'
      where c.state = 'stored' returning c.state into v_inbox;
    if v_inbox is null then return jsonb_build_object('outcome', 'duplicate'); end if;
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
  -- All events of an order pass here one after another, so whether this one was heard before is certain now.
  if v_key is not null then
    select state into v_inbox from callback_inbox where provider = v_provider and dedup_key = v_key;
    if v_inbox <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
  end if;

  if v_status = 'paid' then
    if v_attempt.state = 'mismatch' then
      select true into v_is_booked from ledger_entry where player_id = v_player and billing_no = v_billing and kind = 'surplus' and attempt_no = v_attempt_no limit 1;
    end if;
    if v_attempt.state in ('succeeded', 'surplus') or v_is_booked then
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
        insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, state, outcome, player_id, billing_no, applied_at, next_try_at)
          select v_provider, v_key, p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', 'applied', v_outcome, v_player, v_billing, now(), null
          where v_key is not null
          on conflict (provider, dedup_key) do update set state = excluded.state, outcome = excluded.outcome, player_id = excluded.player_id,
            billing_no = excluded.billing_no, applied_at = now(), next_try_at = null
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

  if v_key is not null and not v_is_heard then
    insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, state, outcome, player_id, billing_no, applied_at, next_try_at)
      values (v_provider, v_key, p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body',
        case when v_outcome in ('noted', 'duplicate') then 'ignored' else 'applied' end, v_outcome, v_player, v_billing, now(), null)
      on conflict (provider, dedup_key) do update set state = excluded.state, outcome = excluded.outcome, player_id = excluded.player_id,
        billing_no = excluded.billing_no, applied_at = now(), next_try_at = null;
  end if;
  if v_wake and (p ->> 'notify')::boolean then perform pg_notify('refill_delivery', v_order.game_id); end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', v_player, 'billing_no', v_billing, 'attempt_no', v_attempt_no, 'game_id', v_order.game_id);
end $$;

-- As before; what did not succeed is a statement of its own.
create or replace function finish_deliveries(p jsonb) returns integer language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare v_closed integer;
begin
  -- In one order, so that two batches which share a late answer can not meet crosswise.
  if jsonb_array_length(p) > 1 then
    perform 1 from delivery d join jsonb_to_recordset(p) as r(player_id uuid, billing_no text) on d.player_id = r.player_id and d.billing_no = r.billing_no
      order by d.player_id, d.billing_no for update of d;
  end if;

  with told as (
    select * from jsonb_to_recordset(p) as x(player_id uuid, billing_no text, kind text, receipt_id text)
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
  )
  select count(*) into v_closed from done;
  -- What the game refused or did not answer is rare, and all that follows from it.
  if p @? '$[*] ? (@.kind != "done")' then
    with told as (
      select * from jsonb_to_recordset(p) as x(player_id uuid, billing_no text, tries integer, kind text, reason text, retry_in_seconds double precision)
    ), stopped as (
      update delivery d set
          state = case when t.kind = 'declined' then 'rejected' when t.retry_in_seconds is null then 'dead' else 'unknown' end,
          last_error = t.reason,
          next_at = case when t.kind = 'unknown' then now() + make_interval(secs => coalesce(t.retry_in_seconds, 0)) else d.next_at end
      from told t where t.kind <> 'done' and d.player_id = t.player_id and d.billing_no = t.billing_no and d.state = 'calling' and d.tries = t.tries
      returning d.player_id, d.billing_no, d.state, t.reason
    )
    update orders o set state = 'review', review_reason = case when s.state = 'rejected' then 'game_declined: ' else 'delivery_gave_up: ' end || s.reason
    from stopped s where s.state in ('rejected', 'dead') and o.player_id = s.player_id and o.billing_no = s.billing_no and o.state in ('paid', 'delivering');
  end if;
  return v_closed;
end $$;
