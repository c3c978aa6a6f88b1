-- Receives rewards of events for one character that the game has shown us: each row of p_rewards (the columns of
-- reward that are the step's) becomes a delivery once for the account (account_of), if its orders
-- reach its step now. p_receiver: the
-- columns of reward that say who and where. Answers a list of {issue_key, outcome}: received, had (received before),
-- locked; null for a character that is not known.
create or replace function receive_rewards(p_player_id uuid, p_receiver jsonb, p_rewards jsonb) returns jsonb
  language plpgsql as $$
declare
  v_to reward := jsonb_populate_record(null::reward, p_receiver);
  v_account_id constant uuid := account_of(p_player_id);
  v_used integer;
  r record;
  v_outcome text;
  v_outcomes jsonb := '[]';
begin
  if num_nulls(p_player_id, p_receiver, p_rewards) > 0 then
    raise exception 'receive_rewards: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  select name into v_to.role_name from player_role
    where player_id = p_player_id and client_id = v_to.client_id and server_id = v_to.server_id
      and area_id = v_to.area_id and role_id = v_to.role_id and seen_at > now() - interval '7 days';
  if not found then return null; end if;
  -- In one order, so that two calls which share rewards cannot meet crosswise.
  for r in select * from jsonb_to_recordset(p_rewards) as x(
      reward_no text, issue_key text, product_id text, gifts jsonb, title jsonb, basis jsonb) order by x.issue_key
  loop
    select used into v_used from limit_counter where account_id = v_account_id and game_id = ''
      and product_id = r.issue_key and subject = 'reward' and period = 'ever';
    v_used := coalesce(v_used, 0) + uses_before(v_account_id, '', r.issue_key, 'reward', 'ever');
    v_outcome := case when v_used > 0 then 'had' else 'locked' end;
    if v_outcome = 'locked' and event_reached(p_player_id, v_to.brand_key, v_to.game_id, r.basis, null) then
      -- Two brands of one game account meet here: the second waits, and finds it had.
      insert into limit_counter as c (account_id, game_id, product_id, subject, period, used, cap)
        values (v_account_id, '', r.issue_key, 'reward', 'ever', 1, 1)
        on conflict (account_id, game_id, product_id, subject, period) do update set used = 1 where c.used = 0;
      v_outcome := case when found then 'received' else 'had' end;
    end if;
    if v_outcome = 'received' then
      insert into reward (player_id, account_id, reward_no, issue_key, brand_key, game_id, client_id, server_id,
          area_id, role_id, role_name, suid, product_id, gifts, title, basis)
        values (p_player_id, v_account_id, r.reward_no, r.issue_key, v_to.brand_key, v_to.game_id, v_to.client_id,
          v_to.server_id, v_to.area_id, v_to.role_id, v_to.role_name, v_to.suid, r.product_id, r.gifts, r.title,
          r.basis);
      insert into player_change (player_id) values (p_player_id);
      if v_account_id <> p_player_id then insert into player_change (player_id) values (v_account_id); end if;
    end if;
    v_outcomes := v_outcomes || jsonb_build_object('issue_key', r.issue_key, 'outcome', v_outcome);
  end loop;
  return v_outcomes;
end $$;
