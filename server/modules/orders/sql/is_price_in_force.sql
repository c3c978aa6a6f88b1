-- Returns true when this order is placed while the price that it was read at holds. A server reads prices by a clock
-- that it sets by this database's; which of two prices an order has at the moment of a change is decided here, for all
-- servers alike. p_holds: from and until, epoch milliseconds, the end not among them; null, or left out: without an end
-- on that side. Servers from before, and make-up payments, send none.
create or replace function is_price_in_force(p_holds jsonb) returns boolean language sql stable as $$
  select now() >= coalesce(to_timestamp((p_holds ->> 'from')::double precision / 1000), '-infinity')
    and now() < coalesce(to_timestamp((p_holds ->> 'until')::double precision / 1000), 'infinity')
$$;
