-- Records what the provider answered to create. p_state: redirected, unknown, or failed (refused: certain that
-- nothing was made). One that is unknown may have been asked for again since, and have its page now.
-- p_answer: kept for the call's key; null frees the key. A callback may have been faster: then only the address is
-- missing.
create or replace function record_create_result(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_state text,
  p_provider_ref text, p_url text, p_exchange jsonb, p_idempotency_key text, p_answer jsonb
) returns text language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_state text;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_provider, p_state) > 0 then
    raise exception 'record_create_result: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_state not in ('redirected', 'unknown', 'failed') then
    raise exception 'record_create_result: there is no state %', p_state using errcode = 'invalid_parameter_value';
  end if;
  if p_state = 'failed' then perform lock_reservations(p_player_id, p_billing_no); end if;
  -- The same in parts where the database is spread: a change here belongs there too.
  if to_regclass('pg_dist_partition') is not null then
    perform record_create_apart(p_player_id, p_billing_no, p_attempt_no, p_provider, p_state, p_provider_ref, p_url,
      p_exchange, p_idempotency_key, p_answer);
  else
    with held as (
      select player_id, billing_no, state from orders
        where player_id = p_player_id and billing_no = p_billing_no for update
    ), answered as (
      update payment_attempt a set
          state = case
            when a.state = 'sent' or a.state = 'unknown' and p_state = 'redirected' then p_state else a.state end,
          provider_ref = coalesce(p_provider_ref, a.provider_ref), pay_url = coalesce(p_url, a.pay_url),
          exchange = a.exchange || coalesce(p_exchange, '{}')
        from held where a.player_id = p_player_id and a.billing_no = p_billing_no and a.attempt_no = p_attempt_no
    ), referred as (
      insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
        select p_provider, p_provider_ref, player_id, billing_no, p_attempt_no from held
          where p_provider_ref is not null
        on conflict do nothing
    ), kept as (
      update idempotency i set answer = p_answer from held
        where i.player_id = p_player_id and i.key = p_idempotency_key and p_answer is not null
    )
    update orders o set state = 'pending' from held
      where p_state <> 'failed' and held.state = 'created'
        and o.player_id = p_player_id and o.billing_no = p_billing_no;
  end if;
  if p_state = 'failed' then
    select state into v_state from orders
      where player_id = p_player_id and billing_no = p_billing_no and is_unpaid and current_attempt = p_attempt_no;
    if found then
      update orders set state = 'failed', closed_at = now()
        where player_id = p_player_id and billing_no = p_billing_no;
      perform note_order_move(p_player_id, p_billing_no, v_state, 'failed');
      perform release_reservations(p_player_id, p_billing_no);
    end if;
  end if;
  if p_idempotency_key is not null and p_answer is null then
    delete from idempotency where player_id = p_player_id and key = p_idempotency_key;
  end if;
  return 'recorded';
end $$;
