-- The lowest number that an order of this moment can have: numbers are ULIDs, which begin with their milliseconds since
-- 1970, and end with 48 bits of them.
create or replace function billing_no_at(p_at timestamptz) returns text language sql immutable strict as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    (m.ms >> (45 - 5 * d) & 31)::integer + 1, 1), '' order by d)
  from (select greatest(0, least(281474976710655, extract(epoch from p_at) * 1000))::bigint as ms) m,
    generate_series(0, 9) as d
$$;
