create or replace function operator_deliver(p_player uuid, p_billing text) returns text language plpgsql as $$
declare
  v_order orders;
  v_attempt integer;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  if v_order.state is null or v_order.state not in ('paid', 'delivering', 'review') then return 'wrong_state'; end if;
  select attempt_no into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded';
  if v_attempt is null then return 'not_paid'; end if;
  if exists (select from refund where player_id = p_player and billing_no = p_billing and attempt_no = v_attempt) then return 'refunding'; end if;
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = v_attempt and kind = 'chargeback') then
    return 'charged_back';
  end if;
  if not exists (select from delivery where player_id = p_player and billing_no = p_billing) then
    if not reserve_again(p_player, p_billing) then return 'nothing_left'; end if;
    insert into delivery (player_id, billing_no, game_id) values (p_player, p_billing, v_order.game_id);
    update orders set state = 'delivering', delivering_at = coalesce(delivering_at, now()), review_reason = null, closed_at = null
      where player_id = p_player and billing_no = p_billing;
  elsif redeliver_order(p_player, p_billing) <> 'queued' then
    return 'wrong_state';
  end if;
  perform pg_notify('refill_delivery', v_order.game_id);
  return 'queued';
end $$;
