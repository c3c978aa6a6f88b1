-- Leases due messages of one endpoint for p_lease, at most p_limit.
create or replace function lease_webhook_messages(p_endpoint_id text, p_limit integer, p_lease interval)
returns setof webhook_message language sql as $$
  with due as (
    select m.player_id, m.message_id from webhook_message m
    where m.endpoint_id = p_endpoint_id and m.state in ('queued', 'calling') and m.next_at <= now()
    order by m.next_at limit p_limit for update skip locked
  )
  update webhook_message m set state = 'calling', tries = m.tries + 1, next_at = now() + p_lease
  from due where m.player_id = due.player_id and m.message_id = due.message_id
  returning m.*
$$;
