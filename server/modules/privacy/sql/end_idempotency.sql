-- Ends the answers of pay calls that nobody repeats any more, at most p_limit; answers how many.
create or replace function end_idempotency(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select player_id, key from idempotency where created_at < now() - make_interval(days => kept_days(p_days, '*'))
    order by created_at limit p_limit for update skip locked
  ), gone as (delete from idempotency where (player_id, key) in (select player_id, key from old) returning 1)
  select count(*)::integer from gone
$$;
