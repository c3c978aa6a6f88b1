-- Orders with a number below this one are in the files of `refill archive`; empty: none are. What stands outside of
-- these months and names an order of them cannot be held against it any more.
create or replace function archived_until() returns text language sql stable as $$
  select coalesce(max(to_no), '') from archived_month
$$;
