create or replace function release_reservations(p_player uuid, p_billing text) returns void language plpgsql as $$
declare r record;
begin
  for r in update reservation set state = 'released'
    where player_id = p_player and billing_no = p_billing and state = 'held' returning *
  loop
    if r.kind = 'limit' then
      update limit_counter set used = used - 1
        where player_id = p_player and game_id = r.game_id and product_id = r.product_id and subject = r.subject and period = r.period;
    elsif r.kind = 'stock' then
      update product_stock set used = used - 1 where game_id = r.game_id and product_id = r.product_id;
    else
      update coupon set state = 'free', billing_no = null, taken_at = null where player_id = p_player and code = r.subject and billing_no = p_billing;
    end if;
  end loop;
end $$;
