-- The part of record_delivery that is rare: what the game refused or did not answer. It counts only while its call is
-- the newest of its delivery. A certain no refunds by itself where the game's file says so, else a person decides.
create or replace function record_failed_delivery(p_player_id uuid, p_billing_no text, p_result jsonb) returns void
  language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_next_at timestamptz := v_now
    + make_interval(secs => coalesce((p_result ->> 'retry_in_seconds')::double precision, 0));
  v_state text;
  v_from text;
  v_attempt_no integer;
begin
  update delivery set
      state = case when p_result ->> 'kind' = 'declined' then 'rejected'
        when p_result ->> 'retry_in_seconds' is null then 'dead' else 'unknown' end,
      last_error = p_result ->> 'reason',
      next_at = case when p_result ->> 'kind' = 'unknown' then v_next_at else next_at end
    where player_id = p_player_id and billing_no = p_billing_no and state = 'calling'
      and tries = (p_result ->> 'tries')::integer
    returning state into v_state;
  if not found then return; end if;
  insert into player_change (player_id) values (p_player_id);
  if v_state not in ('rejected', 'dead') then return; end if;
  select state into v_from from orders
    where player_id = p_player_id and billing_no = p_billing_no and state in ('paid', 'delivering') for update;
  if not found then return; end if;
  update orders set state = 'review',
      review_reason = case when v_state = 'rejected' then 'game_declined: ' else 'delivery_gave_up: ' end
        || coalesce(p_result ->> 'reason', '')
    where player_id = p_player_id and billing_no = p_billing_no;
  perform note_order_move(p_player_id, p_billing_no, v_from, 'review');
  if v_state <> 'rejected' or p_result ->> 'on_declined' is distinct from 'refund' then return; end if;
  select attempt_no into v_attempt_no from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if found then perform request_refund(p_player_id, p_billing_no, v_attempt_no, 'the game declined', 'shop'); end if;
end $$;
