-- An operator sends the goods of a paid order that stopped, with the same key. Outcomes: DeliverAnswer in operate-
-- store.ts.
create or replace function operator_deliver(p_player_id uuid, p_billing_no text) returns text language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_attempt_no integer;
begin
  if num_nulls(p_player_id, p_billing_no) > 0 then
    raise exception 'operator_deliver: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  -- The player's spending may be counted again (reserve_again).
  perform 1 from player where player_id = p_player_id for no key update;
  perform lock_reservations(p_player_id, p_billing_no);
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  if is_deliverable(v_order.state) is not true then return 'wrong_state'; end if;
  select attempt_no into v_attempt_no from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if v_attempt_no is null then return 'not_paid'; end if;
  if exists (select from refund
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_attempt_no) then
    return 'refunding';
  end if;
  if exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_attempt_no
        and kind = 'chargeback') then
    return 'charged_back';
  end if;
  if not exists (select from delivery where player_id = p_player_id and billing_no = p_billing_no) then
    if not reserve_again(p_player_id, p_billing_no) then return 'nothing_left'; end if;
    insert into delivery (player_id, billing_no, game_id) values (p_player_id, p_billing_no, v_order.game_id);
    update orders set state = 'delivering', delivering_at = coalesce(delivering_at, v_now),
        review_reason = null, closed_at = null
      where player_id = p_player_id and billing_no = p_billing_no;
    insert into player_change (player_id) values (p_player_id);
  elsif redeliver_order(p_player_id, p_billing_no) <> 'queued' then
    return 'wrong_state';
  end if;
  perform pg_notify('refill_delivery', v_order.game_id);
  return 'queued';
end $$;
