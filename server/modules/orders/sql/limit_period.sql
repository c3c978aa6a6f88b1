-- The window of a "N within D days" limit: windows begin at local midnight of the brand's zone, counted from Monday
-- 2024-01-01.
create or replace function limit_period(days integer, zone text, at timestamptz) returns text language sql stable as $$
  select case when days is null then 'ever'
    else 'd' || days || ':' || (((at at time zone zone)::date - date '2024-01-01') / days) end
$$;
