-- Leases due revocations for p_lease, at most p_limit: the game is asked to take the goods back.
create or replace function lease_revocations(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, game_id text, tries integer, reason text
) language sql as $$
  with due as (
    select r.player_id, r.billing_no from revocation r where r.state in ('queued', 'calling') and r.next_at <= now()
    order by r.next_at limit p_limit for update skip locked
  )
  update revocation r set state = 'calling', tries = r.tries + 1, next_at = now() + p_lease
  from due where r.player_id = due.player_id and r.billing_no = due.billing_no
  returning r.player_id, r.billing_no, r.game_id, r.tries, r.reason
$$;
