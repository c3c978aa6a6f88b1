-- Ends the answers of pay calls that nobody repeats any more, at most p_limit; answers how many.
create or replace function end_idempotency(p_days jsonb, p_limit integer) returns integer language plpgsql as $$
declare
  r record;
  v_before timestamptz := now() - make_interval(days => kept_days(p_days, '*'));
  v_count integer := 0;
begin
  for r in select player_id, key from idempotency where created_at < v_before order by created_at limit p_limit loop
    perform 1 from idempotency where player_id = r.player_id and key = r.key and created_at < v_before
      for update skip locked;
    continue when not found;
    delete from idempotency where player_id = r.player_id and key = r.key;
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
