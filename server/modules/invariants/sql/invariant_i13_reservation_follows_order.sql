create or replace view invariant_i13_reservation_follows_order as
  select r.player_id, r.billing_no, r.kind, r.state, o.state as order_state from reservation r
    join orders o on o.player_id = r.player_id and o.billing_no = r.billing_no
  where (r.state = 'held' and o.state in ('failed', 'expired', 'cancelled'))
    or (r.state = 'released' and o.state in ('created', 'pending', 'paid', 'delivering', 'delivered'))
    or (r.state = 'used' and o.delivered_at is null);
comment on view invariant_i13_reservation_follows_order is
  'Closed orders hold nothing back, open ones hold what they need, and only goods that went out used it up.';
