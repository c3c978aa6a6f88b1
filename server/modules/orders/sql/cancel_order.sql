-- As before; but a payment whose money is being taken at this moment (capture-store.ts) is still payable, whoever
-- was asked a moment before.
create or replace function cancel_order(p_player uuid, p_billing text,
  p_closed integer[]) returns text language plpgsql as $$
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from orders where player_id = p_player and billing_no = p_billing and delivered_at is null
    and (state in ('created', 'pending') or state = 'review'
    and not exists (select from ledger_entry where player_id = p_player and billing_no = p_billing
      and account = 'provider_receivable' having sum(amount_minor) > 0))
    for update;
  if not found then return 'wrong_state'; end if;
  perform 1 from payment_attempt where player_id = p_player and billing_no = p_billing order by attempt_no for update;
  if exists (select from payment_attempt where player_id = p_player and billing_no = p_billing
    and state in ('sent', 'redirected', 'unknown')
      and (attempt_no <> all (p_closed) or queried_at > now())) then
    return 'still_payable';
  end if;
  update payment_attempt set state = 'failed', next_query_at = null
    where player_id = p_player and billing_no = p_billing and state in ('sent', 'redirected', 'unknown');
  update orders set state = 'cancelled', closed_at = now() where player_id = p_player and billing_no = p_billing;
  perform release_reservations(p_player, p_billing);
  return 'cancelled';
end $$;
