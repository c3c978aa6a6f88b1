-- An operator has seen at the provider that an attempt whose answer nobody could read was paid in full: it is booked as
-- its provider's word would be. Outcomes: those of apply_report for paid, or wrong_state where the order does not wait
-- for such a decision.
create or replace function operator_confirm_payment(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_capture_ref text
) returns text language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_attempt payment_attempt;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_capture_ref) > 0 then
    raise exception 'operator_confirm_payment: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  if v_attempt.unreadable_reason is null then return 'wrong_state'; end if;
  return apply_report(p_player_id, p_billing_no, p_attempt_no, v_attempt.provider, 'paid', true,
    v_attempt.provider_ref, p_capture_ref, v_attempt.amount_minor, v_attempt.currency,
    null, null, null, null, true) ->> 'outcome';
end $$;
