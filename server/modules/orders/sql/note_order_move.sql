-- Writes the consequences of an order's change of state, in the same transaction. Every function that moves an order
-- calls it, except for moves whose own condition names both states and which no endpoint hears of. The move is measured
-- by the table order_transition; an order that is not unpaid any more leaves unpaid_order; every endpoint that wants it
-- is told. p_is_chargeback: the money was taken back now: told as such, whatever state follows. One move is one event.
create or replace function note_order_move(
  p_player_id uuid, p_billing_no text, p_from text, p_to text, p_is_chargeback boolean default false
) returns void language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_type text := case when p_is_chargeback then 'order.chargeback' else 'order.' || p_to end;
begin
  if num_nulls(p_player_id, p_billing_no, p_from, p_to, p_is_chargeback) > 0 then
    raise exception 'note_order_move: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_from <> p_to then
    if not exists (select from order_transition t where t.from_state = p_from and t.to_state = p_to) then
      raise exception 'order % cannot go from % to %', p_billing_no, p_from, p_to using errcode = 'check_violation';
    end if;
    if (p_from = 'created' or p_from = 'pending') and p_to <> 'created' and p_to <> 'pending' then
      delete from unpaid_order where player_id = p_player_id and billing_no = p_billing_no;
    end if;
  end if;
  if not p_is_chargeback and (p_from = p_to or (p_to <> 'delivered' and p_to <> 'refunded' and p_to <> 'review')) then
    return;
  end if;
  -- Without an endpoint it is one look at an empty table.
  if not exists (select from webhook_endpoint) then return; end if;
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data, next_at)
  select p_player_id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), e.endpoint_id, v_type, p_billing_no,
    order_event_data(v_order), case when e.disabled_at is null then v_now else 'infinity' end
  from webhook_endpoint e
  where v_type = any (e.types) and (e.brand_key is null or e.brand_key = v_order.brand_key);
end $$;
