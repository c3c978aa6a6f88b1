-- Leases callbacks whose order was not here when they came, for p_lease, at most p_limit. Money that moved is taken up
-- once more when it has waited for p_unmatched_after, so that the alarm is raised: a provider that repeats itself puts
-- off the next retry, but never this one. Another merchant's money is nothing that anybody here has to know.
-- Found and taken as lease_deliveries does it.
create or replace function lease_waiting_callbacks(p_limit integer, p_lease interval, p_unmatched_after interval)
  returns table (provider text, dedup_key text, reference text, report jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  v_count integer := 0;
begin
  for r in select c.provider, c.dedup_key from callback_inbox c
    where c.state = 'stored' and (c.lease_until is null or c.lease_until <= now())
      and (c.next_try_at <= now() or (c.unmatched_at is null
        and c.received_at <= now() - p_unmatched_after and is_money_report(c.report)))
    order by c.next_try_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from callback_inbox c where c.provider = r.provider and c.dedup_key = r.dedup_key
      and c.state = 'stored' and (c.lease_until is null or c.lease_until <= now()) for update skip locked;
    continue when not found;
    return query update callback_inbox c set lease_until = now() + p_lease
      where c.provider = r.provider and c.dedup_key = r.dedup_key
      returning c.provider, c.dedup_key, c.reference, c.report;
    v_count := v_count + 1;
  end loop;
end $$;
