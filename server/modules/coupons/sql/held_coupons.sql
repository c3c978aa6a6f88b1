-- Every coupon of a player with what became of it. A function, so that what is asked of each row (coupon_price) is not
-- a part of the statement that reads the player's rows.
create or replace function held_coupons(p_player_id uuid) returns table (
  c coupon, is_used boolean, used_at timestamptz
) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query select k, coalesce(r.state = 'used', false), o.delivered_at from coupon k
    left join reservation r
      on r.player_id = p_player_id and r.player_id = k.player_id and r.billing_no = k.billing_no and r.kind = 'coupon'
    left join orders o on o.player_id = p_player_id and o.player_id = k.player_id and o.billing_no = k.billing_no
    where k.player_id = p_player_id;
end $$;
