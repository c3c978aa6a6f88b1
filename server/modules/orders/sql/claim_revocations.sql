create or replace function claim_revocations(p_limit integer, p_lease interval) returns table (player_id uuid,
  billing_no text, game_id text, tries integer, reason text)
language sql as $$
  update revocation r set state = 'calling', tries = r.tries + 1, next_at = now() + p_lease
  from (select v.player_id, v.billing_no from revocation v where v.state in ('queued', 'calling')
    and v.next_at <= now() order by v.next_at limit p_limit for update skip locked) due
  where r.player_id = due.player_id and r.billing_no = due.billing_no
  returning r.player_id, r.billing_no, r.game_id, r.tries, r.reason
$$;
