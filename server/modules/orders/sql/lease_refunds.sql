-- Leases due refunds for p_lease, at most p_limit. As long as the lease lasts nobody else asks the provider, and no
-- person is told that the money may be sent back by hand.
create or replace function lease_refunds(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, attempt_no integer, tries integer, provider text, provider_ref text,
  capture_ref text, channel_id text, amount_minor bigint, currency text, created_at timestamptz,
  age_seconds double precision
) language sql as $$
  with due as (
    select r.player_id, r.billing_no, r.attempt_no from refund r
    where r.state in ('due', 'calling', 'pending') and r.next_at <= now()
    order by r.next_at limit p_limit for update skip locked
  ), leased as (
    update refund r set state = case when r.state = 'pending' then 'pending' else 'calling' end,
      tries = r.tries + 1, next_at = now() + p_lease
    from due where r.player_id = due.player_id and r.billing_no = due.billing_no and r.attempt_no = due.attempt_no
    returning r.*
  )
  select l.player_id, l.billing_no, l.attempt_no, l.tries, a.provider, a.provider_ref, a.capture_ref, a.channel_id,
    l.amount_minor, l.currency, a.created_at, extract(epoch from now() - l.created_at)
  from leased l join payment_attempt a
    on a.player_id = l.player_id and a.billing_no = l.billing_no and a.attempt_no = l.attempt_no
$$;
