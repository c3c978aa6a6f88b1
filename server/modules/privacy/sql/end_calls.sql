-- Ends calls of the admin API, at most p_limit; answers how many.
create or replace function end_calls(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select key_id, call_id from admin_call where at < now() - make_interval(days => kept_days(p_days, '*'))
    order by at limit p_limit for update skip locked
  ), gone as (delete from admin_call where (key_id, call_id) in (select key_id, call_id from old) returning 1)
  select count(*)::integer from gone
$$;
