create or replace view invariant_i11_applied_once as
  select o.player_id, o.billing_no, c.provider, count(*) as times from orders o
    join callback_inbox c on c.billing_no = o.billing_no and c.player_id = o.player_id
  where c.outcome in ('paid', 'late_paid') group by o.player_id, o.billing_no, c.provider having count(*) > 1;
comment on view invariant_i11_applied_once is 'No callback moved an order to paid twice.';
