-- The tables that lie in a partition a month by the number of the order (decision 62), read from the catalogue.
create or replace function list_partitioned() returns setof text language sql stable as $$
  select c.relname::text from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  where c.relnamespace = 'public'::regnamespace and p.partstrat = 'r' and a.attname = 'billing_no'
  order by 1
$$;
