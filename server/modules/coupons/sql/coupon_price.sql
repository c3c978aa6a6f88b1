-- Minor units of `p_currency` that an order of these goods with this coupon would cost; null: the coupon does not work
-- for it. A free one is priced by coupon_amount, as the order itself does. One that the unpaid order of the same goods
-- holds stays with it, for that order can be paid another way.
-- p_receiver: client_id, server_id, area_id, role_id of the character; null: any.
create or replace function coupon_price(
  p_coupon coupon, p_brand_key text, p_game_id text, p_product_id text, p_receiver jsonb,
  p_amount_minor bigint, p_currency text
) returns bigint language plpgsql stable as $$
declare
  v_price_minor bigint;
begin
  if p_coupon.state <> 'taken' then
    return coupon_amount(p_coupon, p_brand_key, p_game_id, p_product_id, p_amount_minor, p_currency, 1);
  end if;
  -- Its order may have a promo code as well, which is not part of this price.
  select case when o.promo_code is null then o.amount_minor
      else round(p_amount_minor * p_coupon.discount_rate)::bigint end into v_price_minor
    from orders o
    where o.player_id = p_coupon.player_id and o.billing_no = p_coupon.billing_no and o.is_unpaid
      and o.brand_key = p_brand_key and o.game_id = p_game_id and o.product_id = p_product_id
      and o.currency = p_currency and o.amount_minor + o.discount_minor = p_amount_minor
      and (p_receiver is null or jsonb_build_object('client_id', o.client_id, 'server_id', o.server_id,
        'area_id', o.area_id, 'role_id', o.role_id) = p_receiver);
  return v_price_minor;
end $$;
