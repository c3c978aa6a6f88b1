create or replace view invariant_i21_wallet_balances as
  select a.player_id, a.currency, a.kind, a.balance_minor, e.total, e.last
  from wallet_account a left join lateral (
    select coalesce(sum(x.amount_minor), 0) as total,
      coalesce((array_agg(x.balance_after order by x.seq desc))[1], 0) as last
    from wallet_entry x join wallet_txn t on t.player_id = x.player_id and t.txn_id = x.txn_id
    where x.player_id = a.player_id and x.kind = a.kind and t.currency = a.currency) e on true
  where a.balance_minor <> e.total or a.balance_minor <> e.last;
comment on view invariant_i21_wallet_balances is
  'Every balance is the sum of its entries and what the last of them left.';
