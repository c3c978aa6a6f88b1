-- Takes a reward into the books that a restored database does not know as handed over (decision 61). p_facts:
-- reward_facts as the game gave them back. Received again since: a second one that no game was asked for yet ends here;
-- one that may be in the game stays beside the first, and says so.
-- Answers {outcome, player_id, decisions} as adopt_order: adopted, or known (handed over here already).
create or replace function adopt_reward(
  p_player_id uuid, p_reward_no text, p_facts jsonb, p_receipt_id text
) returns jsonb language plpgsql as $$
declare
  v_player_id uuid;
  v_reward reward := jsonb_populate_record(null::reward, p_facts - 'created_at');
  v_state text;
  v_account_id uuid;
  v_second reward;
  v_decisions jsonb := '[]';
begin
  if num_nulls(p_player_id, p_reward_no, p_facts, p_receipt_id) > 0 then
    raise exception 'adopt_reward: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('adopt_reward, facts', p_facts, array['issue_key', 'brand_key', 'game_id', 'client_id',
    'server_id', 'area_id', 'role_id', 'suid', 'product_id', 'gifts', 'title', 'basis', 'created_at']);
  v_player_id := adopt_player(p_player_id, p_facts);
  v_account_id := account_of(v_player_id);
  select state into v_state from reward where player_id = v_player_id and reward_no = p_reward_no for update;
  if v_state = 'done' then
    return jsonb_build_object('outcome', 'known', 'player_id', v_player_id, 'decisions', v_decisions);
  end if;
  select * into v_second from reward where account_id = v_account_id and issue_key = v_reward.issue_key
    and reward_no <> p_reward_no and state <> 'rejected' for update;
  if v_second.tries = 0 then
    update reward set state = 'rejected', last_error = 'received before: ' || p_reward_no
      where player_id = v_second.player_id and reward_no = v_second.reward_no;
    v_decisions := jsonb_build_array(jsonb_build_object('decision', 'reward_stopped', 'second', v_second.reward_no));
  elsif v_second.tries > 0 then
    update reward set issue_key = issue_key || '#' || reward_no,
        basis = basis || jsonb_build_object('again_of', p_reward_no)
      where player_id = v_second.player_id and reward_no = v_second.reward_no;
    v_decisions := jsonb_build_array(jsonb_build_object(
      'decision', 'reward_given_twice', 'second', v_second.reward_no));
  end if;
  -- The use that the first or the second had taken stays taken. One that goes on beside the other is counted under a
  -- key of its own.
  insert into limit_counter as c (account_id, game_id, product_id, subject, period, used, cap)
    select v_account_id, '', k.issue_key, 'reward', 'ever', 1, 1 from (
      select v_reward.issue_key
      union all select v_second.issue_key || '#' || v_second.reward_no where v_second.tries > 0) k
    on conflict (account_id, game_id, product_id, subject, period) do update set used = 1;
  if v_state is not null then
    update reward set state = 'done', done_at = now(), receipt_id = p_receipt_id, last_error = null
      where player_id = v_player_id and reward_no = p_reward_no;
  else
    insert into reward (player_id, account_id, reward_no, issue_key, brand_key, game_id, client_id, server_id,
        area_id, role_id, role_name, suid, product_id, gifts, title, basis, state, tries, receipt_id,
        created_at, done_at)
      select v_player_id, v_account_id, p_reward_no, v_reward.issue_key, v_reward.brand_key, v_reward.game_id,
        v_reward.client_id, v_reward.server_id, v_reward.area_id, v_reward.role_id, coalesce(r.name, ''), v_reward.suid,
        v_reward.product_id, v_reward.gifts, v_reward.title, v_reward.basis, 'done', 1, p_receipt_id,
        to_timestamp((p_facts ->> 'created_at')::numeric), now()
      from (select) one left join player_role r on r.player_id = v_player_id and r.client_id = v_reward.client_id
        and r.server_id = v_reward.server_id and r.area_id = v_reward.area_id and r.role_id = v_reward.role_id;
  end if;
  insert into player_change (player_id) values (v_player_id);
  return jsonb_build_object('outcome', 'adopted', 'player_id', v_player_id, 'decisions', v_decisions);
end $$;
