-- The orders that sold a make-up payment. Asked beside its row: where the database is spread over machines, of the
-- player's node alone.
create or replace function replenish_orders(p_player_id uuid, p_replenish_id text) returns setof orders
  language plpgsql stable as $$
begin
  return query select * from orders where player_id = p_player_id and replenish_id = p_replenish_id;
end $$;
