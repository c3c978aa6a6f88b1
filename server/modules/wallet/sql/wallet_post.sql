-- Moves money: `p_sides` maps kinds to signed minor units. A balance of the player that would fall below zero raises.
create or replace function wallet_post(p_player uuid, p jsonb, p_sides jsonb) returns text language plpgsql as $$
declare
  v_txn text := gen_random_uuid()::text;
  v_after bigint;
  r record;
begin
  insert into wallet_txn (player_id, txn_id, type, idempotency_key, currency, amount_minor, billing_no, spends, reason,
    actor)
    values (p_player, v_txn, p ->> 'type', p ->> 'key', p ->> 'currency', (p ->> 'amount_minor')::bigint,
      p ->> 'billing_no', p ->> 'spends',
      p ->> 'reason', p ->> 'actor');
  -- In the order of their names, as they are locked everywhere.
  for r in select key as kind, value::bigint as minor from jsonb_each_text(p_sides) where value::bigint <> 0
    order by key loop
    insert into wallet_account (player_id, currency, kind) values (p_player, p ->> 'currency', r.kind)
      on conflict do nothing;
    update wallet_account set balance_minor = balance_minor + r.minor
      where player_id = p_player and currency = p ->> 'currency' and kind = r.kind returning balance_minor into v_after;
    insert into wallet_entry (player_id, txn_id, kind, amount_minor, balance_after)
      values (p_player, v_txn, r.kind, r.minor, v_after);
  end loop;
  return v_txn;
end $$;
