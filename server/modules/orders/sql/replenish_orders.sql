-- The orders that sold a make-up payment. Asked beside its row: where the database is spread over machines, of the
-- player's node alone.
create or replace function replenish_orders(p_player_id uuid, p_replenish_id text) returns table (
  billing_no text, state text, amount_minor bigint, discount_minor bigint, currency text
) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query select o.billing_no, o.state, o.amount_minor, o.discount_minor, o.currency from orders o
    where o.player_id = p_player_id and o.replenish_id = p_replenish_id;
end $$;
