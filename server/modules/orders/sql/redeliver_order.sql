create or replace function redeliver_order(p_player uuid, p_billing text) returns text language plpgsql as $$
begin
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  perform 1 from orders where player_id = p_player and billing_no = p_billing and state in ('paid', 'delivering', 'review') for update;
  if not found then return 'wrong_state'; end if;
  if exists (select from refund where player_id = p_player and billing_no = p_billing
      and attempt_no = (select attempt_no from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded')) then
    return 'wrong_state';
  end if;
  update delivery set state = 'queued', next_at = now(), tries = 0, last_error = null
    where player_id = p_player and billing_no = p_billing and state in ('queued', 'unknown', 'rejected', 'dead');
  if not found then return 'wrong_state'; end if;
  update orders set state = 'delivering', delivering_at = coalesce(delivering_at, now()), review_reason = null
    where player_id = p_player and billing_no = p_billing and state = 'review';
  return 'queued';
end $$;
