create or replace view invariant_i3_no_goods_unpaid as
  select d.player_id, d.billing_no from delivery d
    join orders o on o.player_id = d.player_id and o.billing_no = d.billing_no
  where d.state = 'done' and o.paid_at is null;
comment on view invariant_i3_no_goods_unpaid is 'No goods were delivered for an order that was never paid.';
