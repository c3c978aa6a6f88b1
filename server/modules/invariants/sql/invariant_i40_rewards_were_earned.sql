create or replace view invariant_i40_rewards_were_earned as
  select w.player_id, w.reward_no, w.issue_key, w.state from reward w
  where not event_reached(w.player_id, w.brand_key, w.game_id, w.basis, w.created_at)
    -- Orders of another player of the account, whose person was erased since, cannot be counted for it any more.
    and not w.basis ? 'is_partly_erased'
    -- Of orders that are in files nothing can be counted any more.
    and (not w.basis ? 'from' or billing_no_at((w.basis ->> 'from')::timestamptz - interval '31 days')
      >= (select coalesce(max(to_no), '') from archived_month));
comment on view invariant_i40_rewards_were_earned is
  'Every reward of an event was reached by orders that were delivered before it was received.';
