-- What the provider answered to create. `state`: redirected, unknown or failed (refused: certain that nothing was made).
create or replace function finish_create(p jsonb) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_billing text := p ->> 'billing_no';
  v_attempt integer := (p ->> 'attempt_no')::integer;
  v_state text := p ->> 'state';
  v_key text := p ->> 'idempotency_key';
begin
  if v_state = 'failed' then perform lock_reservations(v_player, v_billing); end if;
  -- A callback may have been faster: then only the address is missing and nothing goes back. The order is locked before the attempt.
  with held as (
    select player_id, billing_no, state from orders where player_id = v_player and billing_no = v_billing for update
  ), answered as (
    update payment_attempt a set
        state = case when a.state = 'sent' then v_state else a.state end,
        provider_ref = coalesce(p ->> 'provider_ref', a.provider_ref), pay_url = p ->> 'url',
        exchange = a.exchange || coalesce(p -> 'exchange', '{}')
      from held where a.player_id = v_player and a.billing_no = v_billing and a.attempt_no = v_attempt
  ), referred as (
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      select p ->> 'provider', p ->> 'provider_ref', player_id, billing_no, v_attempt from held where p ->> 'provider_ref' is not null
      on conflict do nothing
  ), kept as (
    update idempotency i set answer = p -> 'answer' from held where i.player_id = v_player and i.key = v_key and p -> 'answer' is not null
  )
  update orders o set state = 'pending' from held
    where v_state <> 'failed' and held.state = 'created' and o.player_id = v_player and o.billing_no = v_billing;
  if v_state = 'failed' then
    update orders set state = 'failed', closed_at = now() where player_id = v_player and billing_no = v_billing and is_unpaid
      and current_attempt = v_attempt;
    if found then perform release_reservations(v_player, v_billing); end if;
  end if;
  -- Without an answer the key may be used again.
  if v_key is not null and p -> 'answer' is null then delete from idempotency where player_id = v_player and key = v_key; end if;
  return jsonb_build_object('outcome', 'ok');
end $$;
