-- The answer of receive_report to a payment that was booked. p_facts: of an order whose delivery was leased in the same
-- step, which goes out with it (describe_paid_order); null where it was not.
create or replace function paid_answer(
  p_order orders, p_attempt_no integer, p_outcome text, p_facts jsonb
) returns jsonb language plpgsql as $$
begin
  if p_facts is null then
    return jsonb_build_object('outcome', p_outcome, 'player_id', p_order.player_id,
      'billing_no', p_order.billing_no, 'attempt_no', p_attempt_no, 'game_id', p_order.game_id);
  end if;
  return jsonb_build_object('outcome', p_outcome, 'player_id', p_order.player_id,
    'billing_no', p_order.billing_no, 'attempt_no', p_attempt_no, 'game_id', p_order.game_id,
    'delivery', jsonb_build_object('player_id', p_order.player_id,
      'billing_no', p_order.billing_no, 'game_id', p_order.game_id, 'tries', 1, 'client_id', p_order.client_id,
      'suid', p_order.suid, 'server_id', p_order.server_id, 'area_id', p_order.area_id, 'role_id', p_order.role_id,
      'product_id', p_order.product_id, 'product', p_order.product, 'amount_minor', p_order.amount_minor,
      'currency', p_order.currency, 'facts', p_facts));
end $$;
