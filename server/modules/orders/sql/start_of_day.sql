-- The first moment of a day in a zone, as `momentOf` of kernel/calendar.ts has it: where clocks skip midnight the moment
-- of the change, and where midnight comes twice the first of both, for which PostgreSQL alone would take the second.
create or replace function start_of_day(p_day date, p_zone text) returns timestamptz language sql stable as $$
  -- By the clocks of the day before; what is left out of the middle is its offset from UTC.
  select case when first at time zone p_zone = p_day::timestamp then first else midnight end
  from (select p_day::timestamp at time zone p_zone as midnight) m
  cross join lateral (select (p_day - ((midnight - interval '24 hours') at time zone p_zone
    - (midnight - interval '24 hours') at time zone 'UTC')) at time zone 'UTC' as first) c
$$;
