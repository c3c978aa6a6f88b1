-- Leases unpaid orders past their time for p_lease, at most p_limit, with their open attempts: each is to be closed at
-- its provider. An order that stays open comes again when the lease has run out. The condition on '-infinity' and the
-- expression are those of the index; without sorting no other index will do, whatever the statistics say.
create or replace function lease_expired_orders(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, attempts integer[]
) language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan set enable_sort = off as $$
  with due as (
    select o.player_id, o.billing_no from orders o
    where o.is_unpaid and o.expires_at > '-infinity' and greatest(o.expires_at, o.expiry_lease_until) <= now()
    order by greatest(o.expires_at, o.expiry_lease_until) limit p_limit for update skip locked
  ), leased as (
    update orders o set expiry_lease_until = now() + p_lease
    from due where o.player_id = due.player_id and o.billing_no = due.billing_no
    returning o.player_id, o.billing_no
  )
  select l.player_id, l.billing_no, array(
    select a.attempt_no from payment_attempt a
    where a.player_id = l.player_id and a.billing_no = l.billing_no and a.is_open order by a.attempt_no)
  from leased l
$$;
