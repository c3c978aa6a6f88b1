-- Leases callbacks whose order was not here when they came, for p_lease, at most p_limit. Money that moved is taken up
-- once more when it has waited for p_unmatched_after, so that the alarm is raised: a provider that repeats itself puts
-- off the next retry, but never this one. Another merchant's money is nothing that anybody here has to know.
create or replace function lease_waiting_callbacks(p_limit integer, p_lease interval, p_unmatched_after interval)
returns table (provider text, dedup_key text, reference text, report jsonb) language sql as $$
  with due as (
    select c.provider, c.dedup_key from callback_inbox c
    where c.state = 'stored' and (c.lease_until is null or c.lease_until <= now())
      and (c.next_try_at <= now() or (c.unmatched_at is null and c.received_at <= now() - p_unmatched_after
        and is_money_report(c.report)))
    order by c.next_try_at limit p_limit for update skip locked
  )
  update callback_inbox c set lease_until = now() + p_lease
  from due where c.provider = due.provider and c.dedup_key = due.dedup_key
  returning c.provider, c.dedup_key, c.reference, c.report
$$;
