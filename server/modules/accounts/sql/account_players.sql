-- Returns the players of the account that a player's uses are counted for (account_of), this one among them.
create or replace function account_players(p_player_id uuid) returns uuid[] language plpgsql stable as $$
declare
  v_account_id uuid;
begin
  select game_account_id into v_account_id from player where player_id = p_player_id;
  if v_account_id is null then return array[p_player_id]; end if;
  return array(select player_id from player where game_account_id = v_account_id order by player_id);
end $$;
