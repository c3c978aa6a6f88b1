-- Prices an order of these goods with this promo code: {amount_minor} or {reason}, as promo_refusal says it, or
-- too_small. The order itself asks the same functions under the lock of the code. A code that the unpaid order of the
-- same goods holds stays with it, for that order can be paid another way. p_receiver: client_id, server_id, area_id,
-- role_id of the character; null: any. p_full_minor: the price of the goods; p_due_minor: what is to pay before the
-- code, less with the coupon p_coupon_code.
create or replace function promo_price(
  p_player_id uuid, p_brand_key text, p_promo jsonb, p_game_id text, p_product_id text, p_receiver jsonb,
  p_coupon_code text, p_full_minor bigint, p_due_minor bigint, p_currency text
) returns jsonb language plpgsql stable as $$
declare
  v_amount_minor bigint;
  v_reason text;
begin
  select o.amount_minor into v_amount_minor from unpaid_order u
    join orders o on o.player_id = u.player_id and o.billing_no = u.billing_no
    where u.player_id = p_player_id and o.promo_code = p_promo ->> 'code'
      and o.coupon_code is not distinct from p_coupon_code
      and o.brand_key = p_brand_key and o.game_id = p_game_id and o.product_id = p_product_id
      and o.currency = p_currency and o.amount_minor + o.discount_minor = p_full_minor
      and (p_receiver is null or jsonb_build_object('client_id', o.client_id, 'server_id', o.server_id,
        'area_id', o.area_id, 'role_id', o.role_id) = p_receiver)
    limit 1;
  if v_amount_minor is null then
    v_reason := promo_refusal(p_player_id, p_brand_key, p_promo);
    if v_reason is not null then return jsonb_build_object('reason', v_reason); end if;
    v_amount_minor := promo_amount(p_promo, p_due_minor, 1);
    if v_amount_minor is null then return jsonb_build_object('reason', 'too_small'); end if;
  end if;
  return jsonb_build_object('amount_minor', v_amount_minor);
end $$;
