-- Books money that a person paid back after the provider's refund had failed (book_refund_failure), once. False: no
-- refund of this attempt failed after it was done. The caller holds the attempt.
create or replace function book_repaid(p_attempt payment_attempt) returns boolean language plpgsql as $$
declare
  v_amount_minor bigint;
  v_currency text;
begin
  select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no
      and kind = 'refund_failed' and account = 'refund_owed';
  if not found or exists (select from ledger_entry
      where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
        and attempt_no = p_attempt.attempt_no and kind = 'refund_repaid') then
    return false;
  end if;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
    (p_attempt.player_id, p_attempt.billing_no, 'refund_repaid', p_attempt.attempt_no, 'refund_owed', v_amount_minor,
      v_currency),
    (p_attempt.player_id, p_attempt.billing_no, 'refund_repaid', p_attempt.attempt_no, 'provider_receivable',
      -v_amount_minor, v_currency);
  update refund set state = 'done', done_at = now(), last_error = null
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
      and attempt_no = p_attempt.attempt_no;
  insert into player_change (player_id) values (p_attempt.player_id);
  return true;
end $$;
