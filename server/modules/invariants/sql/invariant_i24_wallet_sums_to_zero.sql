create or replace view invariant_i24_wallet_sums_to_zero as
  select currency, sum(balance_minor) as off_by from wallet_account group by currency having sum(balance_minor) <> 0;
comment on view invariant_i24_wallet_sums_to_zero is 'All balances together, the shop''s own included, are zero in every currency.';
