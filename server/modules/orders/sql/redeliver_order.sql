-- Queues a delivery that has stopped again, from the first wait. Outcomes: queued, wrong_state.
create or replace function redeliver_order(p_player_id uuid, p_billing_no text) returns text language plpgsql as $$
declare
  v_now constant timestamptz := now();
begin
  if num_nulls(p_player_id, p_billing_no) > 0 then
    raise exception 'redeliver_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  perform 1 from orders
    where player_id = p_player_id and billing_no = p_billing_no and is_deliverable(state) for update;
  if not found then return 'wrong_state'; end if;
  if exists (select from refund r join payment_attempt a
      on a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no
      where r.player_id = p_player_id and r.billing_no = p_billing_no and a.state = 'succeeded') then
    return 'wrong_state';
  end if;
  update delivery set state = 'queued', next_at = v_now, tries = 0, last_error = null
    where player_id = p_player_id and billing_no = p_billing_no and state in ('queued', 'unknown', 'rejected', 'dead');
  if not found then return 'wrong_state'; end if;
  update orders set state = 'delivering', delivering_at = coalesce(delivering_at, v_now), review_reason = null
    where player_id = p_player_id and billing_no = p_billing_no and state = 'review';
  insert into player_change (player_id) values (p_player_id);
  return 'queued';
end $$;
