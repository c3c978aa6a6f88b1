create or replace view invariant_i24_wallet_sums_to_zero as
  select player_id, currency, sum(balance_minor) as off_by from wallet_account
  group by player_id, currency having sum(balance_minor) <> 0;
comment on view invariant_i24_wallet_sums_to_zero is
  'What a player''s balances hold, the shop has on the other side: together they are zero in every currency.';
