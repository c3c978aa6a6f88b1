-- Money of which we first learn when it is gone again: booked in, so that what follows can book it out, and a late
-- "paid" is a repetition.
-- Changes nothing where the payment is in the books already. The caller holds the order.
create or replace function book_unreported_payment(p_player_id uuid, p_billing_no text, p_attempt_no integer)
  returns void language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_is_paid_already boolean;
  v_discount_minor bigint := 0;
  v_state text;
begin
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_attempt.state not in ('sent', 'redirected', 'unknown', 'failed', 'expired') then return; end if;
  v_is_paid_already := exists (select from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded');
  if not v_is_paid_already then
    select discount_minor, state into v_discount_minor, v_state from orders
      where player_id = p_player_id and billing_no = p_billing_no;
  end if;
  update payment_attempt set state = case when v_is_paid_already then 'overpayment' else 'succeeded' end,
      succeeded_at = now(), next_query_at = null
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_player_id, p_billing_no, case when v_is_paid_already then 'overpayment' else 'paid' end, p_attempt_no,
      side.account, side.minor, v_attempt.currency
    from (values
      ('provider_receivable', v_attempt.amount_minor),
      ('promo', v_discount_minor),
      (case when v_is_paid_already then 'refund_owed' else 'goods_owed' end,
        -v_attempt.amount_minor - v_discount_minor)
    ) as side(account, minor) where side.minor <> 0;
  insert into player_change (player_id) values (p_player_id);
  if not v_is_paid_already then
    -- An order without goods to come: a person decides, unless a refund closes it in the same step.
    update orders set paid_at = now(), state = case when is_unpaid or is_lapsed(state) then 'review' else state end
      where player_id = p_player_id and billing_no = p_billing_no;
    if v_state in ('created', 'pending') or is_lapsed(v_state) then
      perform note_order_move(p_player_id, p_billing_no, v_state, 'review');
    end if;
  end if;
end $$;
