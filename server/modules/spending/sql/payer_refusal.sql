-- Why this player may not pay now, whatever it costs: real_name_missing, age_unknown, spending_paused; null when
-- nothing stands against it. The caller holds the lock of the player.
-- p_rules: real_name (boolean), age_caps (see spending_limits; null: none, missing: an error), time_zone. Null: a
-- server of the version before, which knows none of it and so may sell only where the brand's applied file asks for
-- none of it.
create or replace function payer_refusal(p_player_id uuid, p_brand_key text, p_rules jsonb) returns text
  language plpgsql as $$
begin
  if p_rules is not null then
    perform require_keys('payer_refusal, rules', p_rules, '{real_name,time_zone}');
    if coalesce(jsonb_typeof(p_rules -> 'age_caps'), '') not in ('object', 'null') then
      raise exception 'payer_refusal, rules: age_caps is missing' using errcode = 'null_value_not_allowed';
    end if;
  elsif exists (select from configuration_file where kind = 'brand' and key = p_brand_key
      and (body::jsonb ? 'realName' or jsonb_path_exists(body::jsonb, '$.areas.*.ageCaps'))) then
    raise exception 'payer_refusal: the rules of the brand % are missing', p_brand_key
      using errcode = 'null_value_not_allowed';
  end if;
  -- One statement a question, and only where it is asked: most orders are placed where neither is.
  if (p_rules ->> 'real_name')::boolean then
    if not exists (select from real_name where player_id = p_player_id and state = 'verified') then
      return 'real_name_missing';
    end if;
  end if;
  -- asks_age: servers from before do not send it, and asked wherever there are caps.
  if jsonb_typeof(p_rules -> 'age_caps') = 'object' and coalesce((p_rules ->> 'asks_age')::boolean, true) then
    if not exists (select from age_declaration where player_id = p_player_id) then
      return 'age_unknown';
    end if;
  end if;
  if exists (select from spending_pause where player_id = p_player_id and paused_until > now()) then
    return 'spending_paused';
  end if;
  return null;
end $$;
