-- Minor units of `p_currency` that are to pay for goods of `p_amount_minor` with this coupon, rounded half up, once;
-- with an offer, which is a coupon that names its prices, exactly those, as long as they are below the goods' own.
-- Null: the coupon is not for these goods, not now, of a level that the player has lost, or would leave less than the
-- channel or one minor unit. Times are the database's.
create or replace function coupon_amount(
  p_coupon coupon, p_brand_key text, p_game_id text, p_product_id text,
  p_amount_minor bigint, p_currency text, p_min_charge_minor bigint
) returns bigint language sql stable as $$
  select v.due_minor
  from (select case when p_coupon.prices is null then round(p_amount_minor * p_coupon.discount_rate)::bigint
      else (p_coupon.prices ->> p_currency)::bigint end) as v(due_minor)
  where p_coupon.state = 'free' and p_coupon.brand_key = p_brand_key
    and p_coupon.valid_from <= now() and now() < p_coupon.valid_end
    and (p_coupon.games = '{}' or p_game_id = any (p_coupon.games))
    and (p_coupon.products = '{}' or p_product_id = any (p_coupon.products))
    and (p_coupon.min_spend = '{}' or (p_coupon.min_spend ->> p_currency)::bigint <= p_amount_minor)
    and case when p_coupon.need_points is null then true
      else p_coupon.need_points <= player_points(p_coupon.player_id) end
    and (p_coupon.prices is null or v.due_minor < p_amount_minor)
    and v.due_minor >= greatest(1, p_min_charge_minor)
$$;
