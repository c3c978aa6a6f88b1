-- How often a player uses a promo code: orders that hold it, or used it up, and those from before the person was
-- erased. All players of the account in this brand count (account_players): a code is its brand's.
create or replace function promo_uses(p_player_id uuid, p_code text) returns integer language plpgsql stable as $$
declare
  v_players uuid[] := account_players(p_player_id);
  v_player_id uuid;
  v_brand_key text;
  v_count integer;
begin
  if cardinality(v_players) > 1 then
    select brand_key into v_brand_key from player where player_id = p_player_id;
    v_players := array(select player_id from player where player_id = any (v_players) and brand_key = v_brand_key);
  end if;
  select count(*)::integer into v_count from reservation
    where player_id = any (v_players) and kind = 'code' and subject = p_code and state <> 'released';
  foreach v_player_id in array v_players loop
    v_count := v_count + uses_before(v_player_id, '', p_code, 'code', 'ever')::integer;
  end loop;
  return v_count;
end $$;
