-- How often a player uses a promo code: orders that hold it, or used it up, and those of the account before its
-- person was erased. A player belongs to one brand.
create or replace function promo_uses(p_player_id uuid, p_code text) returns integer language plpgsql stable as $$
declare
  v_count integer;
begin
  select count(*)::integer into v_count from reservation
    where player_id = p_player_id and kind = 'code' and subject = p_code and state <> 'released';
  return v_count + carried_uses(p_player_id, '', p_code, 'code', 'ever')::integer;
end $$;
