-- Ends browsers that logged in well long ago, at most p_limit; answers how many. They belong to no brand.
create or replace function end_devices(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select account_hash, device_hash from known_device
    where seen_at < now() - make_interval(days => kept_days(p_days, '*'))
    order by seen_at limit p_limit for update skip locked
  ), gone as (
    delete from known_device where (account_hash, device_hash) in (select account_hash, device_hash from old)
    returning 1
  )
  select count(*)::integer from gone
$$;
