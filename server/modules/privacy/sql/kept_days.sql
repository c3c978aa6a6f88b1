-- For how many days a row of this brand is kept: p_days holds days by brand, and under '*' those of rows without a
-- brand, or of one that is not in the configuration. Null, and so nothing ends, when it says neither.
create or replace function kept_days(p_days jsonb, p_brand_key text) returns integer language sql immutable as $$
  select coalesce((p_days ->> p_brand_key)::integer, (p_days ->> '*')::integer)
$$;
