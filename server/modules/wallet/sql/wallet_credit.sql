-- An operator gives money. `p_kind` is paid (it was paid for somewhere else) or free (a present). Outcomes: done,
-- repeat (the first result again), differs (the operator's id was used for another credit).
create or replace function wallet_credit(
  p_player_id uuid, p_external_id text, p_currency text, p_amount_minor bigint,
  p_kind text, p_reason text, p_actor text
) returns jsonb language plpgsql as $$
declare
  v_fingerprint text;
  v_known wallet_credit_reference;
  v_txn text;
  v_balance bigint;
begin
  if num_nulls(p_player_id, p_external_id, p_currency, p_amount_minor, p_kind, p_reason, p_actor) > 0 then
    raise null_value_not_allowed using message = 'wallet_credit: a value is missing';
  end if;
  if p_kind not in ('paid', 'free') then
    raise invalid_parameter_value using message = format('wallet_credit: %s is no kind of balance', p_kind);
  end if;
  v_fingerprint := concat_ws('/', p_player_id, p_currency, p_amount_minor, p_kind);
  insert into wallet_credit_reference (external_id, fingerprint, player_id)
    values (p_external_id, v_fingerprint, p_player_id) on conflict do nothing;
  if not found then
    select * into v_known from wallet_credit_reference where external_id = p_external_id;
    if v_known.fingerprint <> v_fingerprint then return jsonb_build_object('outcome', 'differs'); end if;
    select balance_after into v_balance from wallet_entry
      where player_id = p_player_id and txn_id = v_known.txn_id and kind = p_kind;
    return jsonb_build_object('outcome', 'repeat', 'txn_id', v_known.txn_id, 'balance_minor', v_balance);
  end if;
  v_txn := wallet_post(
    p_player_id => p_player_id, p_type => 'credit', p_idempotency_key => 'credit:' || p_external_id,
    p_currency => p_currency, p_amount_minor => p_amount_minor, p_billing_no => null,
    p_spends => null, p_reason => p_reason, p_actor => p_actor,
    p_sides => jsonb_build_object(
      p_kind, p_amount_minor, case p_kind when 'paid' then 'cash_in' else 'bonus' end, -p_amount_minor));
  update wallet_credit_reference set txn_id = v_txn where external_id = p_external_id;
  select balance_after into v_balance from wallet_entry
    where player_id = p_player_id and txn_id = v_txn and kind = p_kind;
  return jsonb_build_object('outcome', 'done', 'txn_id', v_txn, 'balance_minor', v_balance);
end $$;
