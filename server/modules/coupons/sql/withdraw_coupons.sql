-- Takes back what a rule gave and nobody used: the coupons of one brand whose `issue_key` begins so, e.g. "vip/3/".
-- One that an order holds, or has used, stays. Given again with the same key it is had again (grant_coupons).
create or replace function withdraw_coupons(p_player_id uuid, p_brand_key text, p_issue_prefix text)
returns setof text language sql as $$
  update coupon set state = 'void', withdrawn_by = 'rule'
  where player_id = p_player_id and brand_key = p_brand_key and starts_with(issue_key, p_issue_prefix)
    and state in ('claimable', 'free')
  returning code
$$;
