-- The product as it is sold: with the gifts of the first-purchase bonus where the order has it, marked `isFirst`. From
-- here they go out with the delivery as all gifts do.
create or replace function sold_product(p_sold jsonb, p_has_bonus boolean) returns jsonb language sql immutable as $$
  select case when p_has_bonus then jsonb_set(p_sold -> 'product', '{gifts}', (p_sold #> '{product,gifts}') || (
      select jsonb_agg(gift || '{"isFirst": true}') from jsonb_array_elements(p_sold #> '{first_bonus,gifts}') gift))
    else p_sold -> 'product' end
$$;
