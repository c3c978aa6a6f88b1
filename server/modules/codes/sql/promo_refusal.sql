-- Why a player cannot use a promo code now: not_begun, over, used_up (by all), used_by_player, not_first (the code is
-- for a first purchase). Null: they can. Times are the database's. Whoever places an order holds the code's row, so
-- that what is counted here stays so.
-- p_promo: see place_order.
create or replace function promo_refusal(p_player_id uuid, p_brand_key text, p_promo jsonb) returns text
  language plpgsql stable as $$
begin
  if now() < (p_promo ->> 'valid_from')::timestamptz then return 'not_begun'; end if;
  if now() >= (p_promo ->> 'valid_end')::timestamptz then return 'over'; end if;
  if p_promo ->> 'per_player' is not null
    and (p_promo ->> 'per_player')::integer <= promo_uses(p_player_id, p_promo ->> 'code') then
    return 'used_by_player';
  end if;
  if (p_promo ->> 'total')::integer <= coalesce((select c.used from promo_code c
      where c.brand_key = p_brand_key and c.code = p_promo ->> 'code'), 0) then
    return 'used_up';
  end if;
  if (p_promo ->> 'is_first')::boolean is not true then return null; end if;
  if has_bought(p_player_id, null) then return 'not_first'; end if;
  return null;
end $$;
