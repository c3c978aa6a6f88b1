-- Books a verified payment that equals its attempt, queues the delivery or takes it for p_lease, and keeps the
-- callback.
-- The caller (apply_report) holds the order and the attempt, and the counters where the order is closed or in review.
-- Outcomes: paid; late_paid (the order was closed, and all that it needs could be reserved again); late_refused (it
-- could not: refunded).
create or replace function book_payment(
  p_order orders, p_attempt payment_attempt, p_provider_ref text, p_capture_ref text,
  p_exchange jsonb, p_callback jsonb, p_lease interval, p_must_notify boolean
) returns jsonb language plpgsql as $$
declare
  v_now constant timestamptz := now();
  -- In review only because nobody could read what was paid: it goes on as if it had been read at once.
  v_was_unreadable boolean := p_order.state = 'review' and p_order.review_reason = 'payment_unreadable';
  v_outcome text := 'late_refused';
  v_is_going_out boolean;
  v_state text;
  v_facts jsonb;
begin
  if p_order.is_unpaid or (v_was_unreadable and p_order.closed_at is null) then
    v_outcome := 'paid';
  elsif (is_lapsed(p_order.state) or v_was_unreadable) and reserve_again(p_order.player_id, p_order.billing_no) then
    v_outcome := 'late_paid';
  end if;
  v_is_going_out := v_outcome <> 'late_refused';
  v_state := case when v_is_going_out and p_lease is null then 'paid' when v_is_going_out then 'delivering'
    when p_order.state = 'review' then 'review' else 'refund_due' end;
  if p_callback is not null then
    perform keep_callback(p_attempt.provider, p_callback, 'applied', v_outcome, p_order.player_id, p_order.billing_no);
  end if;
  -- One statement for what every payment needs: each more would have to be begun. A booking has to be one in any case
  -- (ledger_check_balance).
  with succeeded as (
    update payment_attempt set state = 'succeeded', succeeded_at = v_now,
        capture_ref = coalesce(p_capture_ref, capture_ref), reported_minor = null, reported_currency = null,
        unreadable_reason = null, provider_ref = coalesce(provider_ref, p_provider_ref), next_query_at = null,
        exchange = exchange || coalesce(p_exchange, '{}')
      where player_id = p_order.player_id and billing_no = p_order.billing_no and attempt_no = p_attempt.attempt_no
  ), booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_order.player_id, p_order.billing_no, 'paid', p_attempt.attempt_no, e.account, e.amount_minor,
        p_attempt.currency
      from (values ('provider_receivable', p_attempt.amount_minor), ('promo', p_order.discount_minor),
        ('goods_owed', -p_attempt.amount_minor - p_order.discount_minor)) as e(account, amount_minor)
      where e.amount_minor <> 0
  ), queued as (
    insert into delivery (player_id, billing_no, game_id, state, tries, next_at)
      select p_order.player_id, p_order.billing_no, p_order.game_id,
        case when p_lease is null then 'queued' else 'calling' end, case when p_lease is null then 0 else 1 end,
        v_now + coalesce(p_lease, interval '0')
      where v_is_going_out
  ), noted as (
    insert into player_change (player_id) values (p_order.player_id)
  )
  update orders set paid_at = v_now, is_late = v_outcome <> 'paid', state = v_state,
      delivering_at = case when v_is_going_out and p_lease is not null then v_now else delivering_at end,
      closed_at = case when v_is_going_out then null else closed_at end,
      review_reason = case when v_is_going_out and v_was_unreadable then null when v_is_going_out then review_reason
        else coalesce(review_reason, 'late_payment_without_stock') end
    where player_id = p_order.player_id and billing_no = p_order.billing_no;
  perform note_order_move(p_order.player_id, p_order.billing_no, p_order.state, v_state);
  if v_outcome = 'late_refused' and p_order.state <> 'review' then
    perform request_refund(p_order.player_id, p_order.billing_no, p_attempt.attempt_no, 'paid too late', 'shop');
  end if;

  if v_is_going_out and p_lease is null and p_must_notify then
    perform pg_notify('refill_delivery', p_order.game_id);
  end if;
  if v_is_going_out and p_lease is not null then
    -- As the rows are now, for recovery_facts tells them later.
    p_order.paid_at := v_now;
    p_attempt.capture_ref := coalesce(p_capture_ref, p_attempt.capture_ref);
    p_attempt.provider_ref := coalesce(p_attempt.provider_ref, p_provider_ref);
    v_facts := describe_paid_order(p_order, p_attempt);
  end if;
  return paid_answer(p_order, p_attempt.attempt_no, v_outcome, v_facts);
end $$;
