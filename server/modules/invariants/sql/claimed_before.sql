-- Returns true when the account claimed the daily reward of this key with this streak.
create or replace function claimed_before(p_account_id uuid, p_issue_key text, p_streak integer) returns boolean
  language plpgsql stable as $$
begin
  return exists (select true from reward where account_id = p_account_id and issue_key = p_issue_key
    and (basis ->> 'streak')::integer = p_streak);
end $$;
