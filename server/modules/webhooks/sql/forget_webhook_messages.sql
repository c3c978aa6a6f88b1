-- Takes away messages that are too old, and those of endpoints that are gone, at most p_limit: an order's transaction
-- may not have seen its endpoint go. Endpoints are counted off by the index, for there are few and many messages of
-- each. Answers how many.
create or replace function forget_webhook_messages(p_days integer, p_limit integer) returns integer language plpgsql
  as $$
declare
  r record;
  v_endpoint_id text;
  v_before timestamptz;
  v_count integer := 0;
begin
  loop
    select min(endpoint_id) into v_endpoint_id from webhook_message
      where v_endpoint_id is null or endpoint_id > v_endpoint_id;
    exit when v_endpoint_id is null;
    v_before := case when exists (select from webhook_endpoint where endpoint_id = v_endpoint_id)
      then now() - make_interval(days => p_days) else now() end;
    for r in select player_id, message_id from webhook_message
      where endpoint_id = v_endpoint_id and created_at < v_before limit p_limit - v_count
    loop
      perform 1 from webhook_message where player_id = r.player_id and message_id = r.message_id
        for update skip locked;
      continue when not found;
      delete from webhook_message where player_id = r.player_id and message_id = r.message_id;
      v_count := v_count + 1;
    end loop;
    exit when v_count >= p_limit;
  end loop;
  return v_count;
end $$;
