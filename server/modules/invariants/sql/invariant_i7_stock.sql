-- Without a player: read by the full look alone, for it counts over all of them.
create or replace view invariant_i7_stock as
  select s.game_id, s.product_id, s.used, s.total, coalesce(r.held, 0) as held
  from product_stock s left join (
    select game_id, product_id, count(*) as held from reservation where kind = 'stock' and state <> 'released'
    group by game_id, product_id) r on r.game_id = s.game_id and r.product_id = s.product_id
  where s.used > s.total or s.used <> coalesce(r.held, 0);
comment on view invariant_i7_stock is 'Stock is never exceeded, and counts exactly the reservations that stand.';
