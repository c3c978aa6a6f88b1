-- Records what the game answered to the delivery of one order: p_result as in record_delivery_results. A yes counts
-- whenever it comes; all else only while its call is the newest of its delivery (record_failed_delivery). Answers 1
-- when the order became delivered by it, else 0.
create or replace function record_delivery(p_player_id uuid, p_billing_no text, p_result jsonb) returns integer
  language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_state text;
  v_worth_minor bigint;
  v_points bigint;
  v_share_minor bigint;
begin
  if num_nulls(p_player_id, p_billing_no, p_result, p_result ->> 'kind', p_result ->> 'tries') > 0 then
    raise exception 'record_delivery: a result lacks player_id, billing_no, tries or kind'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_result ->> 'kind' <> 'done' then
    perform record_failed_delivery(p_player_id, p_billing_no, p_result);
    return 0;
  end if;
  update delivery set state = 'done', done_at = v_now, receipt_id = p_result ->> 'receipt_id', last_error = null
    where player_id = p_player_id and billing_no = p_billing_no and state <> 'done';
  if not found then return 0; end if;
  -- As it is after the lock: money that went back a moment ago earns nothing.
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  v_state := case when is_deliverable(v_order.state) then 'delivered' else v_order.state end;
  v_worth_minor := v_order.amount_minor + v_order.discount_minor;
  v_points := points_kept(v_order.points, v_order.amount_minor, v_order.refunded_minor);
  v_share_minor := points_kept(v_order.share_minor, v_order.amount_minor, v_order.refunded_minor);
  if v_share_minor > 0 then
    insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
      values (p_player_id, p_billing_no, 'delivered', 1, v_order.brand_key, v_order.creator, v_share_minor,
        v_order.currency);
  end if;
  -- One statement for what every order needs: each more would have to be begun.
  with booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player_id, p_billing_no, 'delivered', a.attempt_no, e.account, e.amount_minor, v_order.currency
      from payment_attempt a,
        (values ('goods_owed', v_worth_minor), ('revenue', -v_worth_minor)) as e(account, amount_minor)
      where a.player_id = p_player_id and a.billing_no = p_billing_no and a.state = 'succeeded'
        and v_order.refunded_at is null
  ), credited as (
    insert into points_entry (player_id, billing_no, kind, entry_no, points)
      select p_player_id, p_billing_no, 'delivered', 1, v_points where v_points > 0
  ), noted as (
    insert into player_change (player_id) values (p_player_id)
  ), used as (
    update reservation set state = 'used'
      where player_id = p_player_id and billing_no = p_billing_no and state = 'held'
  )
  update orders set state = v_state, delivered_at = v_now, closed_at = v_now
    where player_id = p_player_id and billing_no = p_billing_no;
  perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state);
  return 1;
end $$;
