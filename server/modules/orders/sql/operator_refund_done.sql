-- An operator says that the money of one attempt went back by hand: it is booked instead of asked for. Money of a balance
-- or a prepaid card is in this database, so booking it by hand would give it back a second time (`own_money`). Outcomes:
-- RefundAnswer in operate-store.ts.
create or replace function operator_refund_done(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_reason text, p_requested_by text
) returns text language plpgsql as $$
declare
  v_refund refund;
  v_attempt payment_attempt;
  v_asked text;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by) > 0 then
    raise exception 'operator_refund_done: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  perform lock_reservations(p_player_id, p_billing_no);
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  perform 1 from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_attempt.provider in ('card', 'wallet') then return 'own_money'; end if;
  select * into v_refund from refund
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_refund.state = 'done' then return 'was_done'; end if;
  if v_refund.state = 'calling' and v_refund.next_at > now() then return 'refunding_now'; end if;
  if v_refund.state is null then
    v_asked := operator_refund(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by);
    if v_asked <> 'due' then return v_asked; end if;
  end if;
  if not book_repaid(v_attempt) and not book_refund(p_player_id, p_billing_no, p_attempt_no) then
    return 'nothing_to_refund';
  end if;
  return 'done';
end $$;
