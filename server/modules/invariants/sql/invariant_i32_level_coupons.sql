create or replace view invariant_i32_level_coupons as
  select c.player_id, c.code, c.issue_key, c.billing_no from coupon c
  where (c.need_points is not null) <> (c.source like 'vip %') or (c.need_points is not null and c.issue_key <> c.code);
comment on view invariant_i32_level_coupons is
  'Every coupon of a level says which points it needs, and is the only one of its period.';
