-- As before, but only the payment that paid the order stops its goods. What came on top has nothing to do with the delivery: who holds the order
-- for it must not wait for the delivery, whose end waits for the order.
create or replace function request_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform 1 from delivery d where d.player_id = p_player and d.billing_no = p_billing and exists (select from payment_attempt a
    where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded') for update of d;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state = 'succeeded' then
    v_amount := v_attempt.amount_minor;
    v_currency := v_attempt.currency;
  else
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
  end if;
  if v_amount is null or exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt
      and kind in ('refunded', 'surplus_refunded', 'chargeback')) then
    return 'nothing_to_refund';
  end if;
  insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
    values (p_player, p_billing, p_attempt, p_reason, p_by, v_amount, v_currency) on conflict do nothing;
  if not found then return 'exists'; end if;
  -- Nothing may be delivered for money that is on its way back.
  update orders set state = 'refund_due' where player_id = p_player and billing_no = p_billing and state = 'review' and v_attempt.state <> 'surplus';
  if v_attempt.state = 'succeeded' then perform stop_delivery(p_player, p_billing, 'refund requested'); end if;
  return 'due';
end $$;
