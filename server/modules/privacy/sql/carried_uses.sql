-- How often the account of a player (account_of) had used something up before its person was erased: uses_before for
-- who has the player alone.
create or replace function carried_uses(
  p_player_id uuid, p_game_id text, p_product_id text, p_subject text, p_period text
) returns bigint language plpgsql stable as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  return uses_before(v_account_id, p_game_id, p_product_id, p_subject, p_period);
end $$;
