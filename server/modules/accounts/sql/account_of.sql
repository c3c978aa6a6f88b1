-- Returns the account that a player's uses are counted for: that of the game where the game keeps the accounts, which
-- players of several brands share, else the player. Limits, first-purchase bonuses, offers and rewards are counted by
-- it.
create or replace function account_of(p_player_id uuid) returns uuid language plpgsql stable as $$
declare
  v_account_id uuid;
begin
  select game_account_id into v_account_id from player where player_id = p_player_id;
  return coalesce(v_account_id, p_player_id);
end $$;
