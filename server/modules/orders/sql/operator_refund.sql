create or replace function operator_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_asked text;
begin
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  if exists (select from delivery d join payment_attempt a on a.player_id = d.player_id and a.billing_no = d.billing_no and a.attempt_no = p_attempt
      where d.player_id = p_player and d.billing_no = p_billing and d.state = 'calling' and d.next_at > now() and a.state = 'succeeded') then
    return 'delivering_now';
  end if;
  v_asked := request_refund(p_player, p_billing, p_attempt, p_reason, p_by);
  -- Undelivered and stopped for good: the order says so, and is not taken for a forgotten one.
  if v_asked = 'due' then
    update delivery set state = 'rejected', last_error = 'refund requested' where player_id = p_player and billing_no = p_billing and state = 'calling'
      and exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded');
    update orders o set state = 'refund_due' where o.player_id = p_player and o.billing_no = p_billing and o.state in ('paid', 'delivering')
      and exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded');
  end if;
  return v_asked;
end $$;
