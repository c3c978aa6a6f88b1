-- The time in which a level's coupon of this type can be had once: the calendar week (from Monday) or month of the
-- brand's zone that holds `p_at`, and for `permanent` all time. The key is a part of the coupon's code.
create or replace function level_period(p_type text, p_time_zone text, p_at timestamptz)
  returns table (period_key text, begins_at timestamptz, ends_at timestamptz) language plpgsql stable as $$
declare
  v_first date;
  v_next date;
begin
  if p_type = 'permanent' then
    return query select ''::text, null::timestamptz, null::timestamptz;
    return;
  end if;
  if p_type not in ('week', 'month') or num_nulls(p_type, p_time_zone, p_at) > 0 then
    raise exception 'level_period: type, time zone and time must be given' using errcode = 'null_value_not_allowed';
  end if;
  v_first := date_trunc(p_type, p_at at time zone p_time_zone)::date;
  v_next := (v_first + ('1 ' || p_type)::interval)::date;
  -- Midnights of the zone itself, so that a week with a change of the clock has 167 or 169 hours.
  return query select case p_type when 'week' then to_char(v_first, 'YYYY-MM-DD') else to_char(v_first, 'YYYY-MM') end,
    start_of_day(v_first, p_time_zone), start_of_day(v_next, p_time_zone);
end $$;
