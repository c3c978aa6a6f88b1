-- Stops the delivery of an order whose money is gone. A call may be under way, or have ended in doubt: then the goods
-- may be there, nobody asks with the same key again (that could hand them over only now), and the game is asked to take
-- them back. An answer "done" that still comes is believed as ever.
create or replace function stop_delivery(p_player_id uuid, p_billing_no text, p_reason text) returns void
  language plpgsql as $$
declare
  v_tries integer;
  v_reason text := case p_reason when 'chargeback' then 'chargeback' else 'refund' end;
begin
  update delivery set state = 'rejected', last_error = p_reason
    where player_id = p_player_id and billing_no = p_billing_no and state in ('queued', 'calling', 'unknown', 'dead')
    returning tries into v_tries;
  if v_tries > 0 then
    -- Longer than a grant may take (10 s) and its lease (15 s), so that the game learns of the revocation last.
    insert into revocation (player_id, billing_no, game_id, reason, next_at)
      select player_id, billing_no, game_id, v_reason, now() + interval '30 seconds' from orders
      where player_id = p_player_id and billing_no = p_billing_no
      on conflict do nothing;
  end if;
end $$;
