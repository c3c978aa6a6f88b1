-- Locks limit, first-purchase bonus, offer, stock, coupon, promo code and internal tender in this order, looks whether
-- all can be had within the caps of the player (p_payer_rules), and only then takes them. The first three are counted
-- by account (p_account_id: account_of the player), so two brands of one game account meet at the same rows. Answers
-- {outcome: reserved, amount_minor: what is to pay, has_bonus}, or the outcome of place_order that says what is
-- missing.
create or replace function reserve_goods(
  p_player_id uuid, p_account_id uuid, p_billing_no text, p_brand_key text, p_game_id text, p_product_id text,
  p_amount_minor bigint, p_currency text, p_time_zone text, p_limit jsonb, p_has_stock boolean,
  p_coupon jsonb, p_tender jsonb, p_promo jsonb, p_bonus jsonb, p_payer_rules jsonb
) returns jsonb language plpgsql as $$
declare
  v_subject text := p_limit ->> 'subject';
  v_cap integer := (p_limit ->> 'times')::integer;
  v_period text;
  v_used integer;
  v_offer_run text := substring(p_coupon ->> 'code' from '^offer:([^:@]+):[0-9]+$');
  v_offer_cap integer;
  v_coupon coupon;
  v_amount_minor bigint := p_amount_minor;
  v_has_bonus boolean := false;
  v_reason text;
  v_outcome text;
  v_refusal jsonb;
begin
  if p_limit is not null then
    v_period := limit_period((p_limit ->> 'days')::integer, p_time_zone, now());
    insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
      values (p_account_id, p_game_id, p_product_id, v_subject, v_period, 0, v_cap) on conflict do nothing;
    select used into v_used from limit_counter
      where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id
        and subject = v_subject and period = v_period
      for update;
    v_used := v_used + uses_before(p_account_id, p_game_id, p_product_id, v_subject, v_period);
    if v_used >= v_cap then return jsonb_build_object('outcome', 'limit_reached'); end if;
  end if;
  if p_bonus is not null then
    v_has_bonus := lock_first_bonus(p_account_id, p_game_id, p_product_id, p_bonus);
    -- The player was told of it: another order has it since, and they decide anew.
    if not v_has_bonus and (p_bonus ->> 'is_told')::boolean then
      return jsonb_build_object('outcome', 'bonus_gone');
    end if;
  end if;
  if v_offer_run is not null then
    -- take_offer has made the row, with as many uses as the files allow.
    select used, cap into v_used, v_offer_cap from limit_counter
      where account_id = p_account_id and game_id = '' and product_id = v_offer_run and subject = 'offer'
        and period = 'ever'
      for update;
    v_used := v_used + uses_before(p_account_id, '', v_offer_run, 'offer', 'ever');
    if v_used is null or v_used >= v_offer_cap then return jsonb_build_object('outcome', 'coupon_refused'); end if;
  end if;
  if p_has_stock then
    perform 1 from product_stock where game_id = p_game_id and product_id = p_product_id and used < total for update;
    if not found then return jsonb_build_object('outcome', 'sold_out'); end if;
  end if;
  if p_coupon is not null then
    select * into v_coupon from coupon where player_id = p_player_id and code = p_coupon ->> 'code' for update;
    v_amount_minor := coupon_amount(v_coupon, p_brand_key, p_game_id, p_product_id, p_amount_minor, p_currency,
      (p_coupon ->> 'min_charge_minor')::bigint);
    if v_amount_minor is null then return jsonb_build_object('outcome', 'coupon_refused'); end if;
  end if;
  if p_promo is not null then
    v_reason := lock_promo_code(p_player_id, p_brand_key, p_promo);
    if v_reason is null then
      v_amount_minor := promo_amount(p_promo, v_amount_minor, (p_promo ->> 'min_charge_minor')::bigint);
      if v_amount_minor is null then v_reason := 'too_small'; end if;
    end if;
    if v_reason is not null then return jsonb_build_object('outcome', 'promo_refused', 'reason', v_reason); end if;
  end if;
  if v_amount_minor <> coalesce(p_promo ->> 'quoted_minor', p_coupon ->> 'quoted_minor')::bigint then
    return jsonb_build_object('outcome', 'price_changed');
  end if;
  if p_tender is not null then
    v_outcome := reserve_internal_tender(p_player_id, p_tender, v_amount_minor, p_currency);
    if v_outcome <> 'reserved' then return jsonb_build_object('outcome', v_outcome); end if;
  end if;

  v_refusal := cap_refusal(p_player_id, p_payer_rules, p_currency, v_amount_minor, now(), p_billing_no);
  if v_refusal is not null then return v_refusal; end if;

  if p_limit is not null then
    update limit_counter set used = used + 1, cap = greatest(v_cap, used + 1)
      where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id
        and subject = v_subject and period = v_period;
    insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
      values (p_player_id, p_billing_no, 'limit', p_game_id, p_product_id, v_subject, v_period, v_cap, p_account_id);
  end if;
  if p_has_stock then
    update product_stock set used = used + 1 where game_id = p_game_id and product_id = p_product_id;
    insert into reservation (player_id, billing_no, kind, game_id, product_id)
      values (p_player_id, p_billing_no, 'stock', p_game_id, p_product_id);
  end if;
  if p_coupon is not null then
    update coupon set state = 'taken', billing_no = p_billing_no, taken_at = now()
      where player_id = p_player_id and code = p_coupon ->> 'code';
    insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
      values (p_player_id, p_billing_no, 'coupon', p_game_id, p_product_id, p_coupon ->> 'code');
  end if;
  if v_has_bonus then
    perform take_first_bonus(p_player_id, p_account_id, p_billing_no, p_game_id, p_product_id, p_bonus);
  end if;
  if v_offer_run is not null then
    update limit_counter set used = used + 1
      where account_id = p_account_id and game_id = '' and product_id = v_offer_run and subject = 'offer'
        and period = 'ever';
    insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
      values (p_player_id, p_billing_no, 'offer', '', v_offer_run, 'offer', 'ever', v_offer_cap, p_account_id);
  end if;
  if p_account_id <> p_player_id and (p_limit is not null or v_has_bonus or v_offer_run is not null) then
    insert into player_change (player_id) values (p_account_id);
  end if;
  if p_promo is not null then
    perform take_promo_code(p_player_id, p_billing_no, p_brand_key, p_game_id, p_product_id, p_promo);
  end if;
  return jsonb_build_object('outcome', 'reserved', 'amount_minor', v_amount_minor, 'has_bonus', v_has_bonus);
end $$;
