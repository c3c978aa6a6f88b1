-- Keeps a callback with what came of it: applied (it changed something) or ignored. p_callback: see receive_report.
create or replace function keep_callback(
  p_provider text, p_callback jsonb, p_state text, p_outcome text, p_player_id uuid, p_billing_no text
) returns void language plpgsql as $$
begin
  insert into callback_inbox (provider, dedup_key, reference, report, headers, body, state, outcome, player_id,
      billing_no, applied_at, next_try_at)
    values (p_provider, p_callback ->> 'dedup_key', p_callback ->> 'reference', p_callback -> 'report',
      p_callback -> 'headers', p_callback ->> 'body', p_state, p_outcome, p_player_id, p_billing_no, now(), null)
    on conflict (provider, dedup_key) do update set state = excluded.state, outcome = excluded.outcome,
      player_id = excluded.player_id, billing_no = excluded.billing_no, applied_at = excluded.applied_at,
      next_try_at = null;
end $$;
