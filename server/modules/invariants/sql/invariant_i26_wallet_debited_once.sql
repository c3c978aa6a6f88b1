create or replace view invariant_i26_wallet_debited_once as
  select player_id, billing_no, count(*) as times from wallet_txn where type = 'debit'
  group by player_id, billing_no having count(*) > 1;
comment on view invariant_i26_wallet_debited_once is 'No order was taken from a balance twice.';
