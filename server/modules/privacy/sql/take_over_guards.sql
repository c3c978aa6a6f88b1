-- A login that makes a player, or joins one, brings along what its account had used up before a person was erased.
-- Codes and spending are the player's; everything else belongs to the account (account_of).
create or replace function take_over_guards(p_player_id uuid, p_brand_key text, p_provider text, p_subject text)
  returns void language plpgsql as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_now constant timestamptz := now();
  v_age constant text := guard_hash('age');
  v_pause constant text := guard_hash('pause');
  v_cap constant text := guard_hash('cap');
  v_own constant text[] := array[guard_hash('code'), guard_hash('spent')];
  r account_guard;
begin
  if num_nulls(p_player_id, p_brand_key, p_provider, p_subject) > 0 then
    raise exception 'take_over_guards: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  for r in delete from account_guard where account_hash = guard_account_hash(p_brand_key, p_provider, p_subject)
    returning *
  loop
    if r.subject_hash = v_age then
      -- Consent was asked of minors alone, and without it nothing was declared.
      insert into age_declaration (player_id, birth_year, birth_month, has_consent)
        values (p_player_id, (r.used / 12)::integer, (r.used % 12)::integer + 1, true) on conflict do nothing;
    elsif r.subject_hash = v_pause then
      insert into spending_pause (player_id, paused_until) values (p_player_id, to_timestamp(r.used))
        on conflict (player_id) do update
          set paused_until = greatest(spending_pause.paused_until, excluded.paused_until);
    elsif r.subject_hash = v_cap then
      insert into spending_cap as s (player_id, currency, period, cap_minor)
        values (p_player_id, r.product_id, r.period, r.used)
        on conflict (player_id, currency, period) do update set
          cap_minor = least(excluded.cap_minor,
            case when s.next_at <= v_now then s.next_cap_minor else s.cap_minor end),
          next_cap_minor = case when s.next_at > v_now then s.next_cap_minor end,
          next_at = case when s.next_at > v_now then s.next_at end;
    else
      insert into carried_use as c (account_id, game_id, product_id, subject_hash, period, used)
        values (case when r.subject_hash = any (v_own) then p_player_id else v_account_id end, r.game_id, r.product_id,
          r.subject_hash, r.period, r.used)
        on conflict (account_id, game_id, product_id, subject_hash, period)
          do update set used = greatest(c.used, excluded.used);
    end if;
  end loop;
end $$;
