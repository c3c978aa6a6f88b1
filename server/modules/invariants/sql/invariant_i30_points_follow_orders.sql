create or replace view invariant_i30_points_follow_orders as
  select player_id, billing_no, sum(due) as due, sum(credited) as credited from (
    select player_id, billing_no, case when delivered_at is null then 0
        else points_kept(points, amount_minor, refunded_minor) end as due, 0 as credited, 1 as orders from orders
    union all
    select player_id, billing_no, 0, points, 0 from points_entry where billing_no <> ''
      and billing_no >= (select coalesce(max(to_no), '') from archived_month)
  ) both_sides
  group by player_id, billing_no having sum(due) <> sum(credited) or sum(orders) = 0;
comment on view invariant_i30_points_follow_orders is
  'Every delivered order has earned the points of what is left of its price, and no other has earned any.';
