-- A refund could not be paid. Where it stood in the books as done, it is booked back: the player is owed the money, and
-- a person pays it (book_repaid). The rest of what followed stays: goods taken back, points, reservations. False: it was
-- told before, so nothing changed. The caller holds the attempt.
create or replace function book_refund_failure(p_attempt payment_attempt, p_reason text) returns boolean
  language plpgsql as $$
declare
  v_amount_minor bigint;
  v_currency text;
begin
  select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no
      and kind in ('refunded', 'overpayment_refunded') and account = 'provider_receivable';
  if found then
    if exists (select from ledger_entry
        where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
          and attempt_no = p_attempt.attempt_no and kind = 'refund_failed') then
      return false;
    end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_attempt.player_id, p_attempt.billing_no, 'refund_failed', p_attempt.attempt_no, 'provider_receivable',
        v_amount_minor, v_currency),
      (p_attempt.player_id, p_attempt.billing_no, 'refund_failed', p_attempt.attempt_no, 'refund_owed',
        -v_amount_minor, v_currency);
    -- A refund that was made in the provider's own pages has no row yet.
    insert into refund (player_id, billing_no, attempt_no, state, reason, requested_by, amount_minor, currency)
      values (p_attempt.player_id, p_attempt.billing_no, p_attempt.attempt_no, 'manual', 'the refund failed', 'shop',
        v_amount_minor, v_currency)
      on conflict do nothing;
  end if;
  update refund set state = 'manual', last_error = p_reason, done_at = null
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
      and attempt_no = p_attempt.attempt_no and (state <> 'done' or v_amount_minor is not null);
  insert into player_change (player_id) values (p_attempt.player_id);
  return true;
end $$;
