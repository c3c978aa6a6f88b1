-- Books one transaction of a player's balance: `p_sides` maps kinds of accounts to signed minor units that sum to zero.
-- The order is null for credits and what is forfeited only, `p_spends` for everything but debits. Answers the
-- transaction's id. A balance of the player that would fall below zero raises.
create or replace function wallet_post(
  p_player_id uuid, p_type text, p_idempotency_key text, p_currency text, p_amount_minor bigint, p_billing_no text,
  p_spends text, p_reason text, p_actor text, p_sides jsonb
) returns text language plpgsql as $$
declare
  v_txn text := gen_random_uuid()::text;
  v_after bigint;
  v_sum bigint := 0;
  r record;
begin
  if num_nulls(p_player_id, p_type, p_idempotency_key, p_currency, p_amount_minor, p_reason, p_actor, p_sides) > 0
      or (p_billing_no is null) <> (p_type in ('credit', 'forfeit')) or (p_spends is null) = (p_type = 'debit') then
    raise null_value_not_allowed using message = format('wallet_post: a value is missing, or is too much, for a %s',
      coalesce(p_type, 'movement without a type'));
  end if;
  if jsonb_typeof(p_sides) <> 'object' or p_sides = '{}' then
    raise invalid_parameter_value using message = 'wallet_post: the sides must be an object of kinds and minor units';
  end if;
  for r in select key as kind, value from jsonb_each(p_sides) loop
    if r.kind not in ('paid', 'free', 'cash_in', 'bonus', 'sales', 'cards', 'forfeited')
      or jsonb_typeof(r.value) <> 'number'
    then
      raise invalid_parameter_value using message = format('wallet_post: %s is no side with minor units', r.kind);
    end if;
    v_sum := v_sum + r.value::bigint;
  end loop;
  if v_sum <> 0 then raise invalid_parameter_value using message = 'wallet_post: the sides do not sum to zero'; end if;
  insert into wallet_txn (player_id, txn_id, type, idempotency_key, currency, amount_minor, billing_no,
      spends, reason, actor)
    values (p_player_id, v_txn, p_type, p_idempotency_key, p_currency, p_amount_minor, p_billing_no,
      p_spends, p_reason, p_actor);
  insert into player_change (player_id) values (p_player_id);
  -- In the order of their names, as they are locked everywhere.
  for r in select key as kind, value::bigint as minor from jsonb_each_text(p_sides)
    where value::bigint <> 0 order by key
  loop
    insert into wallet_account (player_id, currency, kind) values (p_player_id, p_currency, r.kind)
      on conflict do nothing;
    update wallet_account set balance_minor = balance_minor + r.minor
      where player_id = p_player_id and currency = p_currency and kind = r.kind
      returning balance_minor into v_after;
    insert into wallet_entry (player_id, txn_id, kind, amount_minor, balance_after)
      values (p_player_id, v_txn, r.kind, r.minor, v_after);
  end loop;
  return v_txn;
end $$;
