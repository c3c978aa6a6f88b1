-- Without a player: read by the full look alone, for it counts over all of them.
create or replace view invariant_i60_promo_uses as
  select c.brand_key, c.code, c.used, c.total, coalesce(h.held, 0) as held
  from promo_code c full join (
    -- The brand of the player is that of the order, which may be in a file by now.
    select o.brand_key, r.subject as code, count(*) as held from reservation r
      join player o on o.player_id = r.player_id
    where r.kind = 'code' and r.state <> 'released' group by o.brand_key, r.subject
  ) h on h.brand_key = c.brand_key and h.code = c.code
  where c.used is distinct from coalesce(h.held, 0) or c.used > c.total;
comment on view invariant_i60_promo_uses is
  'No promo code is used more often than it may be, and its count is that of the orders that hold it or used it up.';
