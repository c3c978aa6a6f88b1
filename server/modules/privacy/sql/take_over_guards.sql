-- A login that makes a player, or joins one, brings along what its account had used up before a person was erased.
create or replace function take_over_guards(p_player_id uuid, p_brand_key text, p_provider text, p_subject text)
  returns void language plpgsql as $$
begin
  if num_nulls(p_player_id, p_brand_key, p_provider, p_subject) > 0 then
    raise exception 'take_over_guards: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  with taken as (
    delete from account_guard where account_hash = guard_account_hash(p_brand_key, p_provider, p_subject) returning *
  ), aged as (
    -- Consent was asked of minors alone, and without it nothing was declared.
    insert into age_declaration (player_id, birth_year, birth_month, has_consent)
      select p_player_id, (used / 12)::integer, (used % 12)::integer + 1, true from taken
        where subject_hash = guard_hash('age')
      on conflict do nothing
  ), paused as (
    insert into spending_pause (player_id, paused_until) select p_player_id, to_timestamp(used) from taken
        where subject_hash = guard_hash('pause')
      on conflict (player_id) do update set paused_until = greatest(spending_pause.paused_until, excluded.paused_until)
  )
  insert into carried_use as c (player_id, game_id, product_id, subject_hash, period, used)
    select p_player_id, game_id, product_id, subject_hash, period, used from taken
      where subject_hash not in (guard_hash('age'), guard_hash('pause'))
    on conflict (player_id, game_id, product_id, subject_hash, period)
      do update set used = greatest(c.used, excluded.used);
end $$;
