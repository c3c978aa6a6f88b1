-- Locks everything that a payment taken back changes, in the order in which all steps lock: reservations, delivery,
-- order, attempt.
create or replace function lock_payment(p_player_id uuid, p_billing_no text, p_attempt_no integer,
  out locked_order orders, out locked_attempt payment_attempt) language plpgsql as $$
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no) > 0 then
    raise exception 'lock_payment: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform lock_reservations(p_player_id, p_billing_no);
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into locked_order from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into locked_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
end $$;
