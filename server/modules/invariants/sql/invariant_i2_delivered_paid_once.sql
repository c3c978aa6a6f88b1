-- ---------- invariants ----------
create or replace view invariant_i2_delivered_paid_once as
  select o.player_id, o.billing_no from orders o where o.state = 'delivered' and (
    (select count(*) from payment_attempt a
      where a.player_id = o.player_id and a.billing_no = o.billing_no and a.state = 'succeeded'
        and a.amount_minor = o.amount_minor and a.currency = o.currency) <> 1
    -- Counted, and not asked whether there is one: beside an "or" PostgreSQL would read the whole table for that.
    or (select count(*) from delivery d
      where d.player_id = o.player_id and d.billing_no = o.billing_no and d.state = 'done') = 0
    or (select count(*) from ledger_entry l
      where l.player_id = o.player_id and l.billing_no = o.billing_no and l.kind in ('paid', 'delivered')
        and abs(l.amount_minor) = case l.account when 'provider_receivable' then o.amount_minor
          when 'promo' then o.discount_minor else o.amount_minor + o.discount_minor end)
      <> case when o.discount_minor > 0 then 5 else 4 end);
comment on view invariant_i2_delivered_paid_once is
  'Every delivered order has exactly one equal payment, one finished delivery and both bookings.';
