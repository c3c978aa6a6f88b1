create or replace view invariant_i23_wallet_debits_are_orders as
  select t.player_id, t.billing_no, 'debit without payment' as what from wallet_txn t
  where t.type = 'debit' and t.billing_no >= (select coalesce(max(to_no), '') from archived_month)
    and not exists (select from payment_attempt a
      where a.player_id = t.player_id and a.billing_no = t.billing_no and a.provider = 'wallet'
        and a.state = 'succeeded' and a.amount_minor = t.amount_minor and a.currency = t.currency)
  union all
  select a.player_id, a.billing_no, 'payment without debit' from payment_attempt a
  where a.provider = 'wallet' and a.state = 'succeeded'
    and not exists (select from wallet_txn t
      where t.player_id = a.player_id and t.billing_no = a.billing_no and t.type = 'debit'
        and t.amount_minor = a.amount_minor and t.currency = a.currency)
  union all
  select a.player_id, a.billing_no, 'refund without credit' from payment_attempt a
    join ledger_entry l on l.player_id = a.player_id and l.billing_no = a.billing_no
      and l.attempt_no = a.attempt_no and l.kind = 'refunded' and l.account = 'provider_receivable'
  where a.provider = 'wallet' and not exists (select from wallet_txn t
    where t.player_id = a.player_id and t.billing_no = a.billing_no and t.type = 'refund');
comment on view invariant_i23_wallet_debits_are_orders is
  'Every debit of a balance is the payment of one order, and the other way about.';
