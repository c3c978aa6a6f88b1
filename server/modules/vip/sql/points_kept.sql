-- The points of an order of which a part of the price went back: those of the part that stayed, rounded down. No
-- points: 0.
create or replace function points_kept(p_points bigint, p_amount_minor bigint, p_refunded_minor bigint) returns bigint
  language sql immutable as $$
  select case when p_points is null then 0 when p_refunded_minor is null then p_points
    else div(p_points::numeric * (p_amount_minor - p_refunded_minor), p_amount_minor)::bigint end
$$;
