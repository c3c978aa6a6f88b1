create or replace view invariant_i42_daily_rewards as
  select w.player_id, w.reward_no, w.issue_key, w.state, w.basis ->> 'streak' as streak from reward w
  -- A reward received a second time after a restored backup lies beside the first (adopt_reward).
  where w.basis ->> 'kind' = 'daily' and not w.basis ? 'again_of' and (
    not starts_with(reverse(w.issue_key), reverse(w.basis ->> 'day'))
    or (w.created_at at time zone (w.basis ->> 'time_zone'))::date <> (w.basis ->> 'day')::date
    -- The day before had one of its own, though the game may have refused it since.
    or ((w.basis ->> 'streak')::integer > 1 and not w.basis ? 'is_partly_erased' and not claimed_before(w.account_id,
      left(w.issue_key, -10) || ((w.basis ->> 'day')::date - 1)::text, (w.basis ->> 'streak')::integer - 1)));
comment on view invariant_i42_daily_rewards is
  'Every daily reward was claimed on its own day, and its streak goes on from the day before.';
