create or replace view invariant_i43_offers_as_agreed as
  select o.player_id, o.billing_no, o.coupon_code, o.amount_minor, o.currency, c.prices from orders o
    join coupon c on c.player_id = o.player_id and c.code = o.coupon_code
  where c.prices is not null and c.billing_no = o.billing_no
    and (o.product_id <> all (c.products) or o.game_id <> all (c.games)
      or o.amount_minor is distinct from (c.prices ->> o.currency)::bigint)
  union all
  select o.player_id, o.billing_no, o.coupon_code, o.amount_minor, o.currency, null from orders o
  where starts_with(o.coupon_code, 'offer:') and not exists (select from coupon c
    where c.player_id = o.player_id and c.code = o.coupon_code);
comment on view invariant_i43_offers_as_agreed is
  'Whoever bought by an offer had it, for that product, and was asked for exactly its price.';
