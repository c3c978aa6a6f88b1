-- When the window that holds `at` ends; null for limits without days.
create or replace function limit_period_end(days integer, zone text,
  at timestamptz) returns timestamptz language sql stable as $$
  select case when days is null then null
    else start_of_day(
      date '2024-01-01' + ((((at at time zone zone)::date - date '2024-01-01') / days) + 1) * days, zone) end
$$;
