create or replace function claim_refunds(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, attempt_no integer, tries integer, provider text, provider_ref text,
    capture_ref text,
  channel_id text, amount_minor bigint, currency text, created_at timestamptz, age_seconds double precision
) language sql as $$
  with due as (
    select r.player_id, r.billing_no, r.attempt_no from refund r where r.state in ('due', 'calling', 'pending')
      and r.next_at <= now()
    order by r.next_at limit p_limit for update skip locked
  ), claimed as (
    update refund r set state = case when r.state = 'pending' then 'pending' else 'calling' end, tries = r.tries + 1,
      next_at = now() + p_lease
    from due where r.player_id = due.player_id and r.billing_no = due.billing_no and r.attempt_no = due.attempt_no
    returning r.*
  )
  select c.player_id, c.billing_no, c.attempt_no, c.tries, a.provider, a.provider_ref, a.capture_ref, a.channel_id,
    c.amount_minor, c.currency,
    a.created_at, extract(epoch from now() - c.created_at)
  from claimed c join payment_attempt a on a.player_id = c.player_id and a.billing_no = c.billing_no
    and a.attempt_no = c.attempt_no
    join orders o on o.player_id = c.player_id and o.billing_no = c.billing_no
$$;
