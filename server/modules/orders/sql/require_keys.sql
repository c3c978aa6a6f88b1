-- The door of a jsonb parameter: every key that decides something is there and not null. p_place names it in the error.
create or replace function require_keys(p_place text, p_value jsonb, p_keys text[]) returns void
  language plpgsql immutable as $$
declare
  v_key text;
begin
  if p_value is null or not p_value ?& p_keys then
    raise exception '%: one of % is missing', p_place, p_keys using errcode = 'null_value_not_allowed';
  end if;
  foreach v_key in array p_keys loop
    if p_value -> v_key = 'null' then
      raise exception '%: % is null', p_place, v_key using errcode = 'null_value_not_allowed';
    end if;
  end loop;
end $$;
