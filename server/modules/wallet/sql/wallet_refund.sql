-- Gives (a part of) a debit back, in the reverse order of its consumption. Outcomes: done, exists (the key was
-- used), too_much, no_debit.
create or replace function wallet_refund(p_player uuid, p_billing text, p_amount bigint, p_key text, p_reason text,
  p_actor text) returns text language plpgsql as $$
declare
  v_debit wallet_txn;
  v_free bigint;
  v_paid bigint;
  v_back_first bigint;
begin
  select * into v_debit from wallet_txn where player_id = p_player and billing_no = p_billing and type = 'debit'
    for update;
  if not found then return 'no_debit'; end if;
  if exists (select from wallet_txn where player_id = p_player and idempotency_key = p_key)
    then return 'exists'; end if;
  -- What is left of either kind: taken by the debit, less what went back already.
  select coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0),
    coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0) into v_free, v_paid
    from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
    where t.player_id = p_player and t.billing_no = p_billing and t.type in ('debit', 'refund');
  if p_amount > v_free + v_paid then return 'too_much'; end if;
  if v_debit.spends = 'free_first' then
    v_back_first := least(p_amount, v_paid);
    v_paid := v_back_first;
    v_free := p_amount - v_back_first;
  else
    v_back_first := least(p_amount, v_free);
    v_free := v_back_first;
    v_paid := p_amount - v_back_first;
  end if;
  perform wallet_post(p_player, jsonb_build_object('type', 'refund', 'key', p_key, 'currency', v_debit.currency,
    'amount_minor', p_amount,
    'billing_no', p_billing, 'reason', p_reason, 'actor', p_actor), jsonb_build_object('free', v_free, 'paid', v_paid,
      'sales', -p_amount));
  return 'done';
end $$;
