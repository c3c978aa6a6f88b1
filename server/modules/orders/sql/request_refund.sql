-- Asks for the money of one attempt to go back; a worker calls the provider. Outcomes: due, exists, nothing_to_refund.
-- Only the payment that paid the order stops its goods. An overpayment has nothing to do with the delivery: who holds
-- the order for it must not wait for the delivery, whose end waits for the order.
create or replace function request_refund(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_reason text, p_requested_by text
) returns text language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_amount_minor bigint;
  v_currency text;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by) > 0 then
    raise exception 'request_refund: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from delivery d
    where d.player_id = p_player_id and d.billing_no = p_billing_no and exists (select from payment_attempt a
      where a.player_id = p_player_id and a.billing_no = p_billing_no and a.attempt_no = p_attempt_no
        and a.state = 'succeeded')
    for update of d;
  perform 1 from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_attempt.state = 'succeeded' then
    v_amount_minor := v_attempt.amount_minor;
    v_currency := v_attempt.currency;
  else
    select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and kind = 'overpayment'
        and attempt_no = p_attempt_no and account = 'refund_owed';
  end if;
  if v_amount_minor is null or exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and kind in ('refunded', 'overpayment_refunded')) then
    return 'nothing_to_refund';
  end if;
  -- Part refunds and what the bank took have left it already; parts that reached the whole are a refund
  -- (apply_report).
  v_amount_minor := v_amount_minor - refunded_parts(p_player_id, p_billing_no, p_attempt_no)
    - charged_back(p_player_id, p_billing_no, p_attempt_no);
  if v_amount_minor <= 0 then return 'nothing_to_refund'; end if;
  insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
    values (p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by, v_amount_minor, v_currency)
    on conflict do nothing;
  if not found then return 'exists'; end if;
  insert into player_change (player_id) values (p_player_id);
  -- Nothing may be delivered for money that is on its way back.
  update orders set state = 'refund_due'
    where player_id = p_player_id and billing_no = p_billing_no and state = 'review'
      and v_attempt.state <> 'overpayment';
  if v_attempt.state = 'succeeded' then perform stop_delivery(p_player_id, p_billing_no, 'refund requested'); end if;
  return 'due';
end $$;
