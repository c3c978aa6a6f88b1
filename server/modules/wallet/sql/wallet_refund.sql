-- Gives (a part of) a debit back, in the reverse order of its consumption. Outcomes: done, exists (the key was used),
-- too_much, no_debit.
create or replace function wallet_refund(
  p_player_id uuid, p_billing_no text, p_amount_minor bigint, p_idempotency_key text, p_reason text, p_actor text
) returns text language plpgsql as $$
declare
  v_debit wallet_txn;
  v_free bigint;
  v_paid bigint;
  v_back_first bigint;
begin
  if num_nulls(p_player_id, p_billing_no, p_amount_minor, p_idempotency_key, p_reason, p_actor) > 0 then
    raise null_value_not_allowed using message = 'wallet_refund: a value is missing';
  end if;
  if p_amount_minor < 1 then
    raise invalid_parameter_value using message = format('wallet_refund: %s is no amount to give back', p_amount_minor);
  end if;
  select * into v_debit from wallet_txn
    where player_id = p_player_id and billing_no = p_billing_no and type = 'debit' for update;
  if not found then return 'no_debit'; end if;
  if exists (select from wallet_txn where player_id = p_player_id and idempotency_key = p_idempotency_key) then
    return 'exists';
  end if;
  -- The rest of either kind: taken by the debit, less the money that went back already.
  select coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0),
      coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0) into v_free, v_paid
    from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
    where t.player_id = p_player_id and t.billing_no = p_billing_no and t.type in ('debit', 'refund');
  if p_amount_minor > v_free + v_paid then return 'too_much'; end if;
  if v_debit.spends = 'free_first' then
    v_back_first := least(p_amount_minor, v_paid);
    v_paid := v_back_first;
    v_free := p_amount_minor - v_back_first;
  else
    v_back_first := least(p_amount_minor, v_free);
    v_free := v_back_first;
    v_paid := p_amount_minor - v_back_first;
  end if;
  perform wallet_post(
    p_player_id => p_player_id, p_type => 'refund', p_idempotency_key => p_idempotency_key,
    p_currency => v_debit.currency, p_amount_minor => p_amount_minor, p_billing_no => p_billing_no, p_spends => null,
    p_reason => p_reason, p_actor => p_actor,
    p_sides => jsonb_build_object('free', v_free, 'paid', v_paid, 'sales', -p_amount_minor));
  return 'done';
end $$;
