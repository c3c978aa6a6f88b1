-- Books the payments of a batch that need nothing but booking, all in one statement: paid, to our merchant, what the
-- open attempt of an unpaid order asks, told for the first time. p_reports: a list of receive_report's parameters by
-- name. Answers a list as long, with the answer of receive_report where a payment was booked here, else null: those are
-- its own (a duplicate, a mismatch, one that comes late, one whose parameters its door refuses). What apply_report and
-- book_payment do for one, at half of its cost (plain.test.ts holds the two together).
create or replace function book_plain_payments(p_reports jsonb) returns jsonb[] language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_now constant timestamptz := now();
  v_span record := billing_no_span(p_reports);
  v_first constant text := v_span.first_no;
  v_last constant text := v_span.last_no;
  v_answers jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(p_reports)]);
  v_count integer := 0;
  v_succeeded_count integer := 0;
  v_order orders;
  v_attempt payment_attempt;
  v_facts jsonb;
  r record;
begin
  -- By itself: the statement below must see its rows as they are after the wait, and wait for none (billing_no_span).
  perform 1 from jsonb_to_recordset(p_reports) as x(billing_no text, attempt_no integer, status text)
    join order_lookup l on x.status = 'paid' and l.billing_no = x.billing_no and l.billing_no between v_first and v_last
    join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
      and o.billing_no between v_first and v_last
    join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = x.attempt_no
      and a.billing_no between v_first and v_last
    order by o.player_id, o.billing_no for update of o, a;

  for r in
    with given as (
      -- Of two words about one order the first; the second is measured by what the first has made of it.
      select distinct on (x.billing_no) x.*
        from rows from (jsonb_to_recordset(p_reports) as (billing_no text, attempt_no integer, provider text,
            status text, is_our_merchant boolean, provider_ref text, capture_ref text, amount_minor bigint,
            currency text, exchange jsonb, callback jsonb, lease_seconds double precision, must_notify boolean))
          with ordinality as x(billing_no, attempt_no, provider, status, is_our_merchant, provider_ref, capture_ref,
            amount_minor, currency, exchange, callback, lease_seconds, must_notify, place)
        where x.status = 'paid' and x.is_our_merchant and x.must_notify is not null
          and (x.callback is null or (x.callback ->> 'dedup_key' is not null and x.callback ->> 'report' is not null
            and x.callback ->> 'headers' is not null and x.callback ->> 'body' is not null))
        order by x.billing_no, x.place
    ), held as (
      select t.place, t.provider_ref, t.capture_ref, t.exchange, t.callback, t.lease_seconds, t.must_notify,
          o.player_id, o.billing_no, o.game_id, o.discount_minor, a.attempt_no, a.amount_minor, a.currency,
          a.provider, o, a
        from given t join order_lookup l on l.billing_no = t.billing_no and l.billing_no between v_first and v_last
          join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
            and o.billing_no between v_first and v_last
          join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no
            and a.attempt_no = t.attempt_no and a.billing_no between v_first and v_last
        where o.is_unpaid and a.is_open and a.provider = t.provider
          and a.amount_minor = t.amount_minor and a.currency = t.currency
          and not exists (select from payment_attempt s
            where s.player_id = o.player_id and s.billing_no = o.billing_no and s.state = 'succeeded'
              and s.billing_no between v_first and v_last)
          and not exists (select from callback_inbox i
            where i.provider = t.provider and i.dedup_key = t.callback ->> 'dedup_key')
        order by o.player_id, o.billing_no
    ), kept as (
      insert into callback_inbox (provider, dedup_key, reference, report, headers, body, state, outcome, player_id,
          billing_no, applied_at)
        select h.provider, h.callback ->> 'dedup_key', h.callback ->> 'reference', h.callback -> 'report',
          h.callback -> 'headers', h.callback ->> 'body', 'applied', 'paid', h.player_id, h.billing_no, v_now
        from held h where h.callback is not null
    ), succeeded as (
      update payment_attempt a set state = 'succeeded', succeeded_at = v_now,
          capture_ref = coalesce(h.capture_ref, a.capture_ref), reported_minor = null, reported_currency = null,
          unreadable_reason = null, provider_ref = coalesce(a.provider_ref, h.provider_ref), next_query_at = null,
          exchange = case when h.exchange is null then a.exchange else a.exchange || h.exchange end
        from held h
        where a.player_id = h.player_id and a.billing_no = h.billing_no and a.attempt_no = h.attempt_no
          and a.billing_no between v_first and v_last
        returning a.billing_no
    ), booked as (
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
        select h.player_id, h.billing_no, 'paid', h.attempt_no, e.account, e.amount_minor, h.currency
        from held h cross join lateral (values ('provider_receivable', h.amount_minor),
            ('promo', h.discount_minor), ('goods_owed', -h.amount_minor - h.discount_minor))
          as e(account, amount_minor)
        where e.amount_minor <> 0
    ), queued as (
      insert into delivery (player_id, billing_no, game_id, state, tries, next_at)
        select h.player_id, h.billing_no, h.game_id,
          case when h.lease_seconds is null then 'queued' else 'calling' end,
          case when h.lease_seconds is null then 0 else 1 end,
          v_now + make_interval(secs => coalesce(h.lease_seconds, 0))
        from held h
    ), noted as (
      insert into player_change (player_id) select h.player_id from held h
    ), moved as (
      update orders o set paid_at = v_now, is_late = false, closed_at = null,
          state = case when h.lease_seconds is null then 'paid' else 'delivering' end,
          delivering_at = case when h.lease_seconds is null then o.delivering_at else v_now end
        from held h where o.player_id = h.player_id and o.billing_no = h.billing_no
          and o.billing_no between v_first and v_last
        returning h.*,
          case when h.lease_seconds is not null then (
            select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject)
              order by i.provider, i.subject)
            from player_identity i where i.player_id = h.player_id and i.created_at <= v_now) end as identities,
          case when h.lease_seconds is not null then (
            select jsonb_agg(jsonb_build_object('kind', v.kind, 'game_id', v.game_id, 'product_id', v.product_id,
              'subject', v.subject, 'period', v.period, 'cap', v.cap) order by v.kind)
            from reservation v where v.player_id = h.player_id and v.billing_no = h.billing_no) end as reservations
    )
    select m.*, c.succeeded_count from (select count(*) as succeeded_count from succeeded) c left join moved m on true
  loop
    v_succeeded_count := r.succeeded_count;
    continue when r.place is null;
    v_count := v_count + 1;
    delete from unpaid_order where player_id = r.player_id and billing_no = r.billing_no;
    v_order := r.o;
    v_facts := null;
    if r.lease_seconds is not null then
      -- As the rows are now, for recovery_facts tells them later.
      v_order.paid_at := v_now;
      v_attempt := r.a;
      v_attempt.capture_ref := coalesce(r.capture_ref, v_attempt.capture_ref);
      v_attempt.provider_ref := coalesce(v_attempt.provider_ref, r.provider_ref);
      v_facts := describe_order_facts(v_order, v_attempt, r.identities, r.reservations);
    end if;
    v_answers[r.place] := paid_answer(v_order, r.attempt_no, 'paid', v_facts);
    if r.lease_seconds is null and r.must_notify then perform pg_notify('refill_delivery', r.game_id); end if;
  end loop;
  if v_count <> v_succeeded_count then
    raise exception 'book_plain_payments: % orders and % attempts were found', v_count, v_succeeded_count;
  end if;
  return v_answers;
end $$;
