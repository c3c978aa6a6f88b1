-- Leases due revocations for p_lease, at most p_limit: the game is asked to take the goods back.
-- Found and taken as lease_deliveries does it.
create or replace function lease_revocations(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, game_id text, tries integer, reason text
) language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  v_count integer := 0;
begin
  for r in select d.player_id, d.billing_no from revocation d
    where d.state in ('queued', 'calling') and d.next_at <= now() order by d.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from revocation d where d.player_id = r.player_id and d.billing_no = r.billing_no
      and d.state in ('queued', 'calling') and d.next_at <= now() for update skip locked;
    continue when not found;
    return query update revocation d set state = 'calling', tries = d.tries + 1, next_at = now() + p_lease
      where d.player_id = r.player_id and d.billing_no = r.billing_no
      returning d.player_id, d.billing_no, d.game_id, d.tries, d.reason;
    v_count := v_count + 1;
  end loop;
end $$;
