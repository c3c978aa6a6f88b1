-- Outcomes: taken, card_refused (somebody was faster), card_not_enough, balance_too_low. What is taken stays locked to the end.
create or replace function take_in_place(p jsonb, p_player uuid, p_billing text, p_attempt integer, p_amount bigint, p_currency text) returns text language plpgsql as $$
declare
  v_rest bigint := (p ->> 'face_minor')::bigint - p_amount;
begin
  if p ->> 'kind' = 'card' then
    if v_rest < 0 or p ->> 'face_currency' <> p_currency or (v_rest > 0 and not (p ->> 'keeps_rest')::boolean) then return 'card_not_enough'; end if;
    update gift_card set state = 'spent', player_id = p_player, billing_no = p_billing, attempt_no = p_attempt, spent_at = now(), rest_minor = v_rest
      where card_id = p ->> 'card_id' and state = 'active';
    if not found then return 'card_refused'; end if;
    if v_rest > 0 then
      insert into wallet_account (player_id, currency, kind) values (p_player, p_currency, 'paid') on conflict do nothing;
      perform 1 from wallet_account where player_id = p_player and currency = p_currency and kind in ('cards', 'paid') order by kind for update;
    end if;
    return 'taken';
  end if;
  perform 1 from wallet_account where player_id = p_player and currency = p_currency and kind in ('free', 'paid') order by kind for update;
  if (select coalesce(sum(balance_minor), 0) from wallet_account where player_id = p_player and currency = p_currency
      and kind in ('free', 'paid')) < p_amount then
    return 'balance_too_low';
  end if;
  return 'taken';
end $$;
