-- Books money that a bank took back, once. Only the payment that paid the order stops its goods; an overpayment is
-- just not owed any more.
-- p_amount_minor: what was taken, where the provider says so in the payment's currency; null: all that was left of it.
-- Fees on top of the payment are no part of it.
-- False: nothing of it stood in the books. Then goods of the order go out only by a person's word.
create or replace function book_chargeback(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_amount_minor bigint
) returns boolean language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_locked record;
  v_order orders;
  v_attempt payment_attempt;
  v_whole_minor bigint;
  v_amount_minor bigint;
  v_currency text;
  v_state text;
  v_is_new boolean;
  v_is_whole boolean;
begin
  v_locked := lock_payment(p_player_id, p_billing_no, p_attempt_no);
  insert into player_change (player_id) values (p_player_id);
  v_order := v_locked.locked_order;
  v_attempt := v_locked.locked_attempt;
  v_is_new := v_order.review_reason is distinct from 'chargeback';
  if exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and kind in ('refunded', 'overpayment_refunded', 'chargeback')) then
    update orders set review_reason = 'chargeback' where player_id = p_player_id and billing_no = p_billing_no;
    perform note_order_move(p_player_id, p_billing_no, v_order.state, v_order.state, v_is_new);
    return false;
  end if;
  if v_attempt.state = 'succeeded' then
    v_whole_minor := v_attempt.amount_minor - refunded_parts(p_player_id, p_billing_no, p_attempt_no);
    v_amount_minor := case when p_amount_minor > 0 then least(v_whole_minor, p_amount_minor) else v_whole_minor end;
    v_is_whole := v_amount_minor >= v_whole_minor;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no,
        'chargeback_loss', v_amount_minor, v_attempt.currency),
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no,
        'provider_receivable', -v_amount_minor, v_attempt.currency);
    perform stop_delivery(p_player_id, p_billing_no, 'chargeback');
    perform block_again(p_player_id, p_billing_no, 'chargeback');
    update orders set review_reason = 'chargeback',
        refunded_minor = least(coalesce(refunded_minor, 0) + v_amount_minor, amount_minor),
        state = case
          when state in ('paid', 'delivering') then 'review'
          when state = 'refund_due' and v_is_whole then 'refunded' else state end,
        refunded_at = case when state = 'refund_due' and v_is_whole then v_now else refunded_at end,
        closed_at = case when state = 'refund_due' and v_is_whole then v_now else closed_at end
      where player_id = p_player_id and billing_no = p_billing_no returning state into v_state;
    perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state, v_is_new);
    if v_order.points > 0 then perform settle_points(p_player_id, p_billing_no, 'chargeback'); end if;
    if v_order.share_minor > 0 then perform settle_share(p_player_id, p_billing_no, 'chargeback'); end if;
    if v_order.state = 'refund_due' and v_is_whole then
      perform release_reservations(p_player_id, p_billing_no);
    end if;
  else
    select -amount_minor, currency into v_whole_minor, v_currency from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and kind = 'overpayment'
        and attempt_no = p_attempt_no and account = 'refund_owed';
    if not found then
      -- Nothing of it is ours yet. A payment that comes after all is booked, and its goods wait; of one that differed
      -- the bank's word is found then (apply_report).
      update orders set review_reason = 'chargeback',
          state = case when v_attempt.state <> 'mismatch' and (is_unpaid or is_lapsed(state)) then 'review'
            else state end
        where player_id = p_player_id and billing_no = p_billing_no returning state into v_state;
      perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state, v_is_new);
      return false;
    end if;
    v_whole_minor := v_whole_minor - refunded_parts(p_player_id, p_billing_no, p_attempt_no);
    v_amount_minor := case when p_amount_minor > 0 then least(v_whole_minor, p_amount_minor) else v_whole_minor end;
    v_is_whole := v_amount_minor >= v_whole_minor;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no, 'refund_owed', v_amount_minor, v_currency),
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no, 'provider_receivable', -v_amount_minor, v_currency);
    if v_attempt.state = 'mismatch' and v_is_whole then
      -- The money that was owed back is back: nothing is left to decide.
      update orders set state = 'refunded', refunded_at = v_now, closed_at = v_now, review_reason = 'chargeback'
        where player_id = p_player_id and billing_no = p_billing_no and state in ('review', 'refund_due')
          and not exists (select from payment_attempt a
            where a.player_id = p_player_id and a.billing_no = p_billing_no and a.state = 'succeeded');
      if found then
        perform note_order_move(p_player_id, p_billing_no, v_order.state, 'refunded', v_is_new);
        perform release_reservations(p_player_id, p_billing_no);
      end if;
    end if;
  end if;
  -- Of a part, the rest of a promised refund is still owed.
  if not v_is_whole then
    perform lessen_refund(p_player_id, p_billing_no, p_attempt_no, v_amount_minor);
    return true;
  end if;
  -- A refund that was promised is kept by the bank: asking the provider as well would pay twice.
  update refund set state = 'done', done_at = v_now, last_error = 'chargeback'
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no and state <> 'done';
  return true;
end $$;
