-- A login that makes a player, or joins one, brings along what its account had used up before a person was erased.
create or replace function take_over_guards(p_player_id uuid, p_brand_key text, p_provider text, p_subject text)
  returns void language plpgsql as $$
declare
  r account_guard;
begin
  if num_nulls(p_player_id, p_brand_key, p_provider, p_subject) > 0 then
    raise exception 'take_over_guards: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  for r in delete from account_guard where account_hash = guard_account_hash(p_brand_key, p_provider, p_subject)
    returning *
  loop
    if r.subject_hash = guard_hash('age') then
      -- Consent was asked of minors alone, and without it nothing was declared.
      insert into age_declaration (player_id, birth_year, birth_month, has_consent)
        values (p_player_id, (r.used / 12)::integer, (r.used % 12)::integer + 1, true) on conflict do nothing;
    elsif r.subject_hash = guard_hash('pause') then
      insert into spending_pause (player_id, paused_until) values (p_player_id, to_timestamp(r.used))
        on conflict (player_id) do update
          set paused_until = greatest(spending_pause.paused_until, excluded.paused_until);
    else
      insert into carried_use as c (player_id, game_id, product_id, subject_hash, period, used)
        values (p_player_id, r.game_id, r.product_id, r.subject_hash, r.period, r.used)
        on conflict (player_id, game_id, product_id, subject_hash, period)
          do update set used = greatest(c.used, excluded.used);
    end if;
  end loop;
end $$;
