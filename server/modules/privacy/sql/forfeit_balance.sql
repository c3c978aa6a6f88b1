-- Books out what a balance still holds, to the shop: its player gives it up. Answers how many balances were emptied.
create or replace function forfeit_balance(p_player_id uuid, p_actor text) returns integer language plpgsql as $$
declare
  r record;
  v_count integer := 0;
begin
  perform 1 from wallet_account where player_id = p_player_id order by currency, kind for update;
  for r in
    select currency, sum(balance_minor)::bigint as total,
      coalesce(sum(balance_minor) filter (where kind = 'paid'), 0) as paid,
      coalesce(sum(balance_minor) filter (where kind = 'free'), 0) as free
    from wallet_account where player_id = p_player_id and kind in ('paid', 'free')
    group by currency having sum(balance_minor) > 0 order by currency
  loop
    perform wallet_post(p_player_id, 'forfeit', 'forfeit-' || gen_random_uuid(), r.currency, r.total, null, null,
      'given up with the account', p_actor,
      jsonb_build_object('paid', -r.paid, 'free', -r.free, 'forfeited', r.total));
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
