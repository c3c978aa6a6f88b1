-- Gives back the use of a promo code that an order has (p_step -1), or takes it again for late money (p_step 1). False:
-- nothing is left to take, or the code was for a first purchase and another order was it. The caller has locked it
-- (lock_reservations).
create or replace function count_promo_use(p_player_id uuid, p_billing_no text, p_code text, p_step integer)
  returns boolean language plpgsql as $$
declare
  v_brand_key text;
  v_is_first boolean;
  v_uses integer := case when p_step < 0 then 0 else promo_uses(p_player_id, p_code) end;
begin
  select brand_key into v_brand_key from orders where player_id = p_player_id and billing_no = p_billing_no;
  if p_step > 0 then
    select is_first into v_is_first from promo_code where brand_key = v_brand_key and code = p_code;
    if v_is_first then
      perform lock_first_purchase(p_player_id);
      if has_bought(p_player_id, p_billing_no) then return false; end if;
    end if;
  end if;
  update promo_code c set used = c.used + p_step
    where c.brand_key = v_brand_key and c.code = p_code
      and (p_step < 0 or ((c.total is null or c.used < c.total) and (c.per_player is null or v_uses < c.per_player)));
  return found;
end $$;
