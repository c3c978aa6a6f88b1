-- Takes the key of a pay call for this call. Null: it is ours now, go on. Else the answer of place_order: `replay` (a
-- finished call), `running`, `key_reused` (another call under the same key), or where an abandoned call stopped.
create or replace function take_idempotency_key(p_player_id uuid, p_key text, p_fingerprint text) returns jsonb
  language plpgsql as $$
declare
  v_known idempotency;
  v_order orders;
  v_attempt payment_attempt;
begin
  insert into idempotency (player_id, key, fingerprint) values (p_player_id, p_key, p_fingerprint)
    on conflict do nothing;
  if found then return null; end if;
  select * into v_known from idempotency where player_id = p_player_id and key = p_key for update;
  if not is_same_call(v_known.fingerprint, p_fingerprint) then
    return jsonb_build_object('outcome', 'key_reused');
  end if;
  if v_known.answer is not null then return jsonb_build_object('outcome', 'replay', 'answer', v_known.answer); end if;
  -- The first call is running, or its process died between placing and creating. Twenty seconds are longer than
  -- any call may take.
  if v_known.created_at > now() - interval '20 seconds' then return jsonb_build_object('outcome', 'running'); end if;
  update idempotency set created_at = now() where player_id = p_player_id and key = p_key;
  select * into v_order from orders where player_id = p_player_id and billing_no = v_known.billing_no;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = v_known.billing_no and attempt_no = v_known.attempt_no;
  if v_attempt.state in ('sent', 'unknown') and v_attempt.pay_url is null then
    return jsonb_build_object('outcome', 'placed', 'billing_no', v_order.billing_no,
      'attempt_no', v_attempt.attempt_no, 'amount_minor', v_attempt.amount_minor,
      'server_name', v_order.server_name, 'role_name', v_order.role_name);
  end if;
  return jsonb_build_object('outcome', 'repeat', 'billing_no', v_order.billing_no,
    'url', coalesce(v_attempt.pay_url, ''));
end $$;
