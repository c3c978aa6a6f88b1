-- Receives the daily reward of today, once: p_reward is as receive_rewards has it, and its basis says the day and the
-- streak that the caller has seen. Under the player's lock, so that a claim of yesterday cannot come between. Answers
-- as receive_rewards: received, had, or locked when the day or the streak is another by now, or its run is over.
create or replace function receive_daily(p_player_id uuid, p_receiver jsonb, p_run text, p_reward jsonb) returns jsonb
  language plpgsql as $$
declare
  v_now record;
begin
  if num_nulls(p_player_id, p_receiver, p_run, p_reward) > 0 then
    raise exception 'receive_daily: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('receive_daily, basis', p_reward -> 'basis',
    array['kind', 'day', 'streak', 'time_zone', 'from', 'until']);
  perform 1 from player where player_id = p_player_id for no key update;
  select * into v_now from daily_standing(p_player_id, p_run, p_reward -> 'basis' ->> 'time_zone');
  if not v_now.is_claimed and (v_now.today::text <> p_reward -> 'basis' ->> 'day'
    or v_now.streak + 1 <> (p_reward -> 'basis' ->> 'streak')::integer
    or now() < (p_reward -> 'basis' ->> 'from')::timestamptz
    or now() >= (p_reward -> 'basis' ->> 'until')::timestamptz)
  then
    return jsonb_build_array(jsonb_build_object('issue_key', p_reward ->> 'issue_key', 'outcome', 'locked'));
  end if;
  return receive_rewards(p_player_id, p_receiver, jsonb_build_array(p_reward));
end $$;
