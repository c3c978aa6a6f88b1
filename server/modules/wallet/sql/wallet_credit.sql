-- An operator gives money (`kind` paid: it was paid for somewhere else; free: a present). Outcomes: done, repeat
-- (the first result again), differs.
create or replace function wallet_credit(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_kind text := p ->> 'kind';
  v_amount bigint := (p ->> 'amount_minor')::bigint;
  v_fingerprint text := concat_ws('/', p ->> 'player_id', p ->> 'currency', v_amount, v_kind);
  v_known wallet_credit_reference;
  v_txn text;
  v_balance bigint;
begin
  insert into wallet_credit_reference (external_id, fingerprint, player_id)
    values (p ->> 'external_id', v_fingerprint, v_player) on conflict do nothing;
  if not found then
    select * into v_known from wallet_credit_reference where external_id = p ->> 'external_id';
    if v_known.fingerprint <> v_fingerprint then return jsonb_build_object('outcome', 'differs'); end if;
    select balance_after into v_balance from wallet_entry where player_id = v_player and txn_id = v_known.txn_id
      and kind = v_kind;
    return jsonb_build_object('outcome', 'repeat', 'txn_id', v_known.txn_id, 'balance_minor', v_balance);
  end if;
  v_txn := wallet_post(v_player, jsonb_build_object('type', 'credit', 'key', 'credit:' || (p ->> 'external_id'),
    'currency', p ->> 'currency',
      'amount_minor', v_amount, 'reason', p ->> 'reason', 'actor', p ->> 'actor'),
    jsonb_build_object(v_kind, v_amount, case v_kind when 'paid' then 'cash_in' else 'bonus' end, -v_amount));
  update wallet_credit_reference set txn_id = v_txn where external_id = p ->> 'external_id';
  select balance_after into v_balance from wallet_entry where player_id = v_player and txn_id = v_txn and kind = v_kind;
  return jsonb_build_object('outcome', 'done', 'txn_id', v_txn, 'balance_minor', v_balance);
end $$;
