create or replace view invariant_i20_wallet_txn_balanced as
  select t.player_id, t.txn_id, t.billing_no, coalesce(sum(e.amount_minor), -1) as off_by
  from wallet_txn t left join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
  group by t.player_id, t.txn_id, t.billing_no having coalesce(sum(e.amount_minor), -1) <> 0;
comment on view invariant_i20_wallet_txn_balanced is 'The entries of every transaction of a balance sum to zero.';
