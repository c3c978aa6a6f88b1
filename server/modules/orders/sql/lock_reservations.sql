-- Locks what an order has reserved or spent, in the order in which everybody locks: limit, first-purchase bonus, offer,
-- stock, coupon, promo code, make-up payment, card, balance.
create or replace function lock_reservations(p_player_id uuid, p_billing_no text) returns void language plpgsql as $$
declare
  r reservation;
  v_brand_key text;
begin
  -- One row after the other: what is locked lies with the player, or in one place for all players.
  for r in select * from reservation where player_id = p_player_id and billing_no = p_billing_no
    order by array_position(array['limit', 'bonus', 'offer', 'stock', 'coupon', 'code', 'replenish'], kind)
  loop
    if r.kind in ('limit', 'bonus', 'offer') then
      perform 1 from limit_counter
        where account_id = r.account_id and game_id = r.game_id and product_id = r.product_id
          and subject = r.subject and period = r.period for update;
    elsif r.kind = 'stock' then
      perform 1 from product_stock where game_id = r.game_id and product_id = r.product_id for update;
    elsif r.kind = 'coupon' then
      perform 1 from coupon where player_id = p_player_id and code = r.subject for update;
    elsif r.kind = 'code' then
      select brand_key into v_brand_key from orders where player_id = p_player_id and billing_no = p_billing_no;
      perform 1 from promo_code where brand_key = v_brand_key and code = r.subject for update;
    elsif r.kind = 'replenish' then
      perform 1 from replenish where replenish_id = r.subject for update;
    end if;
  end loop;
  perform 1 from gift_card where billing_no = p_billing_no order by card_id for update;
  if exists (select from payment_attempt where player_id = p_player_id and billing_no = p_billing_no
      and provider in ('card', 'wallet') and state = 'succeeded') then
    perform 1 from wallet_account where player_id = p_player_id order by currency, kind for update;
  end if;
end $$;
