create or replace view invariant_i62_bonus_once as
  select o.player_id, o.billing_no, o.product_id, o.state, r.state as bonus from orders o
    left join reservation r on r.player_id = o.player_id and r.billing_no = o.billing_no and r.kind = 'bonus'
  where (o.product @? '$.gifts[*] ? (@.isFirst == true)') is distinct from (r.billing_no is not null)
  union all
  select r.player_id, r.billing_no, r.product_id, 'no order', r.state from reservation r
  where r.kind = 'bonus' and r.billing_no >= (select coalesce(max(to_no), '') from archived_month)
    and not exists (select from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no)
  union all
  select player_id, min(billing_no), product_id, 'twice', period from reservation
  where kind = 'bonus' and state <> 'released' group by player_id, game_id, product_id, period having count(*) > 1;
comment on view invariant_i62_bonus_once is
  'An order sells the first-purchase bonus exactly when it has taken it, and nobody has that of a product twice.';
