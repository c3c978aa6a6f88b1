-- Ends what is left of logins under way, of links, of tokens for backup hosts and of counts of failed logins, at most
-- p_limit of each; answers how many. A login clears away some of them as well: this is for shops where nobody logs in.
create or replace function end_logins(p_days jsonb, p_limit integer) returns integer language sql as $$
  with over as (select now() - make_interval(days => kept_days(p_days, '*')) as before), attempts as (
    delete from login_attempt where state_hash in (
      select state_hash from login_attempt, over where expires_at < before order by expires_at limit p_limit
      for update of login_attempt skip locked) returning 1
  ), links as (
    delete from login_link where link_hash in (
      select link_hash from login_link, over where expires_at < before order by expires_at limit p_limit
      for update of login_link skip locked) returning 1
  ), tokens as (
    delete from backup_token where token_hash in (
      select token_hash from backup_token, over where expires_at < before order by expires_at limit p_limit
      for update of backup_token skip locked) returning 1
  ), guards as (
    delete from login_guard where account_hash in (
      select account_hash from login_guard, over where forget_at < before order by forget_at limit p_limit
      for update of login_guard skip locked) returning 1
  )
  select ((select count(*) from attempts) + (select count(*) from links) + (select count(*) from tokens)
    + (select count(*) from guards))::integer
$$;
