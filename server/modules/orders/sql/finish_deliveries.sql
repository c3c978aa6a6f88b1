-- As before; what did not succeed is a statement of its own.
create or replace function finish_deliveries(p jsonb) returns integer language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare v_closed integer;
begin
  -- In one order, so that two batches which share a late answer can not meet crosswise.
  if jsonb_array_length(p) > 1 then
    perform 1 from delivery d join jsonb_to_recordset(p) as r(player_id uuid, billing_no text) on d.player_id = r.player_id and d.billing_no = r.billing_no
      order by d.player_id, d.billing_no for update of d;
  end if;

  with told as (
    select * from jsonb_to_recordset(p) as x(player_id uuid, billing_no text, kind text, receipt_id text)
  ), done as (
    update delivery d set state = 'done', done_at = now(), receipt_id = t.receipt_id, last_error = null
    from told t where t.kind = 'done' and d.player_id = t.player_id and d.billing_no = t.billing_no and d.state <> 'done'
    returning d.player_id, d.billing_no
  ), closed as (
    update orders o set state = case when o.state in ('paid', 'delivering', 'review') then 'delivered' else o.state end, delivered_at = now(), closed_at = now()
    from done where o.player_id = done.player_id and o.billing_no = done.billing_no
    returning o.player_id, o.billing_no, o.amount_minor + o.discount_minor as worth_minor, o.currency, o.refunded_at
  ), booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select c.player_id, c.billing_no, 'delivered', a.attempt_no, side.account, side.sign * c.worth_minor, c.currency
    from closed c join payment_attempt a on a.player_id = c.player_id and a.billing_no = c.billing_no and a.state = 'succeeded'
      cross join (values ('goods_owed', 1), ('revenue', -1)) as side(account, sign)
    where c.refunded_at is null
  ), used as (
    update reservation r set state = 'used' from done where r.player_id = done.player_id and r.billing_no = done.billing_no and r.state = 'held'
  )
  select count(*) into v_closed from done;
  -- What the game refused or did not answer is rare, and all that follows from it.
  if p @? '$[*] ? (@.kind != "done")' then
    with told as (
      select * from jsonb_to_recordset(p) as x(player_id uuid, billing_no text, tries integer, kind text, reason text, retry_in_seconds double precision)
    ), stopped as (
      update delivery d set
          state = case when t.kind = 'declined' then 'rejected' when t.retry_in_seconds is null then 'dead' else 'unknown' end,
          last_error = t.reason,
          next_at = case when t.kind = 'unknown' then now() + make_interval(secs => coalesce(t.retry_in_seconds, 0)) else d.next_at end
      from told t where t.kind <> 'done' and d.player_id = t.player_id and d.billing_no = t.billing_no and d.state = 'calling' and d.tries = t.tries
      returning d.player_id, d.billing_no, d.state, t.reason
    )
    update orders o set state = 'review', review_reason = case when s.state = 'rejected' then 'game_declined: ' else 'delivery_gave_up: ' end || s.reason
    from stopped s where s.state in ('rejected', 'dead') and o.player_id = s.player_id and o.billing_no = s.billing_no and o.state in ('paid', 'delivering');
  end if;
  return v_closed;
end $$;
