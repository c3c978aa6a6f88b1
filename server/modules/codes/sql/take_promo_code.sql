-- Takes one use of a promo code for an order. The caller has locked it (lock_promo_code). The limits are kept with the
-- count: late money is measured by those that its order was placed under, or later ones.
create or replace function take_promo_code(
  p_player_id uuid, p_billing_no text, p_brand_key text, p_game_id text, p_product_id text, p_promo jsonb
) returns void language plpgsql as $$
begin
  update promo_code set used = used + 1, total = (p_promo ->> 'total')::integer,
      per_player = (p_promo ->> 'per_player')::integer, is_first = coalesce((p_promo ->> 'is_first')::boolean, false)
    where brand_key = p_brand_key and code = p_promo ->> 'code';
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
    values (p_player_id, p_billing_no, 'code', p_game_id, p_product_id, p_promo ->> 'code');
end $$;
