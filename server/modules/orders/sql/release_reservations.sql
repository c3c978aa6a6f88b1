-- Releases everything that an order holds. The caller has locked it (lock_reservations).
create or replace function release_reservations(p_player_id uuid, p_billing_no text) returns void language plpgsql as $$
declare
  r record;
  v_is_paid boolean;
begin
  insert into player_change (player_id) values (p_player_id);
  for r in update reservation set state = 'released'
    where player_id = p_player_id and billing_no = p_billing_no and state = 'held' returning *
  loop
    if r.kind in ('limit', 'bonus', 'offer') then
      update limit_counter set used = used - 1
        where account_id = r.account_id and game_id = r.game_id and product_id = r.product_id
          and subject = r.subject and period = r.period;
      if r.account_id <> p_player_id then insert into player_change (player_id) values (r.account_id); end if;
    elsif r.kind = 'stock' then
      update product_stock set used = used - 1 where game_id = r.game_id and product_id = r.product_id;
    elsif r.kind = 'code' then
      perform count_promo_use(p_player_id, p_billing_no, r.subject, -1);
    elsif r.kind = 'replenish' then
      -- Unpaid, it may be paid by another order. Paid once, it stays with its order: what the game was told under its
      -- number must not be told again for another one.
      v_is_paid := exists (select from orders o
        where o.player_id = p_player_id and o.billing_no = p_billing_no and o.paid_at is not null);
      update replenish set state = 'open', billing_no = null
        where replenish_id = r.subject and billing_no = p_billing_no and not v_is_paid;
    else
      update coupon set state = 'free', billing_no = null, taken_at = null
        where player_id = p_player_id and code = r.subject and billing_no = p_billing_no;
    end if;
  end loop;
end $$;
