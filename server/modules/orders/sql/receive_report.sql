-- A provider's word about a payment, by callback or as the answer to our own question: finds whose payment it is and
-- applies it. The player is behind our order number, or behind the provider's own reference when the report names no
-- number.
-- p_callback: null for an answer to our question; else {dedup_key, reference, report, headers, body}, which is kept. An
-- order that is not there may be a callback that came before our own commit: it is kept as unmatched and tried again
-- for 24 hours. Answers as apply_report; `unknown_order` when no such attempt is here.
create or replace function receive_report(
  p_billing_no text, p_attempt_no integer, p_provider text, p_status text, p_is_our_merchant boolean,
  p_provider_ref text, p_capture_ref text, p_amount_minor bigint, p_currency text, p_reason text,
  p_exchange jsonb, p_callback jsonb, p_lease_seconds double precision, p_must_notify boolean
) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_now constant timestamptz := now();
  v_player_id uuid;
  v_billing_no text := p_billing_no;
  v_attempt_no integer := p_attempt_no;
  v_answer jsonb;
  v_state text;
  v_known callback_inbox;
  v_next_try_at timestamptz;
  v_amount_minor bigint := p_amount_minor;
  v_currency text := p_currency;
begin
  if num_nulls(p_provider, p_status, p_must_notify) > 0 then
    raise exception 'receive_report: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_callback is not null then
    perform require_keys('receive_report, callback', p_callback, '{dedup_key,report,headers,body}');
  end if;
  if v_billing_no is null and p_provider_ref is not null then
    select billing_no, attempt_no into v_billing_no, v_attempt_no from provider_reference
      where provider = p_provider and provider_ref = p_provider_ref;
  end if;
  if v_billing_no is not null and v_attempt_no is not null then
    select player_id into v_player_id from order_lookup where billing_no = v_billing_no;
  end if;
  if v_player_id is not null then
    if p_status = 'refunded' then
      v_amount_minor := believed_refund(v_player_id, v_billing_no, v_attempt_no, p_amount_minor,
        p_callback -> 'report' ->> 'amountDoubt');
      if v_amount_minor is null then v_currency := null; end if;
    end if;
    v_answer := apply_report(v_player_id, v_billing_no, v_attempt_no, p_provider, p_status, p_is_our_merchant,
      p_provider_ref, p_capture_ref, v_amount_minor, v_currency, p_reason, p_exchange, p_callback,
      make_interval(secs => p_lease_seconds), p_must_notify);
    if v_answer ->> 'outcome' <> 'unknown_order' then return v_answer; end if;
  end if;
  if p_callback is null then return jsonb_build_object('outcome', 'unknown_order'); end if;
  insert into callback_inbox (provider, dedup_key, reference, report, headers, body, tries, outcome, next_try_at)
    values (p_provider, p_callback ->> 'dedup_key', p_callback ->> 'reference', p_callback -> 'report',
      p_callback -> 'headers', p_callback ->> 'body', 1, 'unknown_order', v_now + interval '2 seconds')
    on conflict do nothing;
  if found then return jsonb_build_object('outcome', 'unknown_order'); end if;
  select * into v_known from callback_inbox
    where provider = p_provider and dedup_key = p_callback ->> 'dedup_key' and state = 'stored' for update;
  if not found then return jsonb_build_object('outcome', 'duplicate'); end if;
  v_next_try_at := v_now + make_interval(secs => least(3600, 2 * power(2, v_known.tries)));
  v_state := case when v_known.received_at < v_now - interval '24 hours' then 'dead' else 'stored' end;
  update callback_inbox set tries = v_known.tries + 1, lease_until = null, next_try_at = v_next_try_at,
      state = v_state, outcome = 'unknown_order'
    where provider = p_provider and dedup_key = p_callback ->> 'dedup_key';
  return jsonb_build_object('outcome', 'unknown_order');
end $$;
