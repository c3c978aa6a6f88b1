-- Ends the samples of refused callbacks, at most p_limit; answers how many. They belong to no brand.
create or replace function end_refused_callbacks(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select provider, day, reason from callback_refused
    where day < (now() - make_interval(days => kept_days(p_days, '*')))::date
    limit p_limit for update skip locked
  ), gone as (
    delete from callback_refused where (provider, day, reason) in (select provider, day, reason from old) returning 1
  )
  select count(*)::integer from gone
$$;
