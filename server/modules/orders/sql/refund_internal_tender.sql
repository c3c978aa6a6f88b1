-- Money that goes back goes where it came from: into the balance, or the card is good again, for a month at least. A
-- card whose rest went into the balance cannot be good again as a whole: there its price goes too. Attempts of outside
-- providers are left alone.
create or replace function refund_internal_tender(p_attempt payment_attempt) returns void language plpgsql as $$
declare
  v_key text := 'refund:' || p_attempt.billing_no || '-' || p_attempt.attempt_no;
  v_done text;
begin
  if p_attempt.provider = 'wallet' then
    v_done := wallet_refund(p_attempt.player_id, p_attempt.billing_no, p_attempt.amount_minor, v_key, 'refund', 'shop');
    if v_done not in ('done', 'exists') then
      raise exception 'the balance that paid % cannot be given back: %', p_attempt.billing_no, v_done;
    end if;
  elsif p_attempt.provider = 'card' then
    update gift_card set state = 'active', valid_to = greatest(valid_to, now() + interval '30 days'),
        player_id = null, billing_no = null, attempt_no = null, spent_at = null
      where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no
        and attempt_no = p_attempt.attempt_no and rest_minor = 0;
    if not found and exists (select from gift_card
        where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no and rest_minor > 0) then
      perform wallet_post(
        p_player_id => p_attempt.player_id, p_type => 'refund', p_idempotency_key => v_key,
        p_currency => p_attempt.currency, p_amount_minor => p_attempt.amount_minor,
        p_billing_no => p_attempt.billing_no, p_spends => null, p_reason => 'refund of a prepaid card',
        p_actor => 'shop',
        p_sides => jsonb_build_object('paid', p_attempt.amount_minor, 'cards', -p_attempt.amount_minor));
    end if;
  end if;
end $$;
