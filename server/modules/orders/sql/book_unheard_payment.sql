-- As before, with the shop's own part of the price in the books.
create or replace function book_unheard_payment(p_player uuid, p_billing text, p_attempt integer) returns void language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_is_paid_already boolean;
  v_discount bigint := 0;
begin
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state not in ('sent', 'redirected', 'unknown', 'failed', 'expired') then return; end if;
  v_is_paid_already := exists (select from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded');
  if not v_is_paid_already then
    select discount_minor into v_discount from orders where player_id = p_player and billing_no = p_billing;
  end if;
  update payment_attempt set state = case when v_is_paid_already then 'surplus' else 'succeeded' end, succeeded_at = now(), next_query_at = null
    where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_player, p_billing, case when v_is_paid_already then 'surplus' else 'paid' end, p_attempt, side.account, side.minor, v_attempt.currency
    from (values ('provider_receivable', v_attempt.amount_minor), ('promo', v_discount),
      (case when v_is_paid_already then 'refund_owed' else 'goods_owed' end, -v_attempt.amount_minor - v_discount)) as side(account, minor) where side.minor <> 0;
  if not v_is_paid_already then
    -- An order without goods to come: a person looks, unless a refund closes it in the same step.
    update orders set paid_at = now(), state = case when state in ('created', 'pending', 'failed', 'expired', 'cancelled') then 'review' else state end
      where player_id = p_player and billing_no = p_billing;
  end if;
end $$;
