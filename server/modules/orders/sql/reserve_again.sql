-- For money that came late: takes again what was released, all or nothing, within the caps of the player. A coupon is
-- had again when it is free, also after its last day, for the price was agreed while it was good; so is a promo code.
-- The first-purchase bonus was agreed as well: where another order has had it since, there is no goods for this money.
-- The caller has locked the player, then it (lock_reservations).
create or replace function reserve_again(p_player_id uuid, p_billing_no text) returns boolean language plpgsql as $$
declare
  r record;
  v_order orders;
  v_carried bigint;
  v_price jsonb;
  v_is_had boolean;
begin
  -- Whoever was erased has no character that goods could go to: the money goes back.
  if exists (select from player where player_id = p_player_id and erased_at is not null) then return false; end if;
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  if cap_refusal(p_player_id, v_order.payer_rules, v_order.currency, v_order.amount_minor,
      v_order.created_at, p_billing_no) is not null then
    return false;
  end if;
  for r in select * from reservation where player_id = p_player_id and billing_no = p_billing_no and state = 'released'
    order by array_position(array['limit', 'bonus', 'offer', 'stock', 'coupon', 'code', 'replenish'], kind)
  loop
    if r.kind in ('limit', 'bonus', 'offer') then
      v_carried := uses_before(r.account_id, r.game_id, r.product_id, r.subject, r.period);
      update limit_counter set used = used + 1
        where account_id = r.account_id and game_id = r.game_id and product_id = r.product_id
          and subject = r.subject and period = r.period and used + v_carried < cap;
    elsif r.kind = 'stock' then
      update product_stock set used = used + 1 where game_id = r.game_id and product_id = r.product_id and used < total;
    elsif r.kind = 'replenish' then
      -- Also after its last day: the money is here, and the account is still blocked.
      update replenish set state = 'taken', billing_no = p_billing_no
        where replenish_id = r.subject and player_id = p_player_id and state = 'open';
    elsif r.kind = 'coupon' then
      v_price := jsonb_build_object(v_order.currency, v_order.amount_minor);
      -- An offer's row may have got other terms since; this order's are those that the player agreed to.
      update coupon c set state = 'taken', billing_no = p_billing_no, taken_at = now(),
          prices = case when c.prices is not null then v_price end,
          products = case when c.prices is not null then array[v_order.product_id] else c.products end,
          games = case when c.prices is not null then array[v_order.game_id] else c.games end
        where c.player_id = p_player_id and c.code = r.subject and c.state = 'free';
    end if;
    v_is_had := found;
    if v_is_had and r.account_id <> p_player_id then
      insert into player_change (player_id) values (r.account_id);
    end if;
    if r.kind = 'code' then v_is_had := count_promo_use(p_player_id, p_billing_no, r.subject, 1); end if;
    if not v_is_had then
      perform release_reservations(p_player_id, p_billing_no);
      return false;
    end if;
    update reservation set state = 'held' where player_id = p_player_id and billing_no = p_billing_no and kind = r.kind;
  end loop;
  return true;
end $$;
