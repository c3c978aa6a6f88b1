-- A player's own cap: a lower one counts at once, a higher one, or none (null), 24 hours from now. Whoever wants to
-- spend more has slept over it. The first cap in a currency lets purchases in that money begin where caps in another
-- one had shut them out (cap_refusal), so it waits as well.
create or replace function set_spending_cap(p_player_id uuid, p_currency text, p_period text, p_cap_minor bigint)
  returns void language plpgsql as $$
declare
  v_cap_minor bigint;
  v_is_at_once boolean;
  v_is_shut_out boolean;
  v_tomorrow timestamptz := now() + interval '24 hours';
begin
  if num_nulls(p_player_id, p_currency, p_period) > 0 then
    raise exception 'set_spending_cap: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from player where player_id = p_player_id for no key update;
  select case when next_at <= now() then next_cap_minor else cap_minor end into v_cap_minor
    from spending_cap where player_id = p_player_id and currency = p_currency and period = p_period;
  select count(*) > 0 and not coalesce(bool_or(currency = p_currency), false) into v_is_shut_out from spending_cap
    where player_id = p_player_id and case when next_at <= now() then next_cap_minor else cap_minor end is not null;
  v_is_at_once := (v_cap_minor is null and not v_is_shut_out) or coalesce(p_cap_minor <= v_cap_minor, false);
  insert into spending_cap (player_id, currency, period, cap_minor, next_cap_minor, next_at)
    values (p_player_id, p_currency, p_period, case when v_is_at_once then p_cap_minor else v_cap_minor end,
      case when v_is_at_once then null else p_cap_minor end,
      case when v_is_at_once then null else v_tomorrow end)
    on conflict (player_id, currency, period) do update set cap_minor = excluded.cap_minor,
      next_cap_minor = excluded.next_cap_minor, next_at = excluded.next_at;
end $$;
