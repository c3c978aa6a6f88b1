-- The points of a player now: the sum of their ledger. Below zero after an operator took points whose order was
-- refunded.
create or replace function player_points(p_player_id uuid) returns bigint language plpgsql stable as $$
begin
  return (select coalesce(sum(points), 0)::bigint from points_entry where player_id = p_player_id);
end $$;
