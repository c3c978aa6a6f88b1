-- A process with room to call the game claims the delivery in the transaction that makes it: a statement, a commit and two row versions less.
-- Nothing else differs: what is returned is committed as "about to call", for as long as the lease; who dies before calling is followed when it has run out.
-- `lease_seconds` null or not there: the delivery is queued, for whoever claims it.
create or replace function apply_report(p jsonb) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_provider text := p ->> 'provider';
  v_status text := p ->> 'status';
  v_key text := p ->> 'dedup_key';
  v_player uuid;
  v_billing text := p ->> 'billing_no';
  v_attempt_no integer := (p ->> 'attempt_no')::integer;
  v_order orders;
  v_attempt payment_attempt;
  v_inbox text;
  v_outcome text := 'noted';
  v_wake boolean := false;
  v_lease interval := make_interval(secs => (p ->> 'lease_seconds')::double precision);
  v_delivery jsonb;
  v_state text;
  v_has_reservation boolean;
  v_is_paid_already boolean;
  v_both record;
  v_is_heard boolean := false;
  v_is_booked boolean := false;
begin
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
    if v_key is null then return jsonb_build_object('outcome', 'unknown_order'); end if;
    insert into callback_inbox as c (provider, dedup_key, mode, reference, report, headers, body, tries, outcome, next_try_at)
      values (v_provider, v_key, p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', 1, 'unknown_order', now() + interval '2 seconds')
      on conflict (provider, dedup_key) do update set tries = c.tries + 1, next_try_at = now() + make_interval(secs => least(3600, 2 * power(2, c.tries))),
        state = case when c.received_at < now() - interval '24 hours' then 'dead' else 'stored' end, outcome = 'unknown_order'
      where c.state = 'stored' returning c.state into v_inbox;
    if v_inbox is null then return jsonb_build_object('outcome', 'duplicate'); end if;
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
  -- All events of an order pass here one after another, so whether this one was heard before is certain now.
  if v_key is not null then
    select state into v_inbox from callback_inbox where provider = v_provider and dedup_key = v_key;
    if v_inbox <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
  end if;

  if v_status = 'paid' then
    if v_attempt.state = 'mismatch' then
      select true into v_is_booked from ledger_entry where player_id = v_player and billing_no = v_billing and kind = 'surplus' and attempt_no = v_attempt_no limit 1;
    end if;
    if v_attempt.state in ('succeeded', 'surplus') or v_is_booked then
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
            reported_minor = null, reported_currency = null,
            provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = null, exchange = exchange || coalesce(p -> 'exchange', '{}')
          where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no
      ), booked as (
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
          select v_player, v_billing, 'paid', v_attempt_no, side.account, side.minor, v_attempt.currency
          from (values ('provider_receivable', v_attempt.amount_minor), ('promo', v_order.discount_minor),
            ('goods_owed', -v_attempt.amount_minor - v_order.discount_minor)) as side(account, minor) where side.minor <> 0
      ), queued as (
        insert into delivery (player_id, billing_no, game_id, mode, state, tries, next_at)
          select v_player, v_billing, v_order.game_id, v_order.mode, case when v_lease is null then 'queued' else 'calling' end,
            case when v_lease is null then 0 else 1 end, now() + coalesce(v_lease, interval '0') where v_wake
      ), heard as (
        insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, state, outcome, player_id, billing_no, applied_at, next_try_at)
          select v_provider, v_key, p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', 'applied', v_outcome, v_player, v_billing, now(), null
          where v_key is not null
          on conflict (provider, dedup_key) do update set state = excluded.state, outcome = excluded.outcome, player_id = excluded.player_id,
            billing_no = excluded.billing_no, applied_at = now(), next_try_at = null
      )
      update orders set paid_at = now(),
          state = case when v_wake and v_lease is null then 'paid' when v_wake then 'delivering' when v_order.state = 'review' then 'review' else 'refund_due' end,
          delivering_at = case when v_wake and v_lease is not null then now() else delivering_at end,
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
      if (p ->> 'notify')::boolean then perform pg_notify('refill_payment', ''); end if;
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

  if v_key is not null and not v_is_heard then
    insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, state, outcome, player_id, billing_no, applied_at, next_try_at)
      values (v_provider, v_key, p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body',
        case when v_outcome in ('noted', 'duplicate') then 'ignored' else 'applied' end, v_outcome, v_player, v_billing, now(), null)
      on conflict (provider, dedup_key) do update set state = excluded.state, outcome = excluded.outcome, player_id = excluded.player_id,
        billing_no = excluded.billing_no, applied_at = now(), next_try_at = null;
  end if;
  if v_wake and v_lease is not null then
    v_delivery := jsonb_build_object('player_id', v_player, 'billing_no', v_billing, 'game_id', v_order.game_id, 'mode', v_order.mode, 'tries', 1,
      'client_id', v_order.client_id, 'suid', v_order.suid, 'server_id', v_order.server_id, 'area_id', v_order.area_id, 'role_id', v_order.role_id,
      'product_id', v_order.product_id, 'product', v_order.product, 'amount_minor', v_order.amount_minor, 'currency', v_order.currency);
  elsif v_wake and (p ->> 'notify')::boolean then
    perform pg_notify('refill_delivery', v_order.game_id);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', v_player, 'billing_no', v_billing, 'attempt_no', v_attempt_no, 'game_id', v_order.game_id)
    || case when v_delivery is null then '{}' else jsonb_build_object('delivery', v_delivery) end;
end $$;
