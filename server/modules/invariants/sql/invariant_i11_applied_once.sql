create or replace view invariant_i11_applied_once as
  select provider, billing_no, count(*) as times from callback_inbox
    where outcome in ('paid', 'late_paid') group by provider, billing_no, player_id having count(*) > 1;
comment on view invariant_i11_applied_once is 'No callback moved an order to paid twice.';
