-- Returns the standing of a player's account (account_of) in a daily reward, by the calendar of its zone: today's date,
-- the days in a row up to the last claim (0 when a day was missed since), and whether today's is claimed. p_run:
-- "event/<game>/<activity>/", what the issue keys of its rewards begin with; a date follows. What the game refused was
-- not claimed. No plan may read the rewards of all players. What was claimed before its person was erased stays so, and
-- a row of days ends there.
create or replace function daily_standing(
  p_player_id uuid, p_run text, p_time_zone text, out today date, out streak integer, out is_claimed boolean
) language plpgsql stable set enable_seqscan = off as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_day date;
begin
  today := (now() at time zone p_time_zone)::date;
  select (w.basis ->> 'day')::date, (w.basis ->> 'streak')::integer into v_day, streak from reward w
    where w.account_id = v_account_id and w.state <> 'rejected'
      and w.issue_key = any (array[p_run || today::text, p_run || (today - 1)::text])
    order by 1 desc limit 1;
  streak := coalesce(streak, 0);
  is_claimed := coalesce(v_day = today, false)
    or uses_before(v_account_id, '', p_run || today::text, 'reward', 'ever') > 0;
  if is_claimed then streak := greatest(streak, 1); end if;
end $$;
