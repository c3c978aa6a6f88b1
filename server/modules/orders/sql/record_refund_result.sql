-- Records what became of one refund call. p_kind: done (booked, by whomever it is said), pending (the provider will
-- tell), manual (a person pays it back), anything else: due again. All but `done` counts only while the call is the
-- newest of its refund.
create or replace function record_refund_result(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_tries integer,
  p_kind text, p_provider_refund_ref text, p_error text, p_retry_seconds double precision
) returns text language plpgsql as $$
declare
  v_state text := case p_kind when 'pending' then 'pending' when 'manual' then 'manual' else 'due' end;
  v_left_minor bigint;
  v_next_at timestamptz := now() + make_interval(secs => coalesce(p_retry_seconds, 0));
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_tries, p_kind) > 0 then
    raise exception 'record_refund_result: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_kind = 'done' then
    perform book_refund(p_player_id, p_billing_no, p_attempt_no);
    update refund set provider_refund_ref = coalesce(p_provider_refund_ref, provider_refund_ref)
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
    return 'done';
  end if;
  -- Parts that went back while the provider was asked have left the books, not the amount that it was asked for: a
  -- person is to pay what is left.
  if v_state = 'manual' then
    perform 1 from payment_attempt
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
    select sum(amount_minor) into v_left_minor from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and account = 'provider_receivable';
  end if;
  update refund set state = v_state,
      amount_minor = case when v_left_minor > 0 then least(amount_minor, v_left_minor) else amount_minor end,
      provider_refund_ref = coalesce(p_provider_refund_ref, provider_refund_ref),
      last_error = p_error, next_at = v_next_at
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and state <> 'done' and tries = p_tries;
  return p_kind;
end $$;
