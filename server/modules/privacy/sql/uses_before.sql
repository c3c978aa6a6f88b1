-- How often an account (account_of) had used something up before its person was erased; 0 for nearly all accounts,
-- which costs one look at the account's rows.
create or replace function uses_before(
  p_account_id uuid, p_game_id text, p_product_id text, p_subject text, p_period text
) returns bigint language plpgsql stable as $$
declare
  v_used bigint;
  v_hash text;
begin
  if not exists (select from carried_use where account_id = p_account_id) then return 0; end if;
  v_hash := guard_hash(p_subject);
  select used into v_used from carried_use
    where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id
      and subject_hash = v_hash and period = p_period;
  return coalesce(v_used, 0);
end $$;
