-- Another press for the same goods while their order is unpaid: the same page again (`repeat`), or another way to
-- pay it (`placed`, `paid`). A page that never came is asked for again after a while, by the same reference: its
-- provider knows the repeated call by that.
-- An order at another price, currency, coupon or promo code is never paid at the old one: `other_price`, and the caller
-- closes it first.
-- What money may still come for the attempt before stays watched.
create or replace function add_attempt(
  p_player_id uuid, p_billing_no text, p_idempotency_key text, p_amount_minor bigint, p_currency text,
  p_coupon_code text, p_promo_code text, p_provider text, p_channel_key text, p_channel_name jsonb,
  p_channel_id text, p_method text, p_expires_in interval, p_payable_for interval,
  p_payer_rules jsonb, p_tender jsonb, p_must_be_new boolean, p_must_notify boolean
) returns jsonb language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_attempt payment_attempt;
  v_outcome text;
  v_url text;
  v_is_pageless boolean;
  v_refusal jsonb;
  v_until timestamptz := v_now + p_expires_in;
begin
  -- The price of an unpaid order never changes, and an internal tender is asked for it alone: it is looked at first.
  select * into v_order from orders
    where player_id = p_player_id and billing_no = p_billing_no and is_unpaid;
  -- Paid or closed a moment ago, by somebody who does not take the player's lock. The next try finds it so.
  if not found then return jsonb_build_object('outcome', 'running'); end if;
  if v_order.amount_minor + v_order.discount_minor <> p_amount_minor or v_order.currency <> p_currency
     or v_order.coupon_code is distinct from p_coupon_code or v_order.promo_code is distinct from p_promo_code then
    return jsonb_build_object('outcome', 'other_price', 'billing_no', p_billing_no);
  end if;
  -- An internal tender is locked before its order, as everywhere.
  if p_tender is not null then
    v_outcome := reserve_internal_tender(p_player_id, p_tender, v_order.amount_minor, p_currency);
    if v_outcome <> 'reserved' then return jsonb_build_object('outcome', v_outcome); end if;
  end if;
  select * into v_order from orders
    where player_id = p_player_id and billing_no = p_billing_no and is_unpaid for update;
  if not found then return jsonb_build_object('outcome', 'running'); end if;
  -- Counted since it was placed; a cap may have come down since then.
  v_refusal := cap_refusal(p_player_id, p_payer_rules, v_order.currency, v_order.amount_minor,
    v_order.created_at, p_billing_no);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_order.current_attempt;
  v_is_pageless := v_attempt.state in ('sent', 'unknown') and v_attempt.pay_url is null;
  -- Twenty seconds are longer than the call that places it may take.
  if v_attempt.channel_key = p_channel_key and v_is_pageless
    and v_attempt.created_at < v_now - interval '20 seconds' and p_tender is null and not p_must_be_new
  then
    update idempotency set billing_no = p_billing_no, attempt_no = v_order.current_attempt
      where player_id = p_player_id and key = p_idempotency_key;
    return jsonb_build_object('outcome', 'placed', 'billing_no', p_billing_no, 'attempt_no', v_order.current_attempt,
      'amount_minor', v_attempt.amount_minor, 'server_name', v_order.server_name, 'role_name', v_order.role_name);
  end if;
  -- Our choice: twenty ways to pay one order are enough for anybody.
  if (v_attempt.channel_key = p_channel_key and v_attempt.is_open)
    or v_order.current_attempt >= 20 or p_must_be_new
  then
    v_url := coalesce(v_attempt.pay_url, '');
    update idempotency set billing_no = p_billing_no, attempt_no = v_order.current_attempt,
        answer = jsonb_build_object('code', 'repeatOrder', 'billing_no', p_billing_no, 'url', v_url)
      where player_id = p_player_id and key = p_idempotency_key;
    return jsonb_build_object('outcome', 'repeat', 'billing_no', p_billing_no, 'url', v_url);
  end if;
  update payment_attempt set is_replaced = true
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_order.current_attempt;
  update orders set current_attempt = current_attempt + 1, expires_at = greatest(expires_at, v_until)
    where player_id = p_player_id and billing_no = p_billing_no returning * into v_order;
  perform insert_attempt(p_player_id, p_billing_no, v_order.current_attempt, p_provider, p_channel_key, p_channel_name,
    p_channel_id, p_method, v_order.amount_minor, p_currency, p_payable_for);
  insert into player_change (player_id) values (p_player_id);
  update idempotency set billing_no = p_billing_no, attempt_no = v_order.current_attempt
    where player_id = p_player_id and key = p_idempotency_key;
  if p_tender is not null then
    return capture_internal_tender(p_player_id, p_billing_no, v_order.current_attempt, p_idempotency_key, p_provider,
      v_order.amount_minor, p_currency, p_tender, p_must_notify);
  end if;
  return jsonb_build_object('outcome', 'placed', 'billing_no', p_billing_no, 'attempt_no', v_order.current_attempt,
    'amount_minor', v_order.amount_minor, 'server_name', v_order.server_name, 'role_name', v_order.role_name);
end $$;
