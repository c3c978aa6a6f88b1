-- Gives a level's coupon to a player who has the points for it now, once in its period. p_coupon: id, type,
-- need_points, days, name, discount_rate, min_spend, games, products. True also when the player has it already.
create or replace function claim_level_coupon(p_player_id uuid, p_brand_key text, p_time_zone text, p_coupon jsonb)
  returns boolean language plpgsql as $$
declare
  v_now record;
begin
  if num_nulls(p_player_id, p_brand_key, p_time_zone, p_coupon) > 0 then
    raise exception 'claim_level_coupon: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('claim_level_coupon, coupon', p_coupon,
    array['id', 'type', 'need_points', 'name', 'discount_rate', 'min_spend', 'games', 'products']);
  select * into v_now from level_coupons(p_player_id, p_time_zone, jsonb_build_array(p_coupon));
  if v_now.state <> 'claimable' then return v_now.state = 'claimed'; end if;
  insert into coupon (player_id, code, brand_key, name, discount_rate, min_spend, games, products, valid_from,
      valid_end, state, source, issue_key, need_points)
    values (p_player_id, v_now.code, p_brand_key, p_coupon -> 'name', (p_coupon ->> 'discount_rate')::numeric,
      p_coupon -> 'min_spend', array(select jsonb_array_elements_text(p_coupon -> 'games')),
      array(select jsonb_array_elements_text(p_coupon -> 'products')), v_now.valid_from, v_now.valid_end,
      'free', 'vip ' || (p_coupon ->> 'id'), v_now.code, (p_coupon ->> 'need_points')::bigint)
    on conflict do nothing;
  insert into player_change (player_id) values (p_player_id);
  return true;
end $$;
