-- Ends tries with prepaid cards that their brand keeps no longer, at most p_limit; answers how many.
create or replace function end_card_tries(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select id from card_try
    where at < over_before(p_days) and at < now() - make_interval(days => kept_days(p_days, brand_key))
    order by at limit p_limit for update skip locked
  ), gone as (delete from card_try where id in (select id from old) returning 1)
  select count(*)::integer from gone
$$;
