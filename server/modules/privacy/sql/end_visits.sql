-- Ends moments of visits that their brand keeps no longer, at most p_limit; answers how many.
create or replace function end_visits(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select call_no from track_call
    where received_at < over_before(p_days)
      and received_at < now() - make_interval(days => kept_days(p_days, brand_key))
    order by received_at limit p_limit for update skip locked
  ), gone as (delete from track_call where call_no in (select call_no from old) returning 1)
  select count(*)::integer from gone
$$;
