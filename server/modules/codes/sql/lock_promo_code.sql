-- Locks the row that counts a promo code, which is made with its first use, and asks whether the player can have it.
-- Everything that takes or gives back a use holds this row. Answers as promo_refusal.
create or replace function lock_promo_code(p_player_id uuid, p_brand_key text, p_promo jsonb) returns text
  language plpgsql as $$
begin
  insert into promo_code (brand_key, code) values (p_brand_key, p_promo ->> 'code') on conflict do nothing;
  perform 1 from promo_code where brand_key = p_brand_key and code = p_promo ->> 'code' for update;
  if (p_promo ->> 'is_first')::boolean then perform lock_first_purchase(p_player_id); end if;
  return promo_refusal(p_player_id, p_brand_key, p_promo);
end $$;
