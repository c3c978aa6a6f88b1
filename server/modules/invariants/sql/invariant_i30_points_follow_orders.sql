create or replace view invariant_i30_points_follow_orders as
  select o.player_id, o.billing_no, o.points as of_price, coalesce(e.points, 0) as credited
  from orders o left join (
    select player_id, billing_no, sum(points) as points from points_entry where billing_no <> ''
      group by player_id, billing_no) e on e.player_id = o.player_id and e.billing_no = o.billing_no
  where coalesce(e.points, 0) <> case when o.delivered_at is null then 0
    else points_kept(o.points, o.amount_minor, o.refunded_minor) end
  union all
  select e.player_id, e.billing_no, null, sum(e.points) from points_entry e
  where e.billing_no <> '' and e.billing_no >= (select archived_until())
    and not exists (select from orders o where o.player_id = e.player_id
    and o.billing_no = e.billing_no)
  group by e.player_id, e.billing_no;
comment on view invariant_i30_points_follow_orders is
  'Every delivered order has earned the points of what is left of its price, and no other has earned any.';
