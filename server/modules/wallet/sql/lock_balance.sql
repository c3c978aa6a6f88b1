-- Locks a player's balance of one currency, the shop's own sides of it included, in the order in which they are posted.
create or replace function lock_balance(p_player_id uuid, p_currency text) returns void language plpgsql as $$
begin
  insert into wallet_account (player_id, currency, kind) values (p_player_id, p_currency, 'paid')
    on conflict do nothing;
  perform 1 from wallet_account where player_id = p_player_id and currency = p_currency order by kind for update;
end $$;
