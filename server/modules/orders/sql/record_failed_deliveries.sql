-- The part of record_delivery_results that is rare: what games refused or did not answer. An answer counts only
-- while its call is the
-- newest of its delivery. A certain no refunds by itself where the game's file says so, else a person decides.
create or replace function record_failed_deliveries(p_results jsonb) returns void language plpgsql as $$
declare
  r record;
begin
  for r in
    with result as (
      select * from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, tries integer, kind text,
        reason text,
        retry_in_seconds double precision, on_declined text)
    ), stopped as (
      update delivery d set
          state = case when t.kind = 'declined' then 'rejected' when t.retry_in_seconds is null then 'dead'
            else 'unknown' end,
          last_error = t.reason,
          next_at = case when t.kind = 'unknown' then now() + make_interval(secs => coalesce(t.retry_in_seconds, 0))
            else d.next_at end
      from result t where t.kind <> 'done' and d.player_id = t.player_id and d.billing_no = t.billing_no
        and d.state = 'calling'
        and d.tries = t.tries
      returning d.player_id, d.billing_no, d.state, t.reason, t.on_declined
    ), noted as (
      insert into player_change (player_id) select player_id from stopped
    ), moved as (
      update orders o set state = 'review',
          review_reason = case when s.state = 'rejected' then 'game_declined: '
            else 'delivery_gave_up: ' end || coalesce(s.reason, '')
      from stopped s where s.state in ('rejected', 'dead') and o.player_id = s.player_id and o.billing_no = s.billing_no
        and o.state in ('paid', 'delivering')
      returning o.player_id, o.billing_no, s.state, s.on_declined
    )
    select m.player_id, m.billing_no, a.attempt_no from moved m join payment_attempt a
      on a.player_id = m.player_id and a.billing_no = m.billing_no and a.state = 'succeeded'
    where m.state = 'rejected' and m.on_declined = 'refund' order by m.player_id, m.billing_no
  loop
    perform request_refund(r.player_id, r.billing_no, r.attempt_no, 'the game declined', 'shop');
  end loop;
end $$;
