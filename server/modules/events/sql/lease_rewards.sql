-- Leases due rewards for p_lease, at most p_limit, none of a game of p_busy_games: the game is asked to hand them over.
create or replace function lease_rewards(p_limit integer, p_lease interval, p_busy_games text[])
  returns setof reward language sql as $$
  with due as (
    select w.player_id, w.reward_no from reward w where w.state in ('queued', 'calling', 'unknown')
      and w.next_at <= now() and w.game_id <> all (p_busy_games)
    order by w.next_at limit p_limit for update skip locked
  )
  update reward w set state = 'calling', tries = w.tries + 1, next_at = now() + p_lease
  from due where w.player_id = due.player_id and w.reward_no = due.reward_no
  returning w.*
$$;
