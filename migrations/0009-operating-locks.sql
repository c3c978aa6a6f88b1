-- The operator's acts in the lock order of 0007: player limit -> stock -> delivery -> order -> attempt, refund, ledger.
-- And money that a bank took back is not booked as refunded once more.

create or replace function operator_deliver(p_player uuid, p_billing text) returns text language plpgsql as $$
declare
  v_order orders;
  v_attempt integer;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  if v_order.state is null or v_order.state not in ('paid', 'delivering', 'review') then return 'wrong_state'; end if;
  select attempt_no into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded';
  if v_attempt is null then return 'not_paid'; end if;
  if exists (select from refund where player_id = p_player and billing_no = p_billing and attempt_no = v_attempt) then return 'refunding'; end if;
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = v_attempt and kind = 'chargeback') then
    return 'charged_back';
  end if;
  if not exists (select from delivery where player_id = p_player and billing_no = p_billing) then
    if not reserve_again(p_player, p_billing) then return 'nothing_left'; end if;
    insert into delivery (player_id, billing_no, game_id, mode) values (p_player, p_billing, v_order.game_id, v_order.mode);
    update orders set state = 'delivering', delivering_at = coalesce(delivering_at, now()), review_reason = null, closed_at = null
      where player_id = p_player and billing_no = p_billing;
  elsif redeliver_order(p_player, p_billing) <> 'queued' then
    return 'wrong_state';
  end if;
  perform pg_notify('refill_delivery', v_order.game_id);
  return 'queued';
end $$;

create or replace function operator_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_asked text;
begin
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  if exists (select from delivery d join payment_attempt a on a.player_id = d.player_id and a.billing_no = d.billing_no and a.attempt_no = p_attempt
      where d.player_id = p_player and d.billing_no = p_billing and d.state = 'calling' and d.next_at > now() and a.state = 'succeeded') then
    return 'delivering_now';
  end if;
  v_asked := request_refund(p_player, p_billing, p_attempt, p_reason, p_by);
  -- Undelivered and stopped for good: the order says so, and is not taken for a forgotten one.
  if v_asked = 'due' then
    update delivery set state = 'rejected', last_error = 'refund requested' where player_id = p_player and billing_no = p_billing and state = 'calling'
      and exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded');
    update orders o set state = 'refund_due' where o.player_id = p_player and o.billing_no = p_billing and o.state in ('paid', 'delivering')
      and exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded');
  end if;
  return v_asked;
end $$;

create or replace function operator_refund_done(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_refund refund;
  v_asked text;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  perform 1 from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  select * into v_refund from refund where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_refund.state = 'done' then return 'was_done'; end if;
  if v_refund.state = 'calling' and v_refund.next_at > now() then return 'refunding_now'; end if;
  if v_refund.state is null then
    v_asked := operator_refund(p_player, p_billing, p_attempt, p_reason, p_by);
    if v_asked <> 'due' then return v_asked; end if;
  end if;
  if not book_refund(p_player, p_billing, p_attempt) then return 'nothing_to_refund'; end if;
  return 'done';
end $$;

-- Books money that went back, once. What it was booked as before decides the other side.
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
      update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due');
      if found then perform release_reservations(p_player, p_billing); end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    -- A bank has it already; a provider that also says "refunded" (Xsolla's order_canceled) speaks of the same money.
    if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and kind = 'chargeback') then
      return false;
    end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'refunded', p_attempt, case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end, v_attempt.amount_minor, v_attempt.currency),
      (p_player, p_billing, 'refunded', p_attempt, 'provider_receivable', -v_attempt.amount_minor, v_attempt.currency)
      on conflict do nothing;
    if not found then return false; end if;
    update delivery set state = 'rejected', last_error = 'refunded' where player_id = p_player and billing_no = p_billing and state in ('queued', 'unknown', 'dead');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing;
    if v_order.delivered_at is null then perform release_reservations(p_player, p_billing); end if;
  else
    return false;
  end if;
  update refund set state = 'done', done_at = now(), last_error = null where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  return true;
end $$;

create view invariant_i14_returned_once as
  select player_id, billing_no, attempt_no, currency, sum(amount_minor) as left_over from ledger_entry where account = 'provider_receivable'
  group by 1, 2, 3, 4 having sum(amount_minor) < 0;
comment on view invariant_i14_returned_once is 'No payment gave back more than it had brought.';
