-- For money that came late. A coupon is had again when it is free, also after its last day: the price was agreed while it was good.
create or replace function reserve_again(p_player uuid, p_billing text) returns boolean language plpgsql as $$
declare r record;
begin
  for r in select * from reservation where player_id = p_player and billing_no = p_billing and state = 'released'
    order by array_position(array['limit', 'stock', 'coupon'], kind)
  loop
    if r.kind = 'limit' then
      update limit_counter set used = used + 1 where player_id = p_player and game_id = r.game_id and product_id = r.product_id
        and subject = r.subject and period = r.period and used < cap;
    elsif r.kind = 'stock' then
      update product_stock set used = used + 1 where game_id = r.game_id and product_id = r.product_id and used < total;
    else
      update coupon set state = 'taken', billing_no = p_billing, taken_at = now() where player_id = p_player and code = r.subject and state = 'free';
    end if;
    if not found then
      perform release_reservations(p_player, p_billing);
      return false;
    end if;
    update reservation set state = 'held' where player_id = p_player and billing_no = p_billing and kind = r.kind;
  end loop;
  return true;
end $$;
