-- Gives back the use of a promo code that an order has (p_step -1), or takes it again for late money (p_step 1). False:
-- nothing is left to take. The caller has locked it (lock_reservations).
create or replace function count_promo_use(p_player_id uuid, p_billing_no text, p_code text, p_step integer)
  returns boolean language plpgsql as $$
declare
  v_brand_key text;
  v_uses integer := case when p_step < 0 then 0 else promo_uses(p_player_id, p_code) end;
begin
  select brand_key into v_brand_key from orders where player_id = p_player_id and billing_no = p_billing_no;
  update promo_code c set used = c.used + p_step
    where c.brand_key = v_brand_key and c.code = p_code
      and (p_step < 0 or ((c.total is null or c.used < c.total) and (c.per_player is null or v_uses < c.per_player)));
  return found;
end $$;
