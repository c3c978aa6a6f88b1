-- Returns true when the account of a player had used up anything before its person was erased. Hardly any had, and then
-- nothing of it need be looked for (carried_uses).
create or replace function has_carried_uses(p_player_id uuid) returns boolean language plpgsql stable as $$
begin
  return exists (select from carried_use where player_id = p_player_id);
end $$;
