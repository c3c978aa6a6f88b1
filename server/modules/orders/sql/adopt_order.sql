-- Takes an order into the books that a restored database does not know as delivered: the order with its payment, what
-- it used up and its delivery, booked by the same functions as ever, marked by adopted_at (decision 61).
-- p_facts: recovery_facts as the game gave them back.
-- Answers {outcome, player_id, decisions}: adopted; known (delivered here already); any other outcome is the reason why
-- a person decides, and then nothing has changed. decisions: what was settled where something was spent twice.
create or replace function adopt_order(p_player_id uuid, p_billing_no text, p_facts jsonb, p_receipt_id text)
  returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_player_id uuid;
  v_order orders;
  v_attempt payment_attempt;
  v_paid jsonb := p_facts -> 'attempt';
  v_attempt_no integer := (v_paid ->> 'attempt_no')::integer;
  v_reserved jsonb;
  v_decisions jsonb := '[]';
  v_outcome text;
begin
  if num_nulls(p_player_id, p_billing_no, p_facts, p_receipt_id) > 0 then
    raise exception 'adopt_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('adopt_order, facts', p_facts, array['brand_key', 'game_id', 'client_id', 'product_id',
    'server_id', 'area_id', 'role_id', 'suid', 'product', 'amount_minor', 'discount_minor', 'currency', 'region',
    'country', 'language', 'created_at', 'paid_at', 'attempt']);
  perform require_keys('adopt_order, attempt', v_paid,
    array['attempt_no', 'provider', 'channel_key', 'channel_name', 'channel_id', 'method']);
  v_player_id := adopt_player(p_player_id, p_facts);
  if exists (select from order_lookup where billing_no = p_billing_no and player_id <> v_player_id) then
    perform refuse_adoption('other_player');
  end if;
  select * into v_order from orders where player_id = v_player_id and billing_no = p_billing_no for update;
  if v_order.delivered_at is not null then
    return jsonb_build_object('outcome', 'known', 'player_id', v_player_id, 'decisions', v_decisions);
  end if;
  if v_order.state in ('refund_due', 'refunded')
     or (v_order.state = 'review' and v_order.review_reason is distinct from 'payment_unreadable') then
    perform refuse_adoption('decided_here');
  end if;

  if v_order.billing_no is null then
    perform adopt_order_row(v_player_id, p_billing_no, p_facts);
  elsif is_lapsed(v_order.state) then
    -- It was closed here, and what it held was given back: it takes all of it again below.
    perform lock_reservations(v_player_id, p_billing_no);
    delete from reservation where player_id = v_player_id and billing_no = p_billing_no and state = 'released';
    update orders set state = 'review', review_reason = 'payment_unreadable', closed_at = null
      where player_id = v_player_id and billing_no = p_billing_no;
    perform note_order_move(v_player_id, p_billing_no, v_order.state, 'review');
  end if;
  for v_reserved in select * from jsonb_array_elements(coalesce(p_facts -> 'reservations', '[]'))
  loop
    continue when exists (select from reservation
      where player_id = v_player_id and billing_no = p_billing_no and kind = v_reserved ->> 'kind');
    if v_reserved ->> 'kind' = 'coupon' then
      v_decisions := v_decisions || coalesce(adopt_coupon(v_player_id, p_billing_no, p_facts, v_reserved), '[]');
    elsif v_reserved ->> 'kind' = 'replenish' then
      perform adopt_replenish(v_player_id, p_billing_no, p_facts);
    else
      v_decisions := v_decisions
        || coalesce(adopt_counted(v_player_id, p_billing_no, p_facts ->> 'brand_key', v_reserved), '[]');
    end if;
  end loop;

  select * into v_attempt from payment_attempt
    where player_id = v_player_id and billing_no = p_billing_no and attempt_no = v_attempt_no for update;
  if not found then
    perform insert_attempt(v_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', v_paid ->> 'channel_key',
      v_paid -> 'channel_name', v_paid ->> 'channel_id', v_paid ->> 'method', (p_facts ->> 'amount_minor')::bigint,
      p_facts ->> 'currency', interval '0');
  elsif v_attempt.provider <> v_paid ->> 'provider' then
    perform refuse_adoption('other_attempt');
  end if;
  update orders set current_attempt = v_attempt_no
    where player_id = v_player_id and billing_no = p_billing_no and current_attempt < v_attempt_no;
  if v_attempt.state is distinct from 'succeeded' then
    v_outcome := apply_report(v_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', 'paid', true,
      v_paid ->> 'provider_ref', v_paid ->> 'capture_ref', (p_facts ->> 'amount_minor')::bigint,
      p_facts ->> 'currency', null, null, null, null, false) ->> 'outcome';
    if v_outcome <> 'paid' then perform refuse_adoption('payment_' || v_outcome); end if;
    v_decisions := v_decisions || adopt_tender(v_player_id, p_billing_no, p_facts);
  end if;
  if v_paid ->> 'provider_ref' is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (v_paid ->> 'provider', v_paid ->> 'provider_ref', v_player_id, p_billing_no, v_attempt_no)
      on conflict do nothing;
  end if;
  perform record_delivery_results(jsonb_build_array(jsonb_build_object('player_id', v_player_id,
    'billing_no', p_billing_no, 'tries', 1, 'kind', 'done', 'receipt_id', p_receipt_id)));
  update orders set adopted_at = now(), paid_at = to_timestamp((p_facts ->> 'paid_at')::numeric)
    where player_id = v_player_id and billing_no = p_billing_no and state = 'delivered';
  if not found then perform refuse_adoption('not_delivered'); end if;
  insert into player_change (player_id) values (v_player_id);
  return jsonb_build_object('outcome', 'adopted', 'player_id', v_player_id, 'decisions', v_decisions);
exception when sqlstate 'RF061' then
  return jsonb_build_object('outcome', sqlerrm, 'player_id', coalesce(v_player_id, p_player_id),
    'decisions', '[]'::jsonb);
end $$;
