-- Spends the card or the balance that paid an adopted order. Whoever spent it again after the backup was brought back
-- is left without money (void_tender). Answers those decisions, a list.
create or replace function adopt_tender(p_player_id uuid, p_billing_no text, p_facts jsonb) returns jsonb
  language plpgsql as $$
declare
  v_tender jsonb := p_facts -> 'tender';
  v_currency text := p_facts ->> 'currency';
  v_amount_minor bigint := (p_facts ->> 'amount_minor')::bigint;
  v_attempt_no integer := (p_facts #>> '{attempt,attempt_no}')::integer;
  v_decisions jsonb := '[]';
  v_card gift_card;
  v_free_minor bigint;
  v_paid_minor bigint;
  v_second text;
begin
  if v_tender ->> 'kind' = 'wallet' then
    perform require_keys('adopt_tender, balance', v_tender, '{spends,free_minor,paid_minor}');
    loop
      perform lock_balance(p_player_id, v_currency);
      select coalesce(sum(balance_minor) filter (where kind = 'free'), 0),
        coalesce(sum(balance_minor) filter (where kind = 'paid'), 0)
        into v_free_minor, v_paid_minor from wallet_account where player_id = p_player_id and currency = v_currency;
      exit when v_free_minor + v_paid_minor >= v_amount_minor;
      -- The youngest first. What is older than the adopted order was paid before it and stands.
      select t.billing_no into v_second from wallet_txn t
        where t.player_id = p_player_id and t.currency = v_currency and t.type = 'debit' and t.billing_no > p_billing_no
          and not exists (select from wallet_txn r
            where r.player_id = p_player_id and r.billing_no = t.billing_no and r.type = 'refund')
          and not exists (select from orders o
            where o.player_id = p_player_id and o.billing_no = t.billing_no and o.adopted_at is not null)
        order by t.billing_no desc limit 1;
      if not found or not void_tender(p_player_id, v_second) then perform refuse_adoption('balance_missing'); end if;
      v_decisions := v_decisions || jsonb_build_object('decision', 'balance_spent_twice', 'second', v_second);
    end loop;
    -- As it was split then, as far as both kinds have it.
    v_free_minor := least(v_free_minor, greatest((v_tender ->> 'free_minor')::bigint, v_amount_minor - v_paid_minor));
    v_paid_minor := v_amount_minor - v_free_minor;
    perform wallet_post(
      p_player_id => p_player_id, p_type => 'debit', p_idempotency_key => 'pay:' || p_billing_no,
      p_currency => v_currency, p_amount_minor => v_amount_minor, p_billing_no => p_billing_no,
      p_spends => v_tender ->> 'spends', p_reason => 'order', p_actor => 'recovery',
      p_sides => jsonb_build_object('free', -v_free_minor, 'paid', -v_paid_minor, 'sales', v_amount_minor));
  elsif v_tender ->> 'kind' = 'card' then
    perform require_keys('adopt_tender, card', v_tender, '{card_id,rest_minor}');
    select * into v_card from gift_card where card_id = v_tender ->> 'card_id' for update;
    if not found then perform refuse_adoption('card_unknown'); end if;
    if v_card.state = 'spent' then
      if not void_tender(v_card.player_id, v_card.billing_no) then perform refuse_adoption('card_decided_here'); end if;
      v_decisions := jsonb_build_array(jsonb_build_object(
        'decision', 'card_spent_twice', 'card', v_card.card_id, 'second', v_card.billing_no));
    elsif v_card.state = 'void' then
      perform refuse_adoption('card_void');
    end if;
    update gift_card set state = 'spent', player_id = p_player_id, billing_no = p_billing_no,
        attempt_no = v_attempt_no, spent_at = to_timestamp((p_facts ->> 'paid_at')::numeric),
        rest_minor = (v_tender ->> 'rest_minor')::bigint
      where card_id = v_card.card_id;
    if (v_tender ->> 'rest_minor')::bigint > 0 then
      perform wallet_post(
        p_player_id => p_player_id, p_type => 'card',
        p_idempotency_key => 'card:' || v_card.card_id || ':' || p_billing_no, p_currency => v_currency,
        p_amount_minor => (v_tender ->> 'rest_minor')::bigint, p_billing_no => p_billing_no, p_spends => null,
        p_reason => 'left of a prepaid card', p_actor => 'recovery',
        p_sides => jsonb_build_object('paid', (v_tender ->> 'rest_minor')::bigint,
          'cards', -(v_tender ->> 'rest_minor')::bigint));
    end if;
  elsif p_facts #>> '{attempt,provider}' in ('card', 'wallet') then
    -- The facts were written before the tender was booked: nobody knows what paid.
    perform refuse_adoption('tender_unknown');
  end if;
  return v_decisions;
end $$;
