-- Money that is taken back, whenever it is heard of. Found by the seeded simulation (chaos/seeds.ts); each case has a test in
-- server/modules/orders/money-back.test.ts.
-- Lock order as in 0007: player limit -> stock -> delivery -> order -> attempt, refund, ledger.

-- Stops the delivery of an order whose money is gone. A call may be under way, or have ended in doubt: then the goods may be there, nobody
-- asks with the same key again (that could hand them over only now), and the game is asked to take them back. An answer "done" that
-- still comes is believed as ever.
create function stop_delivery(p_player uuid, p_billing text, p_why text) returns void language plpgsql as $$
declare
  v_tries integer;
begin
  update delivery set state = 'rejected', last_error = p_why
    where player_id = p_player and billing_no = p_billing and state in ('queued', 'calling', 'unknown', 'dead') returning tries into v_tries;
  if v_tries > 0 then
    -- Longer than a grant may take (10 s) and its lease (15 s), so that the game hears of the revocation last.
    insert into revocation (player_id, billing_no, game_id, mode, reason, next_at)
      select player_id, billing_no, game_id, mode, case p_why when 'chargeback' then 'chargeback' else 'refund' end, now() + interval '30 seconds' from orders where player_id = p_player and billing_no = p_billing
      on conflict do nothing;
  end if;
end $$;

-- Books a payment that was never reported as paid, because the report that it is gone again overtook it. The caller goes on with that.
create function book_unheard_payment(p_player uuid, p_billing text, p_attempt integer) returns void language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_is_paid_already boolean;
begin
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state not in ('sent', 'redirected', 'unknown', 'failed', 'expired') then return; end if;
  v_is_paid_already := exists (select from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded');
  update payment_attempt set state = case when v_is_paid_already then 'surplus' else 'succeeded' end, succeeded_at = now(), next_query_at = null
    where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_player, p_billing, case when v_is_paid_already then 'surplus' else 'paid' end, p_attempt, side.account, side.sign * v_attempt.amount_minor, v_attempt.currency
    from (values ('provider_receivable', 1), (case when v_is_paid_already then 'refund_owed' else 'goods_owed' end, -1)) as side(account, sign);
  if not v_is_paid_already then
    -- An order without goods to come: a person looks, unless a refund closes it in the same step.
    update orders set paid_at = now(), state = case when state in ('created', 'pending', 'failed', 'expired', 'cancelled') then 'review' else state end
      where player_id = p_player and billing_no = p_billing;
  end if;
end $$;

-- Books money that a bank took back, once. Only the payment that paid the order stops its goods; one beside it is just not owed any more.
create function book_chargeback(p_player uuid, p_billing text, p_attempt integer) returns boolean language plpgsql as $$
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
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt
      and kind in ('refunded', 'surplus_refunded', 'chargeback')) then
    update orders set review_reason = 'chargeback' where player_id = p_player and billing_no = p_billing;
    return false;
  end if;
  if v_attempt.state = 'succeeded' then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'chargeback', p_attempt, 'chargeback_loss', v_attempt.amount_minor, v_attempt.currency),
      (p_player, p_billing, 'chargeback', p_attempt, 'provider_receivable', -v_attempt.amount_minor, v_attempt.currency);
    perform stop_delivery(p_player, p_billing, 'chargeback');
    update orders set review_reason = 'chargeback',
        state = case when state in ('paid', 'delivering') then 'review' when state = 'refund_due' then 'refunded' else state end,
        refunded_at = case when state = 'refund_due' then now() else refunded_at end, closed_at = case when state = 'refund_due' then now() else closed_at end
      where player_id = p_player and billing_no = p_billing;
    if v_order.state = 'refund_due' then perform release_reservations(p_player, p_billing); end if;
  else
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
    if not found then
      -- Nothing of it was ever ours.
      update orders set review_reason = 'chargeback' where player_id = p_player and billing_no = p_billing;
      return false;
    end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'chargeback', p_attempt, 'refund_owed', v_amount, v_currency),
      (p_player, p_billing, 'chargeback', p_attempt, 'provider_receivable', -v_amount, v_currency);
    if v_attempt.state = 'mismatch' then
      -- What was owed back is back: there is nothing left to decide.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now(), review_reason = 'chargeback' where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due') and not exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.state = 'succeeded');
      if found then perform release_reservations(p_player, p_billing); end if;
    end if;
  end if;
  -- A refund that was promised is kept by the bank: asking the provider as well would pay twice.
  update refund set state = 'done', done_at = now(), last_error = 'chargeback'
    where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and state <> 'done';
  return true;
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
      -- Unless another payment of the order is here: then that one waits for its decision.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due') and not exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.state = 'succeeded');
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
    perform stop_delivery(p_player, p_billing, 'refunded');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing;
    if v_order.delivered_at is null then perform release_reservations(p_player, p_billing); end if;
  else
    return false;
  end if;
  update refund set state = 'done', done_at = now(), last_error = null where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  return true;
end $$;

-- Asks for money to go back; the row is the promise, a worker keeps it. Outcomes: due, exists, nothing_to_refund.
create or replace function request_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state = 'succeeded' then
    v_amount := v_attempt.amount_minor;
    v_currency := v_attempt.currency;
  else
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
  end if;
  if v_amount is null or exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt
      and kind in ('refunded', 'surplus_refunded', 'chargeback')) then
    return 'nothing_to_refund';
  end if;
  insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
    values (p_player, p_billing, p_attempt, p_reason, p_by, v_amount, v_currency) on conflict do nothing;
  if not found then return 'exists'; end if;
  -- Nothing may be delivered for money that is on its way back.
  update orders set state = 'refund_due' where player_id = p_player and billing_no = p_billing and state = 'review' and v_attempt.state <> 'surplus';
  if v_attempt.state = 'succeeded' then perform stop_delivery(p_player, p_billing, 'refund requested'); end if;
  return 'due';
end $$;

-- Takes in what a provider says of a payment, as before but for the two kinds of money that is taken back.
create or replace function apply_report(p jsonb) returns jsonb language plpgsql as $$
declare
  v_provider text := p ->> 'provider';
  v_status text := p ->> 'status';
  v_player uuid;
  v_billing text := p ->> 'billing_no';
  v_attempt_no integer := (p ->> 'attempt_no')::integer;
  v_order orders;
  v_attempt payment_attempt;
  v_inbox text;
  v_outcome text := 'noted';
  v_wake boolean := false;
  v_state text;
  v_has_reservation boolean;
  v_is_paid_already boolean;
  v_both record;
  v_is_heard boolean := false;
begin
  if p ->> 'dedup_key' is not null then
    insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, next_try_at)
      values (v_provider, p ->> 'dedup_key', p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', now() + interval '2 seconds')
      on conflict (provider, dedup_key) do nothing;
    if not found then
      select state into v_inbox from callback_inbox where provider = v_provider and dedup_key = p ->> 'dedup_key' for update;
      if v_inbox <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
    end if;
  end if;

  -- Who and what in one look: the player behind our number, or behind the provider's own reference when it names no other.
  if v_billing is null and p ->> 'provider_ref' is not null then
    select billing_no, attempt_no into v_billing, v_attempt_no from provider_reference where provider = v_provider and provider_ref = p ->> 'provider_ref';
  end if;
  select l.player_id, o.state, exists (select from reservation r where r.player_id = l.player_id and r.billing_no = l.billing_no)
    into v_player, v_state, v_has_reservation
    from order_lookup l
    join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no and o.mode = p ->> 'mode'
    join payment_attempt a on a.player_id = l.player_id and a.billing_no = l.billing_no and a.attempt_no = v_attempt_no and a.provider = v_provider
    where l.billing_no = v_billing;
  if v_player is null then
    -- It may have come before our own commit: kept, tried again for 24 hours.
    update callback_inbox set tries = tries + 1, next_try_at = now() + make_interval(secs => least(3600, 2 * power(2, tries))),
        state = case when received_at < now() - interval '24 hours' then 'dead' else 'stored' end, outcome = 'unknown_order'
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
    return jsonb_build_object('outcome', 'unknown_order');
  end if;

  -- Only money for a closed order, or the end of an open one, touches counters: then they are locked first, as everywhere.
  if v_has_reservation and (v_status in ('failed', 'expired', 'cancelled') or (v_status = 'paid' and v_state in ('failed', 'expired', 'cancelled'))) then
    perform lock_reservations(v_player, v_billing);
  end if;
  if v_status in ('refunded', 'chargeback') then
    perform lock_reservations(v_player, v_billing);
    perform 1 from delivery where player_id = v_player and billing_no = v_billing for update;
  end if;
  select o as o, a as a, exists (select from payment_attempt s where s.player_id = v_player and s.billing_no = v_billing and s.state = 'succeeded') as paid
    into v_both
    from orders o join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = v_attempt_no
    where o.player_id = v_player and o.billing_no = v_billing for update of o, a;
  v_order := v_both.o;
  v_attempt := v_both.a;
  v_is_paid_already := v_both.paid;

  if v_status = 'paid' then
    if v_attempt.state in ('succeeded', 'surplus') then
      v_outcome := 'duplicate';
    elsif not (p ->> 'merchant_ok')::boolean or (p ->> 'amount_minor')::bigint is distinct from v_attempt.amount_minor
          or p ->> 'currency' is distinct from v_attempt.currency then
      v_outcome := 'mismatch';
      update payment_attempt set state = 'mismatch', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), next_query_at = null,
          reported_minor = (p ->> 'amount_minor')::bigint, reported_currency = p ->> 'currency'
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      -- Money that is ours but not what was asked is owed back until a person decides; another merchant's money is not ours to book.
      if (p ->> 'merchant_ok')::boolean and (p ->> 'amount_minor')::bigint > 0 then
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
          (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', (p ->> 'amount_minor')::bigint, p ->> 'currency'),
          (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -(p ->> 'amount_minor')::bigint, p ->> 'currency');
      end if;
      if v_order.state in ('created', 'pending', 'failed', 'expired', 'cancelled') then
        update orders set state = 'review', review_reason = 'payment_mismatch' where player_id = v_player and billing_no = v_billing;
      end if;
    elsif v_order.state in ('paid', 'delivering', 'delivered', 'refunded', 'refund_due')
          or v_is_paid_already then
      v_outcome := 'surplus';
      update payment_attempt set state = 'surplus', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), succeeded_at = now(), next_query_at = null
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -v_attempt.amount_minor, v_attempt.currency);
      perform request_refund(v_player, v_billing, v_attempt_no, 'paid twice', 'shop');
    else
      if v_order.state in ('created', 'pending') then
        v_outcome := 'paid';
      elsif v_order.state in ('failed', 'expired', 'cancelled') and reserve_again(v_player, v_billing) then
        v_outcome := 'late_paid';
      else
        v_outcome := 'late_refused';
      end if;
      v_wake := v_outcome <> 'late_refused';
      with attempt as (
        update payment_attempt set state = 'succeeded', succeeded_at = now(), capture_ref = coalesce(p ->> 'capture_ref', capture_ref),
            provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = null, exchange = exchange || coalesce(p -> 'exchange', '{}')
          where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no
      ), booked as (
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
          (v_player, v_billing, 'paid', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
          (v_player, v_billing, 'paid', v_attempt_no, 'goods_owed', -v_attempt.amount_minor, v_attempt.currency)
      ), queued as (
        insert into delivery (player_id, billing_no, game_id, mode) select v_player, v_billing, v_order.game_id, v_order.mode where v_wake
      ), heard as (
        update callback_inbox set state = 'applied', outcome = v_outcome, player_id = v_player, billing_no = v_billing, applied_at = now(), next_try_at = null
          where provider = v_provider and dedup_key = p ->> 'dedup_key'
      )
      update orders set paid_at = now(),
          state = case when v_wake then 'paid' when v_order.state = 'review' then 'review' else 'refund_due' end,
          is_late = v_outcome <> 'paid', closed_at = case when v_wake then null else closed_at end,
          review_reason = case when v_wake then review_reason else coalesce(review_reason, 'late_payment_without_stock') end
        where player_id = v_player and billing_no = v_billing;
      if v_outcome = 'late_refused' and v_order.state <> 'review' then
        perform request_refund(v_player, v_billing, v_attempt_no, 'paid too late', 'shop');
      end if;
      v_is_heard := true;
    end if;

  elsif v_status in ('failed', 'expired') then
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'closed';
      update payment_attempt set state = v_status, next_query_at = null where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      update orders set state = v_status, closed_at = now() where player_id = v_player and billing_no = v_billing
        and state in ('created', 'pending') and current_attempt = v_attempt_no;
      if found then perform release_reservations(v_player, v_billing); end if;
    end if;

  elsif v_status = 'declined' then
    -- This try was refused, the page can be paid again: the order stays open and says so.
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'declined';
      update payment_attempt set declined_at = now() where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
    end if;

  elsif v_status = 'approved' then
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'approved';
      update payment_attempt set approved_at = coalesce(approved_at, now()), provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = now()
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
    end if;

  elsif v_status = 'refunded' then
    if (p ->> 'amount_minor')::bigint is distinct from coalesce(v_attempt.reported_minor, v_attempt.amount_minor)
       or p ->> 'currency' is distinct from coalesce(v_attempt.reported_currency, v_attempt.currency) then
      -- Only a part came back, or nobody says how much: the books wait for a person.
      v_outcome := 'partial_refund';
      update orders set review_reason = 'partial_refund', state = case when state in ('paid', 'delivering') then 'review' else state end
        where player_id = v_player and billing_no = v_billing;
    else
      -- Money of which we first hear now that it is gone again: booked in and out, so that a late "paid" is a repetition.
      if (p ->> 'merchant_ok')::boolean then perform book_unheard_payment(v_player, v_billing, v_attempt_no); end if;
      if book_refund(v_player, v_billing, v_attempt_no) then v_outcome := 'refunded'; end if;
    end if;

  elsif v_status = 'refund_failed' then
    v_outcome := 'refund_failed';
    update refund set state = 'manual', last_error = coalesce(p ->> 'reason', 'the provider could not refund')
      where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no and state <> 'done';

  elsif v_status = 'chargeback' then
    v_outcome := 'chargeback';
    if (p ->> 'merchant_ok')::boolean and (p ->> 'amount_minor')::bigint is not distinct from v_attempt.amount_minor
       and p ->> 'currency' is not distinct from v_attempt.currency then
      perform book_unheard_payment(v_player, v_billing, v_attempt_no);
    end if;
    perform book_chargeback(v_player, v_billing, v_attempt_no);
  end if;

  if p ->> 'dedup_key' is not null and not v_is_heard then
    update callback_inbox set state = case when v_outcome in ('noted', 'duplicate') then 'ignored' else 'applied' end, outcome = v_outcome,
        player_id = v_player, billing_no = v_billing, applied_at = now(), next_try_at = null
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
  end if;
  if v_wake and (p ->> 'notify')::boolean then perform pg_notify('refill_delivery', v_order.game_id); end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', v_player, 'billing_no', v_billing, 'attempt_no', v_attempt_no, 'game_id', v_order.game_id);
end $$;

-- Calls off an unpaid order, or one in review that no money is left of (charged back, or paid to somebody else): nothing else could close it.
-- `p_closed`: the attempts of which the provider has said that no money can come any more.
-- Outcomes: cancelled, wrong_state, still_payable (an attempt is open that is not among them).
create or replace function cancel_order(p_player uuid, p_billing text, p_closed integer[]) returns text language plpgsql as $$
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from orders where player_id = p_player and billing_no = p_billing and delivered_at is null and (state in ('created', 'pending') or state = 'review'
    and not exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and account = 'provider_receivable' having sum(amount_minor) > 0))
    for update;
  if not found then return 'wrong_state'; end if;
  perform 1 from payment_attempt where player_id = p_player and billing_no = p_billing order by attempt_no for update;
  if exists (select from payment_attempt where player_id = p_player and billing_no = p_billing and state in ('sent', 'redirected', 'unknown')
      and attempt_no <> all (p_closed)) then
    return 'still_payable';
  end if;
  update payment_attempt set state = 'failed', next_query_at = null
    where player_id = p_player and billing_no = p_billing and state in ('sent', 'redirected', 'unknown');
  update orders set state = 'cancelled', closed_at = now() where player_id = p_player and billing_no = p_billing;
  perform release_reservations(p_player, p_billing);
  return 'cancelled';
end $$;
