-- Leases unpaid orders past their time for p_lease, at most p_limit, with their open attempts: each is to be closed at
-- its provider. An order that stays open comes again when the lease has run out. The condition on '-infinity' and the
-- expression are those of the index; without sorting no other index will do, whatever the statistics say.
-- Found and taken as lease_deliveries does it.
create or replace function lease_expired_orders(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, attempts integer[]
) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan set enable_sort = off as $$
#variable_conflict use_column
declare
  r record;
  v_attempts integer[];
  v_count integer := 0;
begin
  for r in select o.player_id, o.billing_no from orders o
    where o.is_unpaid and o.expires_at > '-infinity' and greatest(o.expires_at, o.expiry_lease_until) <= now()
    order by greatest(o.expires_at, o.expiry_lease_until) limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no
      and o.is_unpaid and greatest(o.expires_at, o.expiry_lease_until) <= now() for update skip locked;
    continue when not found;
    update orders o set expiry_lease_until = now() + p_lease
      where o.player_id = r.player_id and o.billing_no = r.billing_no;
    select coalesce(array_agg(a.attempt_no order by a.attempt_no), '{}') into v_attempts from payment_attempt a
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.is_open;
    return query select r.player_id, r.billing_no, v_attempts;
    v_count := v_count + 1;
  end loop;
end $$;
