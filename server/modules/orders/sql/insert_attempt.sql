-- Commits "about to ask the provider": the first question about it is due in 30 seconds, whatever becomes of this
-- process.
create or replace function insert_attempt(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_channel_key text, p_channel_name jsonb,
  p_channel_id text, p_method text, p_amount_minor bigint, p_currency text, p_payable_for interval
) returns void language plpgsql as $$
begin
  insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
      method, amount_minor, currency, state, payable_until, next_query_at)
    values (p_player_id, p_billing_no, p_attempt_no, p_provider, p_channel_key, p_channel_name, p_channel_id,
      p_method, p_amount_minor, p_currency, 'sent', now() + p_payable_for, now() + interval '30 seconds');
end $$;
