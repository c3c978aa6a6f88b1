-- The words of an audit line, with a player's id in place of what names them.
create or replace function audit_without(p_details jsonb, p_player player) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(d.key, case
      when d.key in ('player', 'to', 'suid') and d.value #>> '{}' in (p_player.suid, p_player.username,
        'user_id:' || p_player.suid, 'login:' || p_player.username, 'login:' || lower(p_player.username))
        then to_jsonb(p_player.player_id) else d.value end), '{}')
  from jsonb_each(p_details) d
$$;
