-- An operator asks for the money of one attempt to go back. Outcomes: RefundAnswer in operate-store.ts.
create or replace function operator_refund(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_reason text, p_requested_by text
) returns text language plpgsql as $$
declare
  v_asked text;
  v_is_order_payment boolean;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by) > 0 then
    raise exception 'operator_refund: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  perform 1 from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  v_is_order_payment := exists (select from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no and state = 'succeeded');
  if v_is_order_payment and exists (select from delivery
      where player_id = p_player_id and billing_no = p_billing_no and state = 'calling' and next_at > now()) then
    return 'delivering_now';
  end if;
  v_asked := request_refund(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by);
  -- Undelivered and stopped for good: the order says so, and is not taken for a forgotten one.
  if v_asked = 'due' and v_is_order_payment then
    update delivery set state = 'rejected', last_error = 'refund requested'
      where player_id = p_player_id and billing_no = p_billing_no and state = 'calling';
    update orders set state = 'refund_due'
      where player_id = p_player_id and billing_no = p_billing_no and state in ('paid', 'delivering');
  end if;
  return v_asked;
end $$;
