create or replace view invariant_i31_points_taken_back as
  select o.player_id, o.billing_no, o.amount_minor, o.refunded_minor from orders o
  where o.points is not null and (o.refunded_minor > o.amount_minor
    or coalesce(o.refunded_minor, 0) < (select coalesce(-sum(l.amount_minor), 0) from ledger_entry l
      join payment_attempt a
        on a.player_id = l.player_id and a.billing_no = l.billing_no and a.attempt_no = l.attempt_no
      where l.player_id = o.player_id and l.billing_no = o.billing_no and l.account = 'provider_receivable'
        and (l.kind in ('refunded', 'chargeback') or l.kind like 'part\_refunded\_%') and a.state = 'succeeded'));
comment on view invariant_i31_points_taken_back is 'No order whose money went back keeps points of it.';
