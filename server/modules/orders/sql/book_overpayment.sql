-- A second payment of an order that is paid or settled: booked as owed back, and its refund is asked for.
create or replace function book_overpayment(p_attempt payment_attempt, p_capture_ref text) returns void
  language plpgsql as $$
begin
  insert into player_change (player_id) values (p_attempt.player_id);
  update payment_attempt set state = 'overpayment', capture_ref = coalesce(p_capture_ref, capture_ref),
      succeeded_at = now(), next_query_at = null, unreadable_reason = null
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
    (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
      'provider_receivable', p_attempt.amount_minor, p_attempt.currency),
    (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
      'refund_owed', -p_attempt.amount_minor, p_attempt.currency);
  perform request_refund(p_attempt.player_id, p_attempt.billing_no, p_attempt.attempt_no, 'paid twice', 'shop');
end $$;
