-- Places the orders of a batch that nothing is counted for but the player's own orders, all in one statement: no limit,
-- stock, coupon, promo code, bonus, card or balance, no rule of the payer that asks for a look, no unpaid order for
-- the same goods, a key that is new. p_orders: a list of place_order's parameters by name. Answers a list as long, with
-- the answer of place_order where an order was placed here, else null: those are its own, whatever the reason. What
-- make_order does for one, at half of its cost (plain.test.ts holds the two together).
-- A key of p_sold that is not known here is a rule that is not known here: then place_order judges.
create or replace function place_plain_orders(p_orders jsonb) returns jsonb[] language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_since constant text := billing_no_at(now() - interval '1 day');
  v_until constant text := billing_no_at(now() + interval '1 day');
  v_answers jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(p_orders)]);
  r record;
begin
  -- By itself: what is counted below has to be seen after the lock.
  perform 1 from (select distinct on (x.player_id) x.player_id
      from jsonb_to_recordset(p_orders) as x(player_id uuid) order by x.player_id) t
    join player p on p.player_id = t.player_id
    order by p.player_id for no key update of p;

  for r in
    with given as (
      -- Of two orders of one player the first; the second counts it.
      select distinct on (x.player_id) x.*, x.sold ->> 'client_id' as client_id, x.sold ->> 'server_id' as server_id,
          x.sold ->> 'area_id' as area_id, x.sold ->> 'role_id' as role_id, x.sold ->> 'product_id' as product_id
        from rows from (jsonb_to_recordset(p_orders) as (player_id uuid, billing_no text, idempotency_key text,
            fingerprint text, sold jsonb, amount_minor bigint, currency text, provider text, channel_key text,
            channel_name jsonb, channel_id text, expires_in interval, payable_for interval, time_zone text,
            "limit" jsonb, has_stock boolean, coupon jsonb, tender jsonb, must_be_new boolean, must_notify boolean,
            max_per_minute integer, max_open integer))
          with ordinality as x(player_id, billing_no, idempotency_key, fingerprint, sold, amount_minor, currency,
            provider, channel_key, channel_name, channel_id, expires_in, payable_for, time_zone, "limit", has_stock,
            coupon, tender, must_be_new, must_notify, max_per_minute, max_open, place)
        where num_nulls(x.player_id, x.billing_no, x.fingerprint, x.sold, x.amount_minor, x.currency, x.provider,
            x.channel_key, x.channel_name, x.channel_id, x.expires_in, x.payable_for, x.time_zone, x.must_be_new,
            x.must_notify, x.max_per_minute, x.max_open) = 0
          and x.idempotency_key is not null and x."limit" is null and not x.has_stock and x.coupon is null
          and x.tender is null
          and (x.sold - '{brand_key,game_id,client_id,product_id,server_id,area_id,role_id,suid,username,product,region,
            country,language,origin,method,points_rate,payer_rules,promo,first_bonus,accepted}'::text[]) = '{}'
          and coalesce(x.sold -> 'promo', 'null') = 'null' and coalesce(x.sold -> 'first_bonus', 'null') = 'null'
          and x.sold #> '{payer_rules,real_name}' = 'false' and x.sold #> '{payer_rules,age_caps}' = 'null'
          and x.sold #>> '{payer_rules,time_zone}' is not null
          and num_nulls(x.sold ->> 'brand_key', x.sold ->> 'game_id', x.sold ->> 'client_id', x.sold ->> 'product_id',
            x.sold ->> 'server_id', x.sold ->> 'area_id', x.sold ->> 'role_id', x.sold ->> 'suid',
            x.sold ->> 'username', x.sold ->> 'product', x.sold ->> 'region', x.sold ->> 'country',
            x.sold ->> 'language') = 0
        order by x.player_id, x.place
    ), free as materialized (
      select t.*, c.server_name, c.name as role_name
        from given t
          join player p on p.player_id = t.player_id and p.erased_at is null
          join player_role c on c.player_id = t.player_id and c.client_id = t.client_id
            and c.server_id = t.server_id and c.area_id = t.area_id and c.role_id = t.role_id
            and c.seen_at > now() - interval '7 days'
          -- Aggregates and limits: each is a look by key, whatever statistics say of the table.
          cross join lateral (select count(*) as open_count, coalesce(bool_or(u.client_id = t.client_id
              and u.server_id = t.server_id and u.area_id = t.area_id and u.role_id = t.role_id
              and u.product_id = t.product_id), false) as has_same
            from unpaid_order u where u.player_id = t.player_id) u
        where u.open_count < t.max_open and not u.has_same
          and (select true from spending_pause s where s.player_id = t.player_id and s.paused_until > now() limit 1)
            is null
          and (select true from spending_cap s where s.player_id = t.player_id limit 1) is null
          and (select true from idempotency i where i.player_id = t.player_id and i.key = t.idempotency_key limit 1)
            is null
          -- Of the partitions of today alone: a number is as old as its order, but for the clocks.
          and (select count(*) from (select created_at from orders o
              where o.player_id = t.player_id and o.billing_no between v_since and v_until
              order by o.billing_no desc limit t.max_per_minute) o
            where o.created_at > now() - interval '1 minute') < t.max_per_minute
    ), keyed as (
      insert into idempotency (player_id, key, fingerprint, billing_no, attempt_no)
        select player_id, idempotency_key, fingerprint, billing_no, 1 from free
    ), unpaid as (
      insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
        select player_id, client_id, server_id, area_id, role_id, product_id, billing_no from free
    ), known as (
      insert into order_lookup (billing_no, player_id) select billing_no, player_id from free
    ), noted as (
      insert into player_change (player_id) select player_id from free
    ), sent as (
      insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
          method, amount_minor, currency, state, payable_until, next_query_at)
        select player_id, billing_no, 1, provider, channel_key, channel_name, channel_id,
          coalesce(sold ->> 'method', ''), amount_minor, currency, 'sent', now() + payable_for,
          now() + interval '30 seconds' from free
    ), made as (
      insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
          area_id, role_id, role_name, suid, username, product, amount_minor, currency, region, country, language,
          state, expires_at, origin, payer_rules, accepted, points)
        select player_id, billing_no, sold ->> 'brand_key', sold ->> 'game_id', client_id, product_id, server_id,
          server_name, area_id, role_id, role_name, sold ->> 'suid', sold ->> 'username', sold -> 'product',
          amount_minor, currency, sold ->> 'region', sold ->> 'country', sold ->> 'language', 'created',
          now() + expires_in, nullif(sold -> 'origin', 'null'::jsonb),
          kept_payer_rules(sold -> 'payer_rules'),
          nullif(sold -> 'accepted', 'null'::jsonb),
          div(amount_minor * (sold #>> '{points_rate,points}')::numeric,
            (sold #>> '{points_rate,per_minor}')::numeric)::bigint
        from free
    )
    select place, billing_no, amount_minor, server_name, role_name from free
  loop
    v_answers[r.place] := jsonb_build_object('outcome', 'placed', 'billing_no', r.billing_no, 'attempt_no', 1,
      'amount_minor', r.amount_minor, 'server_name', r.server_name, 'role_name', r.role_name);
  end loop;
  return v_answers;
end $$;
