-- The account behind a login, as account_guard names it. One that its company had declared over is the same account.
create or replace function guard_account_hash(p_brand_key text, p_provider text, p_subject text) returns text
  language sql stable strict as $$
  select guard_hash(concat_ws('/', p_brand_key, replace(p_provider, '~gone', ''), p_subject))
$$;
