-- Locks what an order has reserved or spent, in the order in which everybody locks: limit, first-purchase bonus, stock,
-- coupon, promo code, make-up payment, card, balance.
create or replace function lock_reservations(p_player_id uuid, p_billing_no text) returns void language plpgsql as $$
begin
  perform 1 from limit_counter c join reservation r on r.player_id = c.player_id and r.game_id = c.game_id
      and r.product_id = c.product_id and r.subject = c.subject and r.period = c.period
    where r.player_id = p_player_id and r.billing_no = p_billing_no and r.kind = 'limit' and c.player_id = p_player_id
      for update of c;
  perform 1 from limit_counter c join reservation r on r.player_id = c.player_id and r.game_id = c.game_id
      and r.product_id = c.product_id and r.subject = c.subject and r.period = c.period
    where r.player_id = p_player_id and r.billing_no = p_billing_no and r.kind = 'bonus' and c.player_id = p_player_id
      for update of c;
  perform 1 from product_stock s join reservation r on r.game_id = s.game_id and r.product_id = s.product_id
    where r.player_id = p_player_id and r.billing_no = p_billing_no and r.kind = 'stock' for update of s;
  perform 1 from coupon c join reservation r on r.player_id = c.player_id and r.subject = c.code
    where r.player_id = p_player_id and r.billing_no = p_billing_no and r.kind = 'coupon' and c.player_id = p_player_id
      for update of c;
  perform 1 from promo_code c join orders o on o.brand_key = c.brand_key
      join reservation r on r.player_id = o.player_id and r.billing_no = o.billing_no and r.subject = c.code
    where r.player_id = p_player_id and r.billing_no = p_billing_no and r.kind = 'code' and o.player_id = p_player_id
      for update of c;
  perform 1 from replenish p join reservation r on r.subject = p.replenish_id
    where r.player_id = p_player_id and r.billing_no = p_billing_no and r.kind = 'replenish' for update of p;
  perform 1 from gift_card where billing_no = p_billing_no order by card_id for update;
  if exists (select from payment_attempt where player_id = p_player_id and billing_no = p_billing_no
      and provider in ('card', 'wallet') and state = 'succeeded') then
    perform 1 from wallet_account where player_id = p_player_id order by currency, kind for update;
  end if;
end $$;
