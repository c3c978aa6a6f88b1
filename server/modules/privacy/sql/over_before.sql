-- The moment before which a row may be over, whatever its brand: an index finds those, kept_days decides of each.
create or replace function over_before(p_days jsonb) returns timestamptz language sql stable as $$
  select now() - make_interval(days => (select min(value::integer) from jsonb_each_text(p_days)))
$$;
