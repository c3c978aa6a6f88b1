-- Locks the card or the balance that is to pay `p_amount_minor`, and looks whether it can. What was locked stays so to
-- the end of the transaction. Outcomes: reserved, card_refused (somebody was faster), card_not_enough, balance_too_low.
-- A card comes checked: p_tender holds what check_card found of it.
create or replace function reserve_internal_tender(
  p_player_id uuid, p_tender jsonb, p_amount_minor bigint, p_currency text
) returns text language plpgsql as $$
declare
  v_rest_minor bigint;
begin
  if num_nulls(p_player_id, p_tender, p_amount_minor, p_currency) > 0 then
    raise exception 'reserve_internal_tender: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_tender ->> 'kind' = 'card' then
    perform require_keys('reserve_internal_tender, card', p_tender, '{card_id,face_minor,face_currency,keeps_rest}');
    v_rest_minor := (p_tender ->> 'face_minor')::bigint - p_amount_minor;
    if v_rest_minor < 0 or p_tender ->> 'face_currency' <> p_currency
       or (v_rest_minor > 0 and not (p_tender ->> 'keeps_rest')::boolean) then
      return 'card_not_enough';
    end if;
    perform 1 from gift_card where card_id = p_tender ->> 'card_id' and state = 'active' for update;
    if not found then return 'card_refused'; end if;
    if v_rest_minor > 0 then perform lock_balance(p_player_id, p_currency); end if;
    return 'reserved';
  end if;
  perform lock_balance(p_player_id, p_currency);
  if (select coalesce(sum(balance_minor), 0) from wallet_account
      where player_id = p_player_id and currency = p_currency and kind in ('free', 'paid')) < p_amount_minor then
    return 'balance_too_low';
  end if;
  return 'reserved';
end $$;
