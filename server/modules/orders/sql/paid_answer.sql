-- The answer of receive_report to a payment that was booked; with the delivery where it was leased in the same step.
-- p_order and p_attempt as they were before the booking.
create or replace function paid_answer(
  p_order orders, p_attempt payment_attempt, p_outcome text, p_provider_ref text, p_capture_ref text,
  p_is_leased boolean
) returns jsonb language plpgsql as $$
declare
  v_answer constant jsonb := jsonb_build_object('outcome', p_outcome, 'player_id', p_order.player_id,
    'billing_no', p_order.billing_no, 'attempt_no', p_attempt.attempt_no, 'game_id', p_order.game_id);
begin
  if not p_is_leased then return v_answer; end if;
  -- As the rows are now, for recovery_facts tells them later.
  p_order.paid_at := now();
  p_attempt.capture_ref := coalesce(p_capture_ref, p_attempt.capture_ref);
  p_attempt.provider_ref := coalesce(p_attempt.provider_ref, p_provider_ref);
  return v_answer || jsonb_build_object('delivery', jsonb_build_object('player_id', p_order.player_id,
    'billing_no', p_order.billing_no, 'game_id', p_order.game_id, 'tries', 1, 'client_id', p_order.client_id,
    'suid', p_order.suid, 'server_id', p_order.server_id, 'area_id', p_order.area_id, 'role_id', p_order.role_id,
    'product_id', p_order.product_id, 'product', p_order.product, 'amount_minor', p_order.amount_minor,
    'currency', p_order.currency,
    'facts', describe_paid_order(p_order, p_attempt)));
end $$;
