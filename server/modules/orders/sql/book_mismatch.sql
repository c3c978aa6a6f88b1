-- A payment that is not what was asked: the order waits for a person. Money that is ours is owed back until then;
-- another merchant's money is not ours to book.
create or replace function book_mismatch(
  p_order orders, p_attempt payment_attempt, p_is_our_merchant boolean,
  p_amount_minor bigint, p_currency text, p_capture_ref text
) returns void language plpgsql as $$
begin
  insert into player_change (player_id) values (p_attempt.player_id);
  update payment_attempt set state = 'mismatch', capture_ref = coalesce(p_capture_ref, capture_ref),
      next_query_at = null, reported_minor = p_amount_minor, reported_currency = p_currency
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no;
  if p_is_our_merchant is true and p_amount_minor > 0 and p_currency is not null then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
        'provider_receivable', p_amount_minor, p_currency),
      (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
        'refund_owed', -p_amount_minor, p_currency);
  end if;
  if p_order.is_unpaid or is_lapsed(p_order.state) then
    update orders set state = 'review', review_reason = 'payment_mismatch'
      where player_id = p_order.player_id and billing_no = p_order.billing_no;
    perform note_order_move(p_order.player_id, p_order.billing_no, p_order.state, 'review');
  end if;
end $$;
