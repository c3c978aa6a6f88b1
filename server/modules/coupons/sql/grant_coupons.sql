-- Gives coupons: an array of rows of `coupon` without times of its own life. One whose `issue_key` the player has had
-- is left out, unless a rule took it back unused (withdraw_coupons): that one is had again.
-- Answers the codes that are the player's by this call.
create or replace function grant_coupons(p_coupons jsonb) returns setof text language plpgsql as $$
declare
  v_row record;
  v_code text;
begin
  -- In one order, whoever calls: two calls that give the same coupons would wait for each other.
  for v_row in
    select * from jsonb_to_recordset(p_coupons) as c(
      player_id uuid, code text, brand_key text, name jsonb, discount_rate numeric, min_spend jsonb, games text[],
      products text[], valid_from timestamptz, valid_end timestamptz, state text, source text, issue_key text)
    order by player_id, issue_key, code
  loop
    insert into coupon (player_id, code, brand_key, name, discount_rate, min_spend, games, products, valid_from,
        valid_end, state, source, issue_key)
      values (v_row.player_id, v_row.code, v_row.brand_key, v_row.name, v_row.discount_rate, v_row.min_spend,
        v_row.games, v_row.products, v_row.valid_from, v_row.valid_end, v_row.state, v_row.source, v_row.issue_key)
      on conflict (player_id, issue_key)
        do update set state = excluded.state, valid_end = excluded.valid_end, withdrawn_by = null
        where coupon.state = 'void' and coupon.withdrawn_by = 'rule'
      returning code into v_code;
    if found then return next v_code; end if;
  end loop;
end $$;
