-- Leases wishes to be erased whose time has come, at most p_limit. One whose player has logged in to the shop since is
-- taken back instead: whoever comes back wants to stay.
create or replace function lease_erasures(p_limit integer, p_lease interval) returns setof erasure language sql as $$
  with due as (
    select e.player_id, e.erasure_no from erasure e where e.state = 'waiting' and e.next_at <= now()
    order by e.next_at limit p_limit for update skip locked
  ), held as (
    update erasure e set next_at = now() + p_lease,
        state = case when has_come_back(e) then 'withdrawn' else 'waiting' end,
        ended_at = case when has_come_back(e) then now() end
    from due where e.player_id = due.player_id and e.erasure_no = due.erasure_no
    returning e.*
  )
  select * from held where state = 'waiting'
$$;
