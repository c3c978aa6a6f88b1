create or replace view invariant_i8_nothing_forgotten as
  select o.player_id, o.billing_no, o.state from orders o where
    (o.state in ('paid', 'delivering') and (select count(*) from delivery d
      where d.player_id = o.player_id and d.billing_no = o.billing_no
        and d.state in ('queued', 'calling', 'unknown', 'done')) = 0)
    or (o.state = 'refund_due' and (select count(*) from refund r
      where r.player_id = o.player_id and r.billing_no = o.billing_no) = 0)
    or (o.state in ('created', 'pending')
      and greatest(o.expires_at, o.expiry_lease_until) < now() - interval '8 days');
comment on view invariant_i8_nothing_forgotten is
  'No order that is not finished is without somebody working on it.';
