-- Books that the money of one attempt went back, once: what parts of it and the bank left. An internal tender gets it
-- back in the same step. False: nothing was left to book.
create or replace function book_refund(p_player_id uuid, p_billing_no text, p_attempt_no integer) returns boolean
  language plpgsql as $$
declare
  v_locked record;
  v_order orders;
  v_attempt payment_attempt;
  v_amount_minor bigint;
  v_currency text;
  v_parts_minor bigint;
  v_taken_minor bigint;
begin
  v_locked := lock_payment(p_player_id, p_billing_no, p_attempt_no);
  insert into player_change (player_id) values (p_player_id);
  v_order := v_locked.locked_order;
  v_attempt := v_locked.locked_attempt;
  -- Back already, or the bank has all of it: a provider that also says "refunded" (Xsolla's order_canceled) speaks of
  -- the same money. Asked under the lock: how many rows `on conflict do nothing` left out is not told on a database that is
  -- spread over machines.
  if exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and kind in ('refunded', 'overpayment_refunded')) then
    return false;
  end if;
  v_parts_minor := refunded_parts(p_player_id, p_billing_no, p_attempt_no);
  v_taken_minor := charged_back(p_player_id, p_billing_no, p_attempt_no);
  if v_attempt.state in ('overpayment', 'mismatch') then
    select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and kind = 'overpayment'
        and attempt_no = p_attempt_no and account = 'refund_owed';
    if not found then return false; end if;
    v_amount_minor := v_amount_minor - v_parts_minor - v_taken_minor;
    if v_amount_minor <= 0 then return false; end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player_id, p_billing_no, 'overpayment_refunded', p_attempt_no,
        'refund_owed', v_amount_minor, v_currency),
      (p_player_id, p_billing_no, 'overpayment_refunded', p_attempt_no,
        'provider_receivable', -v_amount_minor, v_currency);
    if v_attempt.state = 'mismatch' then
      -- Unless another payment of the order is here: then that one waits for its decision.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now()
        where player_id = p_player_id and billing_no = p_billing_no and state in ('review', 'refund_due')
          and not exists (select from payment_attempt a
            where a.player_id = p_player_id and a.billing_no = p_billing_no and a.state = 'succeeded');
      if found then
        perform note_order_move(p_player_id, p_billing_no, v_order.state, 'refunded');
        perform release_reservations(p_player_id, p_billing_no);
      end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    if v_attempt.amount_minor - v_parts_minor - v_taken_minor <= 0 then return false; end if;
    -- Revenue is taken back whole, so what the bank took of it is no loss beside.
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player_id, p_billing_no, 'refunded', p_attempt_no, side.account, sum(side.minor), v_attempt.currency
      from (values
        (case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end,
          v_attempt.amount_minor + v_order.discount_minor),
        ('provider_receivable', v_parts_minor + v_taken_minor - v_attempt.amount_minor),
        ('promo', -v_order.discount_minor),
        ('revenue', -v_parts_minor),
        ('chargeback_loss', -v_taken_minor)
      ) as side(account, minor) group by side.account having sum(side.minor) <> 0;
    perform stop_delivery(p_player_id, p_billing_no, 'refunded');
    perform block_again(p_player_id, p_billing_no, 'refund');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now(), refunded_minor = amount_minor
      where player_id = p_player_id and billing_no = p_billing_no;
    perform note_order_move(p_player_id, p_billing_no, v_order.state, 'refunded');
    if v_order.points > 0 then perform settle_points(p_player_id, p_billing_no, 'refunded'); end if;
    if v_order.share_minor > 0 then perform settle_share(p_player_id, p_billing_no, 'refunded'); end if;
    if v_order.delivered_at is null then perform release_reservations(p_player_id, p_billing_no); end if;
  else
    return false;
  end if;
  perform refund_internal_tender(v_attempt);
  update refund set state = 'done', done_at = now(), last_error = null
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  return true;
end $$;
