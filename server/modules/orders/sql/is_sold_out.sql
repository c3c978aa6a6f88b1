-- Returns true when nothing is left of a limited stock for this press. It is asked before place_order, so that a crowd
-- is refused at the price of one look, without a lock or a row. A call whose key is known, and a player who has an
-- unpaid order of the product, may hold a piece already: they go the whole way, where the stock is looked at under its
-- lock. A piece that is given back is seen by the next press.
create or replace function is_sold_out(
  p_player_id uuid, p_idempotency_key text, p_game_id text, p_product_id text
) returns boolean language plpgsql stable as $$
begin
  -- Stable: all three see the moment of the call.
  if exists (select from product_stock where game_id = p_game_id and product_id = p_product_id and used < total) then
    return false;
  end if;
  if exists (select from idempotency where player_id = p_player_id and key = p_idempotency_key) then
    return false;
  end if;
  return not exists (select from unpaid_order where player_id = p_player_id and product_id = p_product_id);
end $$;
