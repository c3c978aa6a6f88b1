-- Leases due messages of one endpoint for p_lease, at most p_limit.
-- Found and taken as lease_deliveries does it.
create or replace function lease_webhook_messages(p_endpoint_id text, p_limit integer, p_lease interval)
returns setof webhook_message language plpgsql as $$
declare
  r record;
  v_message webhook_message;
  v_count integer := 0;
begin
  for r in select m.player_id, m.message_id from webhook_message m
    where m.endpoint_id = p_endpoint_id and m.state in ('queued', 'calling') and m.next_at <= now()
    order by m.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from webhook_message m where m.player_id = r.player_id and m.message_id = r.message_id
      and m.state in ('queued', 'calling') and m.next_at <= now() for update skip locked;
    continue when not found;
    update webhook_message m set state = 'calling', tries = m.tries + 1, next_at = now() + p_lease
      where m.player_id = r.player_id and m.message_id = r.message_id returning * into v_message;
    return next v_message;
    v_count := v_count + 1;
  end loop;
end $$;
