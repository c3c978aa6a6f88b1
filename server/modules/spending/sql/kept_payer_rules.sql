-- Selects the rules that an order keeps of those it was placed under. Money that comes late is measured by them
-- (cap_refusal), once real name and age have been asked for. Most orders keep a time zone.
create or replace function kept_payer_rules(p_rules jsonb) returns jsonb language plpgsql immutable as $$
begin
  return p_rules - '{real_name,asks_age}'::text[]
    - case when jsonb_typeof(p_rules -> 'age_caps') = 'null' then '{age_caps}' else '{}' end::text[];
end $$;
