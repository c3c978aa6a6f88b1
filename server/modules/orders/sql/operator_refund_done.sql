create or replace function operator_refund_done(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_refund refund;
  v_asked text;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  perform 1 from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  select * into v_refund from refund where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_refund.state = 'done' then return 'was_done'; end if;
  if v_refund.state = 'calling' and v_refund.next_at > now() then return 'refunding_now'; end if;
  if v_refund.state is null then
    v_asked := operator_refund(p_player, p_billing, p_attempt, p_reason, p_by);
    if v_asked <> 'due' then return v_asked; end if;
  end if;
  if not book_refund(p_player, p_billing, p_attempt) then return 'nothing_to_refund'; end if;
  return 'done';
end $$;
