create or replace view invariant_i50_replenish_sold_once as
  select p.player_id, p.billing_no, p.replenish_id, p.state from replenish p
  where (p.state = 'taken' and p.billing_no >= (select coalesce(max(to_no), '') from archived_month)
      and (select count(*) from replenish_orders(p.player_id, p.replenish_id) o where o.billing_no = p.billing_no
        and o.amount_minor = p.amount_minor and o.discount_minor = 0 and o.currency = p.currency) = 0)
    or (select count(*) from replenish_orders(p.player_id, p.replenish_id) o
        where o.state in ('paid', 'delivering', 'delivered')) > 1;
comment on view invariant_i50_replenish_sold_once is
  'A make-up payment is sold to its own account, at its own amount, and paid by one order at most.';
