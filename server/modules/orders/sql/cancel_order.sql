-- Closes an order that no money is of: unpaid, or in review with nothing of it in the books. p_closed_attempts:
-- attempts that the provider has closed for good. Outcomes: cancelled, wrong_state, still_payable (an attempt may still
-- bring money, or its money is being taken now).
create or replace function cancel_order(p_player_id uuid, p_billing_no text, p_closed_attempts integer[]) returns text
  language plpgsql as $$
declare
  v_state text;
begin
  if num_nulls(p_player_id, p_billing_no, p_closed_attempts) > 0 then
    raise exception 'cancel_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform lock_reservations(p_player_id, p_billing_no);
  select state into v_state from orders
    where player_id = p_player_id and billing_no = p_billing_no and delivered_at is null
      and (is_unpaid or state = 'review' and not exists (select from ledger_entry
        where player_id = p_player_id and billing_no = p_billing_no and account = 'provider_receivable'
        having sum(amount_minor) > 0))
    for update;
  if not found then return 'wrong_state'; end if;
  perform 1 from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no order by attempt_no for update;
  if exists (select from payment_attempt
      where player_id = p_player_id and billing_no = p_billing_no and is_open
        and (attempt_no <> all (p_closed_attempts) or capture_lease_until > now())) then
    return 'still_payable';
  end if;
  update payment_attempt set state = 'failed', next_query_at = null
    where player_id = p_player_id and billing_no = p_billing_no and is_open;
  update orders set state = 'cancelled', closed_at = now() where player_id = p_player_id and billing_no = p_billing_no;
  perform note_order_move(p_player_id, p_billing_no, v_state, 'cancelled');
  perform release_reservations(p_player_id, p_billing_no);
  return 'cancelled';
end $$;
