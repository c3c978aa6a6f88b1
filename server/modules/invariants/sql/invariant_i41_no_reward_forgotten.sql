create or replace view invariant_i41_no_reward_forgotten as
  select player_id, reward_no, issue_key, state from reward
  where (state in ('queued', 'calling', 'unknown') and next_at < now() - interval '1 day')
    or (state = 'done' and receipt_id is null);
comment on view invariant_i41_no_reward_forgotten is
  'No reward waits for its grant without anybody working on it, and each that was granted has its receipt.';
