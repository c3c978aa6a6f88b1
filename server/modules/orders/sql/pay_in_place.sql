create or replace function pay_in_place(p jsonb, p_means jsonb, p_billing text, p_attempt integer, p_amount bigint) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_mode text := p ->> 'mode';
  v_currency text := p ->> 'currency';
  v_rest bigint := (p_means ->> 'face_minor')::bigint - p_amount;
  v_spends text := coalesce(p_means ->> 'spends', 'free_first');
  v_free bigint;
  v_paid bigint;
  v_reported jsonb;
begin
  v_reported := apply_report(jsonb_build_object('provider', p ->> 'provider', 'mode', v_mode, 'status', 'paid', 'billing_no', p_billing, 'attempt_no', p_attempt,
    'capture_ref', coalesce(p_means ->> 'card_id', 'pay:' || p_billing), 'amount_minor', p_amount, 'currency', v_currency, 'merchant_ok', true, 'notify', p -> 'notify'));
  -- Nobody else can have this order in hand; if somebody had, nothing of all this may stay.
  if v_reported ->> 'outcome' <> 'paid' then raise exception 'an order paid in place came out as %', v_reported ->> 'outcome'; end if;
  if p_means ->> 'kind' = 'wallet' then
    select coalesce(sum(balance_minor) filter (where kind = 'free'), 0), coalesce(sum(balance_minor) filter (where kind = 'paid'), 0) into v_free, v_paid
      from wallet_account where player_id = v_player and mode = v_mode and currency = v_currency;
    if v_spends = 'free_first' then
      v_free := least(v_free, p_amount);
      v_paid := p_amount - v_free;
    else
      v_paid := least(v_paid, p_amount);
      v_free := p_amount - v_paid;
    end if;
    perform wallet_post(
      p_player_id => v_player, p_type => 'debit', p_idempotency_key => 'pay:' || p_billing, p_mode => v_mode, p_currency => v_currency,
      p_amount_minor => p_amount, p_billing_no => p_billing, p_spends => v_spends, p_reason => 'order', p_actor => 'player',
      p_sides => jsonb_build_object('free', -v_free, 'paid', -v_paid, 'sales', p_amount));
  elsif v_rest > 0 then
    perform wallet_post(
      p_player_id => v_player, p_type => 'card', p_idempotency_key => 'card:' || (p_means ->> 'card_id') || ':' || p_billing,
      p_mode => v_mode, p_currency => v_currency, p_amount_minor => v_rest, p_billing_no => p_billing, p_spends => null,
      p_reason => 'left of a prepaid card', p_actor => 'player', p_sides => jsonb_build_object('paid', v_rest, 'cards', -v_rest));
  end if;
  update idempotency set answer = jsonb_build_object('code', 'success', 'billing_no', p_billing, 'url', '') where player_id = v_player and key = p ->> 'idempotency_key';
  return jsonb_build_object('outcome', 'paid', 'billing_no', p_billing, 'attempt_no', p_attempt, 'amount_minor', p_amount);
end $$;
