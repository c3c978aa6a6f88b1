-- Counts what holds a use of a counter of limit_counter: reservations of orders, or rewards. Players of several brands
-- may share the counter, so it is asked by itself, not joined (decision 64).
create or replace function uses_held(
  p_account_id uuid, p_game_id text, p_product_id text, p_subject text, p_period text
) returns bigint language plpgsql stable as $$
declare
  v_count bigint;
begin
  if p_subject = 'reward' then
    select count(*) into v_count from reward
      where account_id = p_account_id and issue_key = p_product_id and state <> 'rejected';
  else
    select count(*) into v_count from reservation
      where account_id = p_account_id and product_id = p_product_id and game_id = p_game_id and subject = p_subject
        and period = p_period and kind in ('limit', 'bonus', 'offer') and state <> 'released';
  end if;
  return v_count;
end $$;
