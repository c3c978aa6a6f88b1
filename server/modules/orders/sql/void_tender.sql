-- The card or balance that paid an order belongs to an earlier one, which the database had forgotten: this order is
-- left without money, as by a chargeback. Its goods are a person's decision. False: it has been voided or refunded
-- already.
create or replace function void_tender(p_player_id uuid, p_billing_no text) returns boolean language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_rest_minor bigint;
  v_currency text;
begin
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded'
      and provider in ('card', 'wallet');
  if not found or not book_chargeback(p_player_id, p_billing_no, v_attempt.attempt_no, null) then return false; end if;
  if v_attempt.provider = 'wallet' then
    perform wallet_refund(
      p_player_id, p_billing_no, v_attempt.amount_minor, 'void:' || p_billing_no, 'spent twice', 'recovery');
    return true;
  end if;
  select rest_minor into v_rest_minor from gift_card
    where card_id = v_attempt.capture_ref and billing_no = p_billing_no for update;
  update gift_card set state = 'active', player_id = null, billing_no = null, attempt_no = null,
      spent_at = null, rest_minor = 0
    where card_id = v_attempt.capture_ref and billing_no = p_billing_no;
  if v_rest_minor > 0 then
    perform lock_balance(p_player_id, v_attempt.currency);
    if (select balance_minor from wallet_account
        where player_id = p_player_id and currency = v_attempt.currency and kind = 'paid') < v_rest_minor then
      perform refuse_adoption('rest_of_card_spent');
    end if;
    perform wallet_post(
      p_player_id => p_player_id, p_type => 'card',
      p_idempotency_key => 'void:' || v_attempt.capture_ref || ':' || p_billing_no, p_currency => v_attempt.currency,
      p_amount_minor => v_rest_minor, p_billing_no => p_billing_no, p_spends => null, p_reason => 'spent twice',
      p_actor => 'recovery',
      p_sides => jsonb_build_object('paid', -v_rest_minor, 'cards', v_rest_minor));
  end if;
  return true;
end $$;
