-- Keeps when a player was born. Said once: only an operator (p_by) changes it. False: it was said before.
create or replace function declare_age(
  p_player_id uuid, p_birth_year integer, p_birth_month integer, p_has_consent boolean, p_by text
) returns boolean language plpgsql as $$
begin
  if num_nulls(p_player_id, p_birth_year, p_birth_month, p_has_consent) > 0 then
    raise exception 'declare_age: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from player where player_id = p_player_id for no key update;
  insert into age_declaration as d (player_id, birth_year, birth_month, has_consent, changed_by)
    values (p_player_id, p_birth_year, p_birth_month, p_has_consent, p_by)
    on conflict (player_id) do update set birth_year = excluded.birth_year, birth_month = excluded.birth_month,
      has_consent = excluded.has_consent, declared_at = excluded.declared_at, changed_by = excluded.changed_by
    where excluded.changed_by is not null;
  return found;
end $$;
