-- Leases due rewards for p_lease, at most p_limit, none of a game of p_busy_games: the game is asked to hand them over.
-- Found and taken as lease_deliveries does it.
create or replace function lease_rewards(p_limit integer, p_lease interval, p_busy_games text[])
  returns setof reward language plpgsql as $$
declare
  r record;
  v_reward reward;
  v_count integer := 0;
begin
  for r in select w.player_id, w.reward_no from reward w where w.state in ('queued', 'calling', 'unknown')
    and w.next_at <= now() and w.game_id <> all (p_busy_games) order by w.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from reward w where w.player_id = r.player_id and w.reward_no = r.reward_no
      and w.state in ('queued', 'calling', 'unknown') and w.next_at <= now() for update skip locked;
    continue when not found;
    update reward w set state = 'calling', tries = w.tries + 1, next_at = now() + p_lease
      where w.player_id = r.player_id and w.reward_no = r.reward_no returning * into v_reward;
    return next v_reward;
    v_count := v_count + 1;
  end loop;
end $$;
