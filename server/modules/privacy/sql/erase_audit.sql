-- Names of the player in the words of audit lines become our own id, which leads to nobody: the only change that the
-- audit takes (audit_refuse_change). Lines are found by the player's id, user id and shown name.
create or replace function erase_audit(p_player_id uuid) returns void language plpgsql as $$
declare
  v_player player;
  v_is_only boolean;
begin
  select * into v_player from player where player_id = p_player_id;
  -- A line without a brand is taken for this player's only where nobody else is called so.
  perform 1 from player p where p.player_id <> p_player_id
    and (p.suid in (v_player.suid, v_player.username) or lower(p.username) = lower(v_player.username)) limit 1;
  v_is_only := not found;
  perform set_config('refill.erases', p_player_id::text, true);
  update audit_entry a set details = audit_without(a.details, v_player)
    where (a.details ->> 'brand' = v_player.brand_key or (a.details ->> 'brand' is null and v_is_only))
      and a.details is distinct from audit_without(a.details, v_player);
  perform set_config('refill.erases', '', true);
end $$;
