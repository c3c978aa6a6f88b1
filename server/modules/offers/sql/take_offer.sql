-- Makes the row of an offer of the files for an order that is about to ask for it, and the counter of its run;
-- place_order takes both.
-- p_offer: one of open_offers. False: it is not open for this player under this code.
create or replace function take_offer(p_player_id uuid, p_brand_key text, p_offer jsonb, p_code text) returns boolean
language plpgsql as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_row coupon;
begin
  if num_nulls(p_player_id, p_brand_key, p_offer, p_code) > 0 then
    raise exception 'take_offer: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('take_offer, offer', p_offer,
    array['run', 'times', 'game_id', 'product_id', 'name', 'prices', 'valid_from', 'valid_end']);
  select * into v_row from open_offers(p_player_id, p_brand_key, jsonb_build_array(p_offer)) o where o.code = p_code;
  if not found then return false; end if;
  insert into coupon select v_row.*
    on conflict (player_id, code) do update set name = excluded.name, prices = excluded.prices,
      products = excluded.products, valid_from = excluded.valid_from, valid_end = excluded.valid_end
      where coupon.state = 'free';
  insert into limit_counter as c (account_id, game_id, product_id, subject, period, used, cap)
    values (v_account_id, '', p_offer ->> 'run', 'offer', 'ever', 0, (p_offer ->> 'times')::integer)
    on conflict (account_id, game_id, product_id, subject, period) do update set cap = greatest(excluded.cap, c.used);
  insert into player_change (player_id) values (p_player_id);
  return true;
end $$;
