-- Returns true when the account of a player (account_of) had used up anything before its person was erased. Hardly any
-- had, and then nothing of it need be looked for (carried_uses).
create or replace function has_carried_uses(p_player_id uuid) returns boolean language plpgsql stable as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  return exists (select from carried_use where account_id = v_account_id);
end $$;
