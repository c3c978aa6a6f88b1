-- The lowest number that an order of this moment can have: numbers are ULIDs, which begin with their milliseconds since
-- 1970, and end with 48 bits of them. Without a query of its own, which would cost each order more than this.
create or replace function billing_no_at(p_at timestamptz) returns text language plpgsql immutable strict as $$
declare
  v_ms constant bigint := greatest(0, least(281474976710655, extract(epoch from p_at) * 1000));
  v_no text := '';
begin
  for d in 0 .. 9 loop
    v_no := v_no || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (v_ms >> (45 - 5 * d) & 31)::integer + 1, 1);
  end loop;
  return v_no;
end $$;
