-- Purchases rest for so many days from now, never shorter than what was said before; 0 ends the pause, 24 hours from
-- now at the soonest.
create or replace function pause_spending(p_player_id uuid, p_days integer) returns void language plpgsql as $$
declare
  v_soon timestamptz := now() + interval '24 hours';
  v_now constant timestamptz := now();
begin
  if num_nulls(p_player_id, p_days) > 0 then
    raise exception 'pause_spending: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from player where player_id = p_player_id for no key update;
  if p_days = 0 then
    update spending_pause set paused_until = least(paused_until, v_soon) where player_id = p_player_id;
    return;
  end if;
  insert into spending_pause as s (player_id, paused_until) values (p_player_id, v_now + make_interval(days => p_days))
    on conflict (player_id) do update set paused_until = greatest(s.paused_until, excluded.paused_until);
end $$;
