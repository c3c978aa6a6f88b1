-- The age in whole years that somebody born in this month has for certain on every day of a month: a birthday within
-- the month counts from the next one.
create or replace function age_in_month(p_birth_year integer, p_birth_month integer, p_month timestamp) returns integer
  language sql immutable as $$
  select floor((extract(year from p_month)::integer * 12 + extract(month from p_month)::integer
    - p_birth_year * 12 - p_birth_month - 1) / 12.0)::integer
$$;
