-- For money that came late: takes again what was released, all or nothing, within the caps of the player. A coupon is
-- had again when it is free, also after its last day, for the price was agreed while it was good; so is a promo code.
-- The first-purchase bonus was agreed as well: where another order has had it since, there is no goods for this money.
-- The caller has locked the player, then it (lock_reservations).
create or replace function reserve_again(p_player_id uuid, p_billing_no text) returns boolean language plpgsql as $$
declare
  r record;
  v_is_had boolean;
begin
  -- Whoever was erased has no character that goods could go to: the money goes back.
  if exists (select from player where player_id = p_player_id and erased_at is not null) then return false; end if;
  if (select cap_refusal(o.player_id, o.payer_rules, o.currency, o.amount_minor, o.created_at, o.billing_no)
      from orders o where o.player_id = p_player_id and o.billing_no = p_billing_no) is not null then
    return false;
  end if;
  for r in select * from reservation where player_id = p_player_id and billing_no = p_billing_no and state = 'released'
    order by array_position(array['limit', 'bonus', 'stock', 'coupon', 'code', 'replenish'], kind)
  loop
    if r.kind in ('limit', 'bonus') then
      update limit_counter set used = used + 1 where player_id = p_player_id and game_id = r.game_id
        and product_id = r.product_id
        and subject = r.subject and period = r.period
          and used + carried_uses(p_player_id, r.game_id, r.product_id, r.subject, r.period) < cap;
    elsif r.kind = 'stock' then
      update product_stock set used = used + 1 where game_id = r.game_id and product_id = r.product_id and used < total;
    elsif r.kind = 'replenish' then
      -- Also after its last day: the money is here, and the account is still blocked.
      update replenish set state = 'taken', billing_no = p_billing_no
        where replenish_id = r.subject and player_id = p_player_id and state = 'open';
    elsif r.kind = 'coupon' then
      -- An offer's row may have got other terms since; this order's are those that the player agreed to.
      update coupon c set state = 'taken', billing_no = p_billing_no, taken_at = now(),
          prices = case when c.prices is not null then jsonb_build_object(o.currency, o.amount_minor) end,
          products = case when c.prices is not null then array[o.product_id] else c.products end,
          games = case when c.prices is not null then array[o.game_id] else c.games end
        from orders o
        where c.player_id = p_player_id and c.code = r.subject and c.state = 'free'
          and o.player_id = p_player_id and o.billing_no = p_billing_no;
    end if;
    v_is_had := found;
    if r.kind = 'code' then v_is_had := count_promo_use(p_player_id, p_billing_no, r.subject, 1); end if;
    if not v_is_had then
      perform release_reservations(p_player_id, p_billing_no);
      return false;
    end if;
    update reservation set state = 'held' where player_id = p_player_id and billing_no = p_billing_no and kind = r.kind;
  end loop;
  return true;
end $$;
