-- The statement of record_create_result for a database that is spread over machines, in parts (decision 64): as one,
-- the row that is held would be sent to every node before the others are written.
create or replace function record_create_apart(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_state text,
  p_provider_ref text, p_url text, p_exchange jsonb, p_idempotency_key text, p_answer jsonb
) returns void language plpgsql as $$
declare
  v_state text;
begin
  select state into v_state from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  if not found then return; end if;
  update payment_attempt a set
      state = case
        when a.state = 'sent' or a.state = 'unknown' and p_state = 'redirected' then p_state else a.state end,
      provider_ref = coalesce(p_provider_ref, a.provider_ref), pay_url = coalesce(p_url, a.pay_url),
      exchange = a.exchange || coalesce(p_exchange, '{}')
    where a.player_id = p_player_id and a.billing_no = p_billing_no and a.attempt_no = p_attempt_no;
  if p_provider_ref is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (p_provider, p_provider_ref, p_player_id, p_billing_no, p_attempt_no) on conflict do nothing;
  end if;
  if p_answer is not null then
    update idempotency set answer = p_answer where player_id = p_player_id and key = p_idempotency_key;
  end if;
  if p_state <> 'failed' and v_state = 'created' then
    update orders set state = 'pending' where player_id = p_player_id and billing_no = p_billing_no;
  end if;
end $$;
