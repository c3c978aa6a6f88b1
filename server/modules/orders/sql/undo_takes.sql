-- Gives back what a call of place_order had taken before it found that there will be no order.
create or replace function undo_takes(p jsonb, p_period text, p_has_stock boolean, p_coupon text) returns void language plpgsql as $$
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
