-- Returns a player's use of the counted goods of a game. A function, so that a statement about goods and stock does not
-- read the player's rows itself: they may lie on another machine.
create or replace function player_counters(p_player_id uuid, p_game_id text) returns setof limit_counter
  language plpgsql stable as $$
begin
  return query select * from limit_counter where player_id = p_player_id and game_id = p_game_id;
end $$;
