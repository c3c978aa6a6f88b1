-- The coupon of an adopted order. Another order that was given it after the backup was brought back keeps its price: it
-- gets a coupon of its own, and the shop bears the second discount. Answers that decision, else null.
create or replace function adopt_coupon(p_player_id uuid, p_billing_no text, p_facts jsonb, p_reserved jsonb)
  returns jsonb language plpgsql as $$
declare
  v_code text := p_reserved ->> 'subject';
  v_terms jsonb := p_facts -> 'coupon';
  v_is_offer boolean := starts_with(v_code, 'offer:');
  v_coupon coupon;
  v_copy text;
  v_decision jsonb;
begin
  select * into v_coupon from coupon where player_id = p_player_id and code = v_code for update;
  if not found then
    if v_terms is null then perform refuse_adoption('coupon_unknown'); end if;
    -- It was given in the lost time as well. One that was given again since, under another code, is taken in its place.
    delete from coupon where player_id = p_player_id and issue_key = v_terms ->> 'issue_key' and state <> 'taken';
    insert into coupon (player_id, code, brand_key, name, discount_rate, prices, games, products, valid_from,
        valid_end, state, billing_no, taken_at, source, issue_key)
      values (p_player_id, v_code, p_facts ->> 'brand_key', v_terms -> 'name',
        (v_terms ->> 'discount_rate')::numeric,
        case when v_is_offer then
          jsonb_build_object(p_facts ->> 'currency', (p_facts ->> 'amount_minor')::bigint) end,
        case when v_is_offer then array[p_facts ->> 'game_id'] else '{}' end,
        case when v_is_offer then array[p_facts ->> 'product_id'] else '{}' end,
        least(now(), (v_terms ->> 'valid_end')::timestamptz) - interval '1 second',
        (v_terms ->> 'valid_end')::timestamptz, 'taken', p_billing_no,
        to_timestamp((p_facts ->> 'created_at')::numeric), v_terms ->> 'source',
        case when not exists (select from coupon where player_id = p_player_id and issue_key = v_terms ->> 'issue_key')
          then v_terms ->> 'issue_key' end);
  elsif v_coupon.state = 'taken' then
    v_copy := v_code || '#' || v_coupon.billing_no;
    insert into coupon select (jsonb_populate_record(v_coupon,
      jsonb_build_object('code', v_copy, 'issue_key', null, 'source', 'recovery'))).*;
    update reservation set subject = v_copy
      where player_id = p_player_id and billing_no = v_coupon.billing_no and kind = 'coupon' and subject = v_code;
    update orders set coupon_code = v_copy where player_id = p_player_id and billing_no = v_coupon.billing_no;
    v_decision := jsonb_build_object('decision', 'coupon_used_twice', 'coupon', v_code, 'second', v_coupon.billing_no);
  end if;
  update coupon set state = 'taken', billing_no = p_billing_no,
      taken_at = to_timestamp((p_facts ->> 'created_at')::numeric),
      -- An offer's row may have other terms by now; the order's are those that the player agreed to.
      prices = case when prices is not null
        then jsonb_build_object(p_facts ->> 'currency', (p_facts ->> 'amount_minor')::bigint) end,
      products = case when prices is not null then array[p_facts ->> 'product_id'] else products end,
      games = case when prices is not null then array[p_facts ->> 'game_id'] else games end
    where player_id = p_player_id and code = v_code;
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
    values (p_player_id, p_billing_no, 'coupon', p_reserved ->> 'game_id', p_reserved ->> 'product_id', v_code);
  return v_decision;
end $$;
