-- Minor units that are to pay for goods of `p_amount_minor` with this promo code, rounded half up, once. A code
-- without a discount, of a creator, leaves the price as it is. Null: the price is below the least of the code, or the
-- code would leave less than the channel or one minor unit.
-- p_promo: see place_order.
create or replace function promo_amount(p_promo jsonb, p_amount_minor bigint, p_min_charge_minor bigint) returns bigint
  language sql immutable as $$
  select d.due from (select case when p_promo ->> 'rate' is not null
      then round(p_amount_minor * (p_promo ->> 'rate')::numeric)::bigint
    else p_amount_minor - coalesce((p_promo ->> 'off_minor')::bigint, 0) end as due) d
  where d.due >= greatest(1, p_min_charge_minor)
    and coalesce((p_promo ->> 'min_spend_minor')::bigint, 0) <= p_amount_minor
$$;
