create or replace view invariant_i25_wallet_refunds as
  select t.player_id, t.billing_no, sum(t.amount_minor) filter (where t.type = 'refund') as refunded,
    sum(t.amount_minor) filter (where t.type = 'debit') as debited
  from wallet_txn t
  where t.billing_no is not null and t.type in ('debit', 'refund') and exists (select from payment_attempt a
    where a.player_id = t.player_id and a.billing_no = t.billing_no and a.provider = 'wallet' and a.state = 'succeeded')
  group by t.player_id, t.billing_no
  having sum(t.amount_minor) filter (where t.type = 'refund')
    > coalesce(sum(t.amount_minor) filter (where t.type = 'debit'), 0);
comment on view invariant_i25_wallet_refunds is 'No more of a debit went back than it had taken.';
