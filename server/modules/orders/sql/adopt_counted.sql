-- Takes an adopted order's share of a limit, a first-purchase bonus, an offer, stock or a promo code. It was within
-- bounds when it was taken; where others took it once more after the backup was brought back, the bound gives way and
-- that is the answer: a decision {decision, ...} for the audit, else null. p_reserved: one of the facts' reservations.
create or replace function adopt_counted(p_player_id uuid, p_billing_no text, p_brand_key text, p_reserved jsonb)
  returns jsonb language plpgsql as $$
declare
  v_kind text := p_reserved ->> 'kind';
  v_subject text := p_reserved ->> 'subject';
  v_period text := p_reserved ->> 'period';
  v_cap integer := (p_reserved ->> 'cap')::integer;
  v_account_id constant uuid := account_of(p_player_id);
  v_used integer;
  v_total integer;
  v_second text;
  v_decision jsonb;
begin
  if v_kind in ('limit', 'bonus', 'offer') then
    insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
      values (v_account_id, p_reserved ->> 'game_id', p_reserved ->> 'product_id', v_subject, v_period, 0, v_cap)
      on conflict do nothing;
    select used, cap into v_used, v_total from limit_counter
      where account_id = v_account_id and game_id = p_reserved ->> 'game_id'
        and product_id = p_reserved ->> 'product_id' and subject = v_subject and period = v_period for update;
    if v_kind = 'bonus' and v_used > 0 then
      select billing_no into v_second from reservation
        where account_id = v_account_id and kind = 'bonus' and game_id = p_reserved ->> 'game_id'
          and product_id = p_reserved ->> 'product_id' and period = v_period and state <> 'released' limit 1;
      v_decision := jsonb_build_object('decision', 'bonus_given_twice', 'second', v_second);
      -- Counted beside, so that the next order does not get it a third time.
      v_period := v_period || '#' || p_billing_no;
      insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
        values (v_account_id, p_reserved ->> 'game_id', p_reserved ->> 'product_id', v_subject, v_period, 0, 1);
    elsif v_used >= v_total then
      v_decision := jsonb_build_object('decision', 'limit_exceeded', 'used', v_used + 1, 'cap', v_total);
    end if;
    update limit_counter set used = used + 1, cap = greatest(cap, used + 1)
      where account_id = v_account_id and game_id = p_reserved ->> 'game_id'
        and product_id = p_reserved ->> 'product_id' and subject = v_subject and period = v_period;
  elsif v_kind = 'stock' then
    select used, total into v_used, v_total from product_stock
      where game_id = p_reserved ->> 'game_id' and product_id = p_reserved ->> 'product_id' for update;
    if v_used >= v_total then
      v_decision := jsonb_build_object('decision', 'stock_exceeded', 'used', v_used + 1, 'total', v_total);
    end if;
    update product_stock set used = used + 1, total = greatest(total, used + 1)
      where game_id = p_reserved ->> 'game_id' and product_id = p_reserved ->> 'product_id';
  elsif v_kind = 'code' then
    insert into promo_code (brand_key, code) values (p_brand_key, v_subject) on conflict do nothing;
    select used, total into v_used, v_total from promo_code
      where brand_key = p_brand_key and code = v_subject for update;
    if v_used >= v_total or exists (select from promo_code c where c.brand_key = p_brand_key and c.code = v_subject
        and promo_uses(p_player_id, v_subject) >= c.per_player) then
      v_decision := jsonb_build_object('decision', 'code_exceeded', 'code', v_subject);
    end if;
    -- Null stays null: as often as anybody likes.
    update promo_code set used = used + 1, total = case when total is not null then greatest(total, used + 1) end
      where brand_key = p_brand_key and code = v_subject;
  else
    raise exception 'adopt_counted: % is not counted', v_kind using errcode = 'invalid_parameter_value';
  end if;
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
    values (p_player_id, p_billing_no, v_kind, p_reserved ->> 'game_id', p_reserved ->> 'product_id',
      v_subject, v_period, v_cap, case when v_kind in ('limit', 'bonus', 'offer') then v_account_id end);
  return v_decision;
end $$;
