create or replace view invariant_i3_no_goods_unpaid as
  select d.player_id, d.billing_no from delivery d
  -- Counted, and not joined: for some players PostgreSQL would look for unpaid orders among all there are.
  where d.state = 'done' and (select count(*) from orders o
    where o.player_id = d.player_id and o.billing_no = d.billing_no and o.paid_at is null) > 0;
comment on view invariant_i3_no_goods_unpaid is 'No goods were delivered for an order that was never paid.';
