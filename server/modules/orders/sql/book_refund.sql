-- As before, and what was paid in place is given back in the same step.
create or replace function book_refund(p_player uuid, p_billing text, p_attempt integer) returns boolean language plpgsql as $$
declare
  v_order orders;
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  -- A bank has it already; a provider that also says "refunded" (Xsolla's order_canceled) speaks of the same money.
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and kind = 'chargeback') then
    return false;
  end if;
  if v_attempt.state in ('surplus', 'mismatch') then
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
    if not found then return false; end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'surplus_refunded', p_attempt, 'refund_owed', v_amount, v_currency),
      (p_player, p_billing, 'surplus_refunded', p_attempt, 'provider_receivable', -v_amount, v_currency)
      on conflict do nothing;
    if not found then return false; end if;
    if v_attempt.state = 'mismatch' then
      -- Unless another payment of the order is here: then that one waits for its decision.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due') and not exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.state = 'succeeded');
      if found then perform release_reservations(p_player, p_billing); end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player, p_billing, 'refunded', p_attempt, side.account, side.minor, v_attempt.currency
      from (values (case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end, v_attempt.amount_minor + v_order.discount_minor),
        ('provider_receivable', -v_attempt.amount_minor), ('promo', -v_order.discount_minor)) as side(account, minor) where side.minor <> 0
      on conflict do nothing;
    if not found then return false; end if;
    perform stop_delivery(p_player, p_billing, 'refunded');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing;
    if v_order.delivered_at is null then perform release_reservations(p_player, p_billing); end if;
  else
    return false;
  end if;
  perform return_in_place(v_attempt);
  update refund set state = 'done', done_at = now(), last_error = null where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  return true;
end $$;
