-- Pays an attempt by the card or balance that reserve_internal_tender has locked: the payment is booked, the tender is
-- spent, the answer is kept for the call's key. What a card is worth more than the goods goes into the balance.
create or replace function capture_internal_tender(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_idempotency_key text,
  p_provider text, p_amount_minor bigint, p_currency text, p_tender jsonb, p_must_notify boolean
) returns jsonb language plpgsql as $$
declare
  v_rest_minor bigint := (p_tender ->> 'face_minor')::bigint - p_amount_minor;
  v_free_minor bigint;
  v_paid_minor bigint;
  v_outcome text;
begin
  v_outcome := apply_report(p_player_id, p_billing_no, p_attempt_no, p_provider, 'paid', true, null,
    coalesce(p_tender ->> 'card_id', 'pay:' || p_billing_no), p_amount_minor, p_currency,
    null, null, null, null, p_must_notify) ->> 'outcome';
  -- Nobody else can have this attempt in hand; if somebody had, nothing of all this may stay.
  if v_outcome <> 'paid' then raise exception 'an order paid by an internal tender came out as %', v_outcome; end if;
  if p_tender ->> 'kind' = 'wallet' then
    select coalesce(sum(balance_minor) filter (where kind = 'free'), 0),
      coalesce(sum(balance_minor) filter (where kind = 'paid'), 0)
      into v_free_minor, v_paid_minor from wallet_account where player_id = p_player_id and currency = p_currency;
    if p_tender ->> 'spends' = 'free_first' then
      v_free_minor := least(v_free_minor, p_amount_minor);
      v_paid_minor := p_amount_minor - v_free_minor;
    else
      v_paid_minor := least(v_paid_minor, p_amount_minor);
      v_free_minor := p_amount_minor - v_paid_minor;
    end if;
    perform wallet_post(
      p_player_id => p_player_id, p_type => 'debit', p_idempotency_key => 'pay:' || p_billing_no,
      p_currency => p_currency, p_amount_minor => p_amount_minor, p_billing_no => p_billing_no,
      p_spends => p_tender ->> 'spends', p_reason => 'order', p_actor => 'player',
      p_sides => jsonb_build_object('free', -v_free_minor, 'paid', -v_paid_minor, 'sales', p_amount_minor));
  else
    update gift_card set state = 'spent', player_id = p_player_id, billing_no = p_billing_no,
        attempt_no = p_attempt_no, spent_at = now(), rest_minor = v_rest_minor
      where card_id = p_tender ->> 'card_id' and state = 'active';
    if not found then raise exception 'the card % was not reserved', p_tender ->> 'card_id'; end if;
    if v_rest_minor > 0 then
      perform wallet_post(
        p_player_id => p_player_id, p_type => 'card',
        p_idempotency_key => 'card:' || (p_tender ->> 'card_id') || ':' || p_billing_no, p_currency => p_currency,
        p_amount_minor => v_rest_minor, p_billing_no => p_billing_no, p_spends => null,
        p_reason => 'left of a prepaid card', p_actor => 'player',
        p_sides => jsonb_build_object('paid', v_rest_minor, 'cards', -v_rest_minor));
    end if;
  end if;
  update idempotency set answer = jsonb_build_object('code', 'success', 'billing_no', p_billing_no, 'url', '')
    where player_id = p_player_id and key = p_idempotency_key;
  return jsonb_build_object('outcome', 'paid', 'billing_no', p_billing_no, 'attempt_no', p_attempt_no,
    'amount_minor', p_amount_minor);
end $$;
