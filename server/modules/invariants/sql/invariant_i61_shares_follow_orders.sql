create or replace view invariant_i61_shares_follow_orders as
  select o.player_id, o.billing_no, o.creator, o.share_minor, coalesce(e.booked, 0) as booked
  from orders o left join (
    select player_id, billing_no, sum(amount_minor) as booked, min(creator) as creator, min(currency) as currency
      from creator_entry group by player_id, billing_no
  ) e on e.player_id = o.player_id and e.billing_no = o.billing_no
  where coalesce(e.booked, 0) <> case when o.delivered_at is null then 0
      else points_kept(o.share_minor, o.amount_minor, o.refunded_minor) end
    or e.creator <> o.creator or e.currency <> o.currency or (o.creator is not null and o.promo_code is null)
  union all
  select e.player_id, e.billing_no, min(e.creator), null, sum(e.amount_minor) from creator_entry e
  where e.billing_no >= (select archived_until())
    and not exists (select from orders o where o.player_id = e.player_id and o.billing_no = e.billing_no)
  group by e.player_id, e.billing_no;
comment on view invariant_i61_shares_follow_orders is
  'Every creator has the share of what is left of the price of each delivered order with their code, and of no other.';
