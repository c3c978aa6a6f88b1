-- Leases due refunds for p_lease, at most p_limit. As long as the lease lasts nobody else asks the provider, and no
-- person is told that the money may be sent back by hand.
-- Found and taken as lease_deliveries does it.
create or replace function lease_refunds(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, attempt_no integer, tries integer, provider text, provider_ref text,
  capture_ref text, channel_id text, amount_minor bigint, currency text, created_at timestamptz,
  age_seconds double precision
) language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  v_refund refund;
  v_attempt payment_attempt;
  v_count integer := 0;
begin
  for r in select d.player_id, d.billing_no, d.attempt_no from refund d
    where d.state in ('due', 'calling', 'pending') and d.next_at <= now() order by d.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from refund d
      where d.player_id = r.player_id and d.billing_no = r.billing_no and d.attempt_no = r.attempt_no
        and d.state in ('due', 'calling', 'pending') and d.next_at <= now() for update skip locked;
    continue when not found;
    update refund d set state = case when d.state = 'pending' then 'pending' else 'calling' end,
        tries = d.tries + 1, next_at = now() + p_lease
      where d.player_id = r.player_id and d.billing_no = r.billing_no and d.attempt_no = r.attempt_no
      returning * into v_refund;
    select * into v_attempt from payment_attempt a
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no;
    continue when not found;
    return query select v_refund.player_id, v_refund.billing_no, v_refund.attempt_no, v_refund.tries,
      v_attempt.provider, v_attempt.provider_ref, v_attempt.capture_ref, v_attempt.channel_id, v_refund.amount_minor,
      v_refund.currency, v_attempt.created_at, extract(epoch from now() - v_refund.created_at)::double precision;
    v_count := v_count + 1;
  end loop;
end $$;
