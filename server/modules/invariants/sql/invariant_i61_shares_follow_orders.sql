create or replace view invariant_i61_shares_follow_orders as
  select player_id, billing_no, max(creator) as creator, sum(due) as due, sum(booked) as booked from (
    select player_id, billing_no, creator, currency, promo_code, case when delivered_at is null then 0
        else points_kept(share_minor, amount_minor, refunded_minor) end as due, 0 as booked, 1 as orders from orders
    union all
    select player_id, billing_no, creator, currency, null as promo_code, 0, amount_minor, 0 from creator_entry
      where billing_no >= (select coalesce(max(to_no), '') from archived_month)
  ) both_sides
  group by player_id, billing_no
  having sum(due) <> sum(booked) or sum(orders) = 0 or (max(creator) is not null and max(promo_code) is null)
    or (count(*) > 1 and (min(creator) <> max(creator) or min(currency) <> max(currency) or count(creator) < count(*)));
comment on view invariant_i61_shares_follow_orders is
  'Every creator has the share of what is left of the price of each delivered order with their code, and of no other.';
