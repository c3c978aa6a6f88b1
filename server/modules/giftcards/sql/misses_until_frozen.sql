-- At so many misses nothing more is looked at.
create or replace function misses_until_frozen(p_subject text) returns integer language sql immutable as
  $$ select case left(p_subject, 1) when 'c' then 10 when 'd' then 20 else 5 end $$;
