create or replace view invariant_i22_wallet_not_negative as
  select a.player_id, a.currency, a.kind, a.balance_minor from wallet_account a
  where a.kind in ('paid', 'free') and a.balance_minor < 0
  union all
  select e.player_id, t.currency, e.kind, e.balance_after from wallet_entry e
    join wallet_txn t on t.player_id = e.player_id and t.txn_id = e.txn_id
  where e.kind in ('paid', 'free') and e.balance_after < 0;
comment on view invariant_i22_wallet_not_negative is 'No balance of a player is or ever was below zero.';
