-- Ends reports of faults that their brand keeps no longer, at most p_limit; answers how many.
create or replace function end_reports(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select brand_key, reference from error_report
    where received_at < over_before(p_days)
      and received_at < now() - make_interval(days => kept_days(p_days, brand_key))
    order by received_at limit p_limit for update skip locked
  ), gone as (
    delete from error_report where (brand_key, reference) in (select brand_key, reference from old) returning 1
  )
  select count(*)::integer from gone
$$;
