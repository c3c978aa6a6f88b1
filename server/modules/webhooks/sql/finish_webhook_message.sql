-- Records what an endpoint answered to one message. p_retry_in_seconds null without p_is_done: given up. p_is_gone:
-- the endpoint wants nothing more (410). An endpoint that answered nothing well for p_patience is disabled, and what
-- waits for it is kept. A yes counts whenever it comes, anything else only while its call is the newest.
-- Answers done, queued, dead or disabled; null where nothing was recorded.
create or replace function finish_webhook_message(
  p_player_id uuid, p_message_id text, p_tries integer, p_is_done boolean, p_is_gone boolean, p_status integer,
  p_error text, p_retry_in_seconds double precision, p_patience interval
) returns text language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_message webhook_message;
begin
  if num_nulls(p_player_id, p_message_id, p_tries, p_is_done, p_is_gone, p_patience) > 0 then
    raise exception 'finish_webhook_message: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  update webhook_message set
      state = case when p_is_done then 'done' when p_retry_in_seconds is null then 'dead' else 'queued' end,
      done_at = case when p_is_done then v_now end, last_status = p_status, last_error = p_error,
      next_at = v_now + make_interval(secs => coalesce(p_retry_in_seconds, 0))
    where player_id = p_player_id and message_id = p_message_id
      and (case when p_is_done then state <> 'done' else state = 'calling' and tries = p_tries end)
    returning * into v_message;
  if not found then return null; end if;
  if p_is_done then
    update webhook_endpoint set failing_since = null
      where endpoint_id = v_message.endpoint_id and failing_since is not null;
    return 'done';
  end if;
  update webhook_endpoint set failing_since = v_now
    where endpoint_id = v_message.endpoint_id and failing_since is null;
  update webhook_endpoint set disabled_at = v_now
    where endpoint_id = v_message.endpoint_id and disabled_at is null
      and (p_is_gone or failing_since < v_now - p_patience);
  if not found then return v_message.state; end if;
  update webhook_message set state = 'queued', next_at = 'infinity'
    where endpoint_id = v_message.endpoint_id and state in ('queued', 'calling');
  return 'disabled';
end $$;
