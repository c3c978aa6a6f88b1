
-- Rows of orders and attempts are half as long as when their fill factor of 70 was chosen (names in two languages,
-- decision 66), so less of a page has to stay free for their next versions. Every month made from now on follows
-- <table>_default; months that are there take it for pages that are yet to be written.
do $$
declare
  v_month regclass;
begin
  for v_month in
    select inhrelid::regclass from pg_inherits
     where inhparent in ('orders'::regclass, 'payment_attempt'::regclass)
     order by inhrelid::regclass::text
  loop
    execute format('alter table %s set (fillfactor = 75)', v_month);
  end loop;
end $$;
