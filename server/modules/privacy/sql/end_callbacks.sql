-- Ends callbacks that the brand of their order keeps no longer, at most p_limit; answers how many. One that still waits
-- for its order, or for a person, stays.
create or replace function end_callbacks(p_days jsonb, p_limit integer) returns integer language sql as $$
  with old as (
    select c.provider, c.dedup_key from callback_inbox c
      left join orders o on o.player_id = c.player_id and o.billing_no = c.billing_no
    where c.received_at < over_before(p_days) and c.state in ('applied', 'ignored')
      and c.received_at < now() - make_interval(days => kept_days(p_days, o.brand_key))
    order by c.received_at limit p_limit for update of c skip locked
  ), gone as (
    delete from callback_inbox where (provider, dedup_key) in (select provider, dedup_key from old) returning 1
  )
  select count(*)::integer from gone
$$;
