-- Records what the game answered to the grant of a reward. p_kind: done, declined, unknown; p_retry_in_seconds null
-- with unknown: given up. A yes is believed whenever it comes, but after a no, which gave the step back; anything else
-- only while its call is the newest. Answers the state that the reward is in now.
create or replace function finish_reward(
  p_player_id uuid, p_reward_no text, p_tries integer, p_kind text, p_receipt_id text, p_reason text,
  p_retry_in_seconds double precision
) returns text language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_next_at timestamptz := v_now + make_interval(secs => coalesce(p_retry_in_seconds, 0));
  v_state text;
  v_account_id uuid;
  v_issue_key text;
begin
  if num_nulls(p_player_id, p_reward_no, p_tries, p_kind) > 0 then
    raise exception 'finish_reward: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_kind = 'done' then
    update reward set state = 'done', done_at = v_now, receipt_id = p_receipt_id, last_error = null
      where player_id = p_player_id and reward_no = p_reward_no and state not in ('done', 'rejected')
      returning state into v_state;
  else
    update reward set
        state = case
          when p_kind = 'declined' then 'rejected' when p_retry_in_seconds is null then 'dead' else 'unknown' end,
        last_error = p_reason, next_at = case when p_kind = 'unknown' then v_next_at else next_at end
      where player_id = p_player_id and reward_no = p_reward_no and state = 'calling' and tries = p_tries
      returning state, account_id, issue_key into v_state, v_account_id, v_issue_key;
    if v_state = 'rejected' then
      update limit_counter set used = used - 1 where account_id = v_account_id and game_id = ''
        and product_id = v_issue_key and subject = 'reward' and period = 'ever';
      if v_account_id <> p_player_id then insert into player_change (player_id) values (v_account_id); end if;
    end if;
  end if;
  if v_state is not null then insert into player_change (player_id) values (p_player_id); end if;
  return coalesce(v_state, (select state from reward where player_id = p_player_id and reward_no = p_reward_no));
end $$;
