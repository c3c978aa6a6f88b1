create or replace view invariant_i6_reservations as
  -- By account: a change of a counter that players share is noted under the account.
  select c.account_id as player_id, c.game_id, c.product_id, c.subject || ' ' || c.period as what, c.used, c.cap,
    uses_held(c.account_id, c.game_id, c.product_id, c.subject, c.period) as held
  from limit_counter c
  where c.used > c.cap or c.used <> uses_held(c.account_id, c.game_id, c.product_id, c.subject, c.period)
  union all
  -- A discount without the coupon or promo code that stands for it, or the other way about, while the order may still
  -- be paid or was.
  select o.player_id, o.game_id, o.product_id, 'discount of ' || o.billing_no, 1, 1, 0
  from orders o
  where (o.discount_minor > 0 and o.coupon_code is null and o.promo_code is null)
    or (o.coupon_code is not null and not exists (select from reservation r
      where r.player_id = o.player_id and r.billing_no = o.billing_no and r.kind = 'coupon'
        and r.subject = o.coupon_code and (r.state <> 'released'
          or o.state in ('failed', 'expired', 'cancelled', 'refund_due', 'refunded', 'review'))))
    or (o.promo_code is not null and not exists (select from reservation r
      where r.player_id = o.player_id and r.billing_no = o.billing_no and r.kind = 'code'
        and r.subject = o.promo_code and (r.state <> 'released'
          or o.state in ('failed', 'expired', 'cancelled', 'refund_due', 'refunded', 'review'))));
comment on view invariant_i6_reservations is
  'Limits are never exceeded, and count exactly the reservations and rewards that stand; '
  'no order has a discount without its coupon or promo code.';
