-- Applies what a provider says of one payment attempt. All reports about an order pass its row lock one after another,
-- so that whatever order they come in, and however often, the end is the same.
--
-- p_status: paid, paid_unreadable (the provider has the money, we cannot read how much), approved, declined (this try;
-- the page can be paid again), failed and expired (final: no money will come), refunded, refund_failed, chargeback;
-- pending and unknown change nothing.
-- p_is_our_merchant: the provider's answer names our account. Unless it is true nothing is booked, in no branch.
-- p_amount_minor and p_currency: null where the provider does not say. p_callback: see receive_report. p_lease: given
-- by a process with room to call the game, which then holds the delivery for so long; null queues it.
-- Answers {outcome, player_id, billing_no, attempt_no, game_id, delivery?}: ReportOutcome in store.ts.
create or replace function apply_report(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_status text,
  p_is_our_merchant boolean, p_provider_ref text, p_capture_ref text, p_amount_minor bigint, p_currency text,
  p_reason text, p_exchange jsonb, p_callback jsonb, p_lease interval, p_must_notify boolean
) returns jsonb language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_attempt payment_attempt;
  v_state text;
  v_review_reason text;
  v_has_reservation boolean;
  v_is_paid_already boolean;
  v_both record;
  v_inbox_state text;
  v_outcome text := 'noted';
  v_differs boolean;
  v_is_charged_back boolean;
  v_whole_minor bigint;
  v_is_in_currency boolean;
  v_is_part boolean;
  v_is_last_part boolean := false;
  v_answer jsonb;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_provider, p_status, p_must_notify) > 0 then
    raise exception 'apply_report: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_status not in ('pending', 'unknown', 'approved', 'paid', 'paid_unreadable', 'declined', 'failed', 'expired',
      'refunded', 'refund_failed', 'chargeback') then
    raise exception 'apply_report: there is no status %', p_status using errcode = 'invalid_parameter_value';
  end if;

  select o.state, o.review_reason,
      exists (select from reservation r where r.player_id = p_player_id and r.billing_no = p_billing_no)
    into v_state, v_review_reason, v_has_reservation
    from orders o join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no
    where o.player_id = p_player_id and o.billing_no = p_billing_no and a.attempt_no = p_attempt_no
      and a.provider = p_provider;
  if not found then return jsonb_build_object('outcome', 'unknown_order'); end if;
  -- Only money for an order that is closed or in review, or the end of an open one, touches counters: then they
  -- are locked first.
  if p_status = 'paid' and (is_lapsed(v_state) or v_state = 'review') then
    -- The player's spending is counted again (reserve_again).
    perform 1 from player where player_id = p_player_id for no key update;
  end if;
  if v_has_reservation and (p_status in ('failed', 'expired')
      or (p_status = 'paid' and (is_lapsed(v_state) or v_state = 'review'))) then
    perform lock_reservations(p_player_id, p_billing_no);
  elsif p_status in ('refunded', 'chargeback') then
    perform lock_reservations(p_player_id, p_billing_no);
    perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  end if;
  select o as o, a as a, exists (select from payment_attempt s
      where s.player_id = p_player_id and s.billing_no = p_billing_no and s.state = 'succeeded') as paid
    into v_both from orders o join payment_attempt a
      on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = p_attempt_no
    where o.player_id = p_player_id and o.billing_no = p_billing_no for update of o, a;
  v_order := v_both.o;
  v_attempt := v_both.a;
  if p_status = 'paid' and (is_lapsed(v_order.state) or v_order.state = 'review')
     and (is_lapsed(v_state) or v_state = 'review') is not true then
    -- It was closed while we waited for it. Its counters are locked out of turn: of two that wait for each other
    -- PostgreSQL ends one, and a report that is ended is told again.
    perform 1 from player where player_id = p_player_id for no key update;
    if v_has_reservation then perform lock_reservations(p_player_id, p_billing_no); end if;
  end if;
  v_is_paid_already := v_both.paid;
  -- The lock is held now, so only now is it certain whether this callback was received before.
  if p_callback is not null then
    select state into v_inbox_state from callback_inbox
      where provider = p_provider and dedup_key = p_callback ->> 'dedup_key';
    if v_inbox_state <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
  end if;

  if p_status = 'paid' then
    if v_attempt.state in ('succeeded', 'overpayment')
      or (v_attempt.state = 'mismatch' and is_mismatch_booked(v_attempt)) then
      v_outcome := 'duplicate';
    else
      v_differs := p_is_our_merchant is not true or p_amount_minor is distinct from v_attempt.amount_minor
        or p_currency is distinct from v_attempt.currency;
      -- A chargeback that came first booked nothing of a payment that differs, and the bank does not send it again. Of
      -- an open payment it is booked at once.
      v_is_charged_back := (v_differs or v_attempt.state = 'mismatch') and exists (select 1 from callback_inbox i
        where i.billing_no = p_billing_no and i.provider = p_provider and i.outcome = 'chargeback'
          and i.reference = p_billing_no || '-' || p_attempt_no);
      if v_differs then
        v_outcome := 'mismatch';
        perform book_mismatch(v_order, v_attempt, p_is_our_merchant, p_amount_minor, p_currency, p_capture_ref);
      elsif v_is_paid_already or v_order.state in ('paid', 'delivering', 'delivered', 'refunded', 'refund_due') then
        v_outcome := 'overpayment';
        perform book_overpayment(v_attempt, p_capture_ref);
      else
        -- It keeps its callback itself. Goods whose money is gone again are handed to nobody.
        v_answer := book_payment(v_order, v_attempt, p_provider_ref, p_capture_ref, p_exchange, p_callback,
          case when v_is_charged_back then null else p_lease end, p_must_notify);
      end if;
      if v_is_charged_back then perform book_chargeback(p_player_id, p_billing_no, p_attempt_no, null); end if;
      if v_answer is not null then return v_answer; end if;
    end if;
  elsif p_is_our_merchant is not true then
    -- Another account's refund, chargeback or failure says nothing about this payment, even when one key signs
    -- for both.
    v_outcome := case when p_status in ('pending', 'unknown') then 'noted' else 'foreign_merchant' end;
  elsif p_status = 'paid_unreadable' then
    if v_attempt.state in ('succeeded', 'overpayment') then
      v_outcome := 'duplicate';
    else
      -- Told once; asked again as long as the provider is polled.
      v_outcome := case when v_attempt.unreadable_reason is null then 'unreadable' else 'noted' end;
      update payment_attempt set unreadable_reason = left(coalesce(p_reason, 'no reason given'), 300),
          exchange = exchange || coalesce(p_exchange, '{}')
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
      update orders set state = 'review', review_reason = 'payment_unreadable'
        where player_id = p_player_id and billing_no = p_billing_no and (is_unpaid or is_lapsed(state));
      if found then perform note_order_move(p_player_id, p_billing_no, v_order.state, 'review'); end if;
      insert into player_change (player_id) values (p_player_id);
    end if;
  elsif p_status in ('failed', 'expired') then
    if v_attempt.is_open then
      v_outcome := 'closed';
      update payment_attempt set state = p_status, next_query_at = null
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
      update orders set state = p_status, closed_at = v_now
        where player_id = p_player_id and billing_no = p_billing_no and is_unpaid and current_attempt = p_attempt_no;
      if found then
        perform note_order_move(p_player_id, p_billing_no, v_order.state, p_status);
        perform release_reservations(p_player_id, p_billing_no);
      end if;
    end if;
  elsif p_status = 'declined' then
    if v_attempt.is_open then
      v_outcome := 'declined';
      update payment_attempt set declined_at = v_now
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
    end if;
  elsif p_status = 'approved' then
    if v_attempt.is_open then
      v_outcome := 'approved';
      update payment_attempt set approved_at = coalesce(approved_at, v_now), next_query_at = v_now,
          provider_ref = coalesce(provider_ref, p_provider_ref)
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
      if p_must_notify then perform pg_notify('refill_payment', ''); end if;
    end if;
  elsif p_status = 'refunded' then
    v_whole_minor := coalesce(v_attempt.reported_minor, v_attempt.amount_minor);
    v_is_in_currency := p_currency = coalesce(v_attempt.reported_currency, v_attempt.currency);
    -- A callback tells one part, once; a poll may tell the same part again.
    v_is_part := p_callback is not null and v_is_in_currency is true and p_amount_minor > 0;
    if v_is_part and p_amount_minor < v_whole_minor then
      v_is_last_part := p_amount_minor + refunded_parts(p_player_id, p_billing_no, p_attempt_no)
        + charged_back(p_player_id, p_billing_no, p_attempt_no) >= v_whole_minor;
    end if;
    if (v_is_in_currency and p_amount_minor = v_whole_minor) is not true and not v_is_last_part then
      -- Only a part came back, or nobody says how much: the books wait for a person. A payment beside the order's own
      -- (overpayment, mismatch) moves no order; one not reported yet says that the provider has had money.
      v_outcome := 'partial_refund';
      v_state := case
        when v_attempt.state = 'succeeded' and v_order.state in ('paid', 'delivering') then 'review'
        when not v_is_paid_already and v_attempt.state not in ('overpayment', 'mismatch')
          and (v_order.is_unpaid or is_lapsed(v_order.state)) then 'review'
        else v_order.state end;
      v_is_part := v_is_part and (v_attempt.state in ('succeeded', 'overpayment') or is_mismatch_booked(v_attempt))
        and book_part(v_attempt, p_amount_minor);
      if v_is_part then perform lessen_refund(p_player_id, p_billing_no, p_attempt_no, p_amount_minor); end if;
      update orders set review_reason = 'partial_refund', state = v_state,
          refunded_minor = case when v_is_part and v_attempt.state = 'succeeded'
            then least(coalesce(refunded_minor, 0) + p_amount_minor, amount_minor) else refunded_minor end
        where player_id = p_player_id and billing_no = p_billing_no;
      insert into player_change (player_id) values (p_player_id);
      if v_state <> v_order.state then
        -- Whoever decides may send the goods or refund the rest. A call under way that hands them over is believed.
        update delivery set state = 'rejected', last_error = 'partial refund'
          where player_id = p_player_id and billing_no = p_billing_no and state in ('queued', 'calling', 'unknown');
        perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state);
      end if;
      if v_order.points > 0 then perform settle_points(p_player_id, p_billing_no, 'refunded'); end if;
      if v_order.share_minor > 0 then perform settle_share(p_player_id, p_billing_no, 'refunded'); end if;
    else
      perform book_unreported_payment(p_player_id, p_billing_no, p_attempt_no);
      if book_refund(p_player_id, p_billing_no, p_attempt_no) then v_outcome := 'refunded'; end if;
    end if;
  elsif p_status = 'refund_failed' then
    if book_refund_failure(v_attempt, coalesce(p_reason, 'the provider could not refund')) then
      v_outcome := 'refund_failed';
    end if;
  elsif p_status = 'chargeback' then
    v_outcome := 'chargeback';
    if p_amount_minor is not distinct from v_attempt.amount_minor
      and p_currency is not distinct from v_attempt.currency then
      perform book_unreported_payment(p_player_id, p_billing_no, p_attempt_no);
    end if;
    perform book_chargeback(p_player_id, p_billing_no, p_attempt_no,
      case when p_currency = coalesce(v_attempt.reported_currency, v_attempt.currency) then p_amount_minor end);
  end if;

  if p_callback is not null then
    perform keep_callback(p_provider, p_callback,
      case when v_outcome in ('noted', 'duplicate', 'foreign_merchant') then 'ignored' else 'applied' end, v_outcome,
      p_player_id, p_billing_no);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', p_player_id, 'billing_no', p_billing_no,
    'attempt_no', p_attempt_no, 'game_id', v_order.game_id);
end $$;
