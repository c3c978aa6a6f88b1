-- The offers of files that are open for one player at this moment, as the rows of coupon that they are or would be: a
-- row comes into being when an order asks for it (take_offer). p_offers: a list of {run, times, game_id, product_id,
-- name, prices (minor units by currency), valid_from, valid_end, after}; `after` is null, or {products (empty: any),
-- minutes}: open for so long once an order of one of these was delivered. Of `times` rows a run, the first that is
-- free, or that an unpaid order holds. How often a run was taken is counted by account (account_of).
-- No plan may read the rows of all players: both tables are looked up by the player.
create or replace function open_offers(p_player_id uuid, p_brand_key text, p_offers jsonb) returns setof coupon
language plpgsql stable set enable_seqscan = off as $$
declare
  x record;
  v_account_id constant uuid := account_of(p_player_id);
  v_used integer;
  v_carried integer;
  v_row coupon;
  v_from timestamptz;
  v_end timestamptz;
begin
  for x in select * from jsonb_to_recordset(p_offers) as o(run text, times integer, game_id text, product_id text,
      name jsonb, prices jsonb, valid_from timestamptz, valid_end timestamptz, after jsonb)
  loop
    v_from := x.valid_from;
    v_end := x.valid_end;
    if x.after is not null then
      select max(o.delivered_at) into v_from from orders o
        where o.player_id = p_player_id and o.brand_key = p_brand_key and o.game_id = x.game_id
          and o.state = 'delivered' and o.delivered_at >= x.valid_from
          and (jsonb_array_length(x.after -> 'products') = 0 or x.after -> 'products' ? o.product_id)
          -- An order bought by the offer does not open it again.
          and (o.coupon_code is null or not starts_with(o.coupon_code, 'offer:' || x.run || ':'));
      v_end := least(v_end, v_from + make_interval(mins => (x.after ->> 'minutes')::integer));
    end if;
    continue when v_from is null or v_from > now() or v_end <= now();
    -- As often as it was had before an account's person was erased, it is not to be had again.
    v_carried := uses_before(v_account_id, '', x.run, 'offer', 'ever');
    select used into v_used from limit_counter where account_id = v_account_id and game_id = '' and product_id = x.run
      and subject = 'offer' and period = 'ever';
    for n in 1 + v_carried .. x.times loop
      select * into v_row from coupon where player_id = p_player_id and code = 'offer:' || x.run || ':' || n;
      continue when found and v_row.state <> 'free' and not exists (select from orders o
        where o.player_id = p_player_id and o.billing_no = v_row.billing_no and o.is_unpaid);
      if v_row.state is distinct from 'taken' then
        -- Another player of the account, at another brand, has taken what is left.
        exit when coalesce(v_used, 0) + v_carried >= x.times;
        -- As the files say now, also where an order had it before and gave it back.
        v_row := jsonb_populate_record(null::coupon, jsonb_build_object('player_id', p_player_id,
          'code', 'offer:' || x.run || ':' || n, 'brand_key', p_brand_key, 'name', x.name, 'prices', x.prices,
          'min_spend', '{}'::jsonb, 'games', jsonb_build_array(x.game_id),
          'products', jsonb_build_array(x.product_id), 'valid_from', v_from, 'valid_end', v_end, 'state', 'free',
          'source', 'file ' || x.run, 'created_at', now()));
      end if;
      return next v_row;
      exit;
    end loop;
  end loop;
end $$;
