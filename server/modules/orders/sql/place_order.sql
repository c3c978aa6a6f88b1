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
    v_card := check_card(
      p_player_id => v_player, p_brand_key => p ->> 'brand_key', p_mode => p ->> 'mode', p_purpose => v_in_place ->> 'purpose',
      p_card_id => v_in_place ->> 'card_id', p_card_key => v_in_place ->> 'card_key',
      p_password_hmac => decode(v_in_place ->> 'password_hmac', 'hex'), p_network => v_in_place ->> 'network',
      p_game_id => p ->> 'game_id', p_channel => v_in_place ->> 'channel');
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
