-- Ends sessions that are over for longer than their brand keeps them, at most p_limit; answers how many. One that lay
-- idle counts as over when it would have run out at the latest.
create or replace function end_sessions(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select token_hash from session
    where (absolute_until < over_before(p_days) or revoked_at < over_before(p_days))
      and least(revoked_at, absolute_until) < now() - make_interval(days => kept_days(p_days, brand_key))
    limit p_limit for update skip locked
  ), gone as (delete from session where token_hash in (select token_hash from old) returning 1)
  select count(*)::integer from gone
$$;
