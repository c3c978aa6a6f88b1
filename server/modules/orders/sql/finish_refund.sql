create or replace function finish_refund(p_player uuid, p_billing text, p_attempt integer, p_tries integer, p_kind text, p_ref text, p_error text, p_retry_seconds double precision)
returns text language plpgsql as $$
begin
  if p_kind = 'done' then
    perform book_refund(p_player, p_billing, p_attempt);
    update refund set provider_refund_ref = coalesce(p_ref, provider_refund_ref) where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
    return 'done';
  end if;
  update refund set state = case p_kind when 'pending' then 'pending' when 'manual' then 'manual' else 'due' end,
      provider_refund_ref = coalesce(p_ref, provider_refund_ref), last_error = p_error, next_at = now() + make_interval(secs => coalesce(p_retry_seconds, 0))
    where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and state <> 'done' and tries = p_tries;
  return p_kind;
end $$;
