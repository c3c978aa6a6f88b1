create or replace function insert_attempt(p jsonb, p_player uuid, p_billing text, p_attempt integer) returns void language sql as $$
  insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id, amount_minor, currency, state, payable_until, next_query_at)
  values (p_player, p_billing, p_attempt, p ->> 'provider', p ->> 'channel_key', p -> 'channel_name', p ->> 'channel_id', (p ->> 'amount_minor')::bigint,
    p ->> 'currency', 'sent', now() + (p ->> 'payable_for')::interval, now() + interval '30 seconds')
$$;
