-- The body of place_order. Everything that an order needs is locked and looked at before anything is taken, so a
-- refusal has nothing to give back. What is counted over a player's orders is counted under the lock of the player,
-- which comes first. Lock order: player, failed attempts of cards, limit, first-purchase bonus, offer, stock,
-- coupon, promo code, make-up payment, card, balance, order, attempt, ledger.
create or replace function make_order(
  p_player_id uuid, p_billing_no text, p_idempotency_key text, p_sold jsonb, p_amount_minor bigint, p_currency text,
  p_provider text, p_channel_key text, p_channel_name jsonb, p_channel_id text, p_expires_in interval,
  p_payable_for interval, p_time_zone text, p_limit jsonb, p_has_stock boolean, p_coupon jsonb, p_tender jsonb,
  p_must_be_new boolean, p_must_notify boolean, p_max_per_minute integer, p_max_open integer
) returns jsonb language plpgsql as $$
declare
  v_account_id uuid;
  v_server_name text;
  v_role_name text;
  v_open_count integer;
  v_recent_count integer;
  v_open_billing_no text;
  v_tender jsonb := p_tender;
  v_reserved jsonb;
  v_amount_minor bigint;
  v_replenish text;
  v_rules jsonb := nullif(p_sold -> 'payer_rules', 'null'::jsonb);
  v_kept_rules constant jsonb := kept_payer_rules(v_rules);
  v_refusal jsonb;
  v_stale_count integer;
  v_since constant text := billing_no_at(now() - interval '1 day');
  v_until constant text := billing_no_at(now() + interval '1 day');
begin
  select coalesce(game_account_id, player_id) into v_account_id from player
    where player_id = p_player_id and erased_at is null for no key update;
  if not found then raise exception 'there is no player %', p_player_id; end if;
  v_refusal := jsonb_build_object('outcome', payer_refusal(p_player_id, p_sold ->> 'brand_key', v_rules));
  if v_refusal ->> 'outcome' is not null then return v_refusal; end if;
  if not is_price_in_force(p_sold -> 'price_holds') then return jsonb_build_object('outcome', 'price_changed'); end if;

  select coalesce(r.server_name, ''), coalesce(r.name, ''),
      (select count(*) from unpaid_order u where u.player_id = p_player_id),
      -- Of the partitions of today alone: a number is as old as its order, but for the clocks.
      (select count(*) from (select created_at from orders o
          where o.player_id = p_player_id and o.billing_no between v_since and v_until
          order by o.billing_no desc limit p_max_per_minute) o
        where o.created_at > now() - interval '1 minute')
    into v_server_name, v_role_name, v_open_count, v_recent_count
    from (values (p_sold ->> 'replenish_id')) as s(replenish_id) left join player_role r
      on r.player_id = p_player_id and r.client_id = p_sold ->> 'client_id' and r.server_id = p_sold ->> 'server_id'
        and r.area_id = p_sold ->> 'area_id' and r.role_id = p_sold ->> 'role_id'
        and r.seen_at > now() - interval '7 days'
    -- A make-up payment is for the account: no character receives it.
    where r.player_id is not null or s.replenish_id is not null;
  if not found then return jsonb_build_object('outcome', 'role_unknown'); end if;

  if v_tender ->> 'kind' = 'card' then
    v_tender := v_tender || check_card(
      p_player_id => p_player_id, p_brand_key => p_sold ->> 'brand_key', p_purpose => v_tender ->> 'purpose',
      p_card_id => v_tender ->> 'card_id', p_card_key => v_tender ->> 'card_key',
      p_password_hmac => decode(v_tender ->> 'password_hmac', 'hex'), p_network => v_tender ->> 'network',
      p_game_id => p_sold ->> 'game_id', p_channel => v_tender ->> 'channel');
    if v_tender ->> 'outcome' <> 'ok' then
      return jsonb_build_object('outcome', 'card_refused', 'reason', v_tender ->> 'reason');
    end if;
  end if;

  if v_open_count > 0 then
    -- A hand that moved an order past the functions (update orders set state = ...) left its row here: whoever has
    -- one could not buy the product again.
    delete from unpaid_order u where u.player_id = p_player_id and not exists (select from orders o
      where o.player_id = p_player_id and o.billing_no = u.billing_no and o.is_unpaid);
    get diagnostics v_stale_count = row_count;
    v_open_count := v_open_count - v_stale_count;
    select billing_no into v_open_billing_no from unpaid_order
      where player_id = p_player_id and client_id = p_sold ->> 'client_id' and server_id = p_sold ->> 'server_id'
        and area_id = p_sold ->> 'area_id' and role_id = p_sold ->> 'role_id' and product_id = p_sold ->> 'product_id';
    if found then
      return add_attempt(p_player_id, v_open_billing_no, p_idempotency_key, p_amount_minor, p_currency,
        p_coupon ->> 'code', p_sold #>> '{promo,code}', p_provider, p_channel_key, p_channel_name, p_channel_id,
        coalesce(p_sold ->> 'method', ''), p_expires_in, p_payable_for, v_rules, v_tender, p_must_be_new,
        p_must_notify);
    end if;
  end if;
  if v_recent_count >= p_max_per_minute then return jsonb_build_object('outcome', 'too_fast'); end if;
  if v_open_count >= p_max_open then
    -- An order whose provider cannot close its page stays open for hours; past its own time it counts no more.
    select count(*) into v_open_count from unpaid_order u join orders o
      on o.player_id = p_player_id and o.billing_no = u.billing_no
      where u.player_id = p_player_id and o.expires_at > now();
    if v_open_count >= p_max_open then return jsonb_build_object('outcome', 'too_many_orders'); end if;
  end if;

  if p_sold ->> 'replenish_id' is not null then
    v_replenish := look_at_replenish(p_player_id, p_sold, p_amount_minor, p_currency, p_limit, p_has_stock, p_coupon);
    if v_replenish <> 'ok' then return jsonb_build_object('outcome', v_replenish); end if;
  end if;
  v_reserved := reserve_goods(p_player_id, v_account_id, p_billing_no, p_sold ->> 'brand_key',
    p_sold ->> 'game_id', p_sold ->> 'product_id', p_amount_minor, p_currency, p_time_zone, p_limit, p_has_stock,
    p_coupon, v_tender, nullif(p_sold -> 'promo', 'null'::jsonb),
    nullif(p_sold -> 'first_bonus', 'null'::jsonb), v_rules);
  if v_reserved ->> 'outcome' <> 'reserved' then return v_reserved; end if;
  v_amount_minor := (v_reserved ->> 'amount_minor')::bigint;
  if v_replenish is not null then perform take_replenish(p_player_id, p_billing_no, p_sold); end if;

  with made as (
    insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
        area_id, role_id, role_name, suid, username, product, amount_minor, discount_minor, coupon_code, currency,
        region, country, language, state, expires_at, origin, payer_rules, accepted, points, promo_code, creator,
        share_minor, replenish_id)
      values (p_player_id, p_billing_no, p_sold ->> 'brand_key', p_sold ->> 'game_id', p_sold ->> 'client_id',
        p_sold ->> 'product_id', p_sold ->> 'server_id', v_server_name, p_sold ->> 'area_id', p_sold ->> 'role_id',
        v_role_name, p_sold ->> 'suid', p_sold ->> 'username',
        sold_product(p_sold, (v_reserved ->> 'has_bonus')::boolean), v_amount_minor, p_amount_minor - v_amount_minor,
        p_coupon ->> 'code', p_currency, p_sold ->> 'region', p_sold ->> 'country', p_sold ->> 'language', 'created',
        now() + p_expires_in, nullif(p_sold -> 'origin', 'null'::jsonb), v_kept_rules,
        nullif(p_sold -> 'accepted', 'null'::jsonb),
        -- Of what is to pay, rounded down as pointsFor (pricing/rules.ts) does; no rate, no points.
        div(v_amount_minor * (p_sold -> 'points_rate' ->> 'points')::numeric,
          (p_sold -> 'points_rate' ->> 'per_minor')::numeric)::bigint,
        p_sold #>> '{promo,code}', p_sold #>> '{promo,creator}',
        -- Basis points of what is to pay, rounded down.
        div(v_amount_minor * (p_sold #>> '{promo,share_bp}')::numeric, 10000)::bigint, p_sold ->> 'replenish_id')
  ), unpaid as (
    -- The second one of a character for a product is refused by its key.
    insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
      values (p_player_id, p_sold ->> 'client_id', p_sold ->> 'server_id', p_sold ->> 'area_id', p_sold ->> 'role_id',
        p_sold ->> 'product_id', p_billing_no)
  ), known as (
    insert into order_lookup (billing_no, player_id) values (p_billing_no, p_player_id)
  ), noted as (
    insert into player_change (player_id) values (p_player_id)
  ), sent as (
    insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
        method, amount_minor, currency, state, payable_until, next_query_at)
      values (p_player_id, p_billing_no, 1, p_provider, p_channel_key, p_channel_name, p_channel_id,
        coalesce(p_sold ->> 'method', ''), v_amount_minor, p_currency, 'sent',
        now() + p_payable_for, now() + interval '30 seconds')
  )
  update idempotency set billing_no = p_billing_no, attempt_no = 1
    where player_id = p_player_id and key = p_idempotency_key;
  if v_tender is not null then
    return capture_internal_tender(p_player_id, p_billing_no, 1, p_idempotency_key, p_provider, v_amount_minor,
      p_currency, v_tender, p_must_notify);
  end if;
  return jsonb_build_object('outcome', 'placed', 'billing_no', p_billing_no, 'attempt_no', 1,
    'amount_minor', v_amount_minor, 'server_name', v_server_name, 'role_name', v_role_name);
end $$;
