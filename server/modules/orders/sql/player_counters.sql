-- Returns what a player's account has used of the counted goods of a game. A function, so that a statement about goods
-- and stock does not read the player's rows itself: they may lie on another machine.
create or replace function player_counters(p_player_id uuid, p_game_id text) returns setof limit_counter
  language plpgsql stable as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  return query select * from limit_counter where account_id = v_account_id and game_id = p_game_id;
end $$;
