-- Records what games answered, a batch at once: p_results is a list of {player_id, billing_no, tries, kind (done,
-- declined, unknown),
-- receipt_id, reason, retry_in_seconds (null with unknown: given up), on_declined (refund, review)}.
-- Answers how many orders became delivered.
create or replace function record_delivery_results(p_results jsonb) returns integer language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_done_count integer;
begin
  if p_results is null or jsonb_typeof(p_results) <> 'array'
    or p_results @? '$[*] ? (!exists(@.player_id) || !exists(@.billing_no)
      || !exists(@.tries) || !(@.kind == "done" || @.kind == "declined" || @.kind == "unknown"))' then
    raise exception 'record_delivery_results: a result lacks player_id, billing_no, tries or kind'
      using errcode = 'null_value_not_allowed';
  end if;
  -- In one order, so that two batches which share a late answer cannot meet crosswise.
  if jsonb_array_length(p_results) > 1 then
    perform 1 from delivery d join jsonb_to_recordset(p_results) as r(player_id uuid, billing_no text)
      on d.player_id = r.player_id and d.billing_no = r.billing_no order by d.player_id, d.billing_no for update of d;
  end if;

  with result as (
    select * from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text, receipt_id text)
  ), done as (
    update delivery d set state = 'done', done_at = now(), receipt_id = r.receipt_id, last_error = null
    from result r where r.kind = 'done' and d.player_id = r.player_id and d.billing_no = r.billing_no
      and d.state <> 'done'
    returning d.player_id, d.billing_no
  ), closed as (
    update orders o set state = case when is_deliverable(o.state) then 'delivered'
      else o.state end, delivered_at = now(), closed_at = now()
    from done where o.player_id = done.player_id and o.billing_no = done.billing_no
    returning o.player_id, o.billing_no, o.amount_minor + o.discount_minor as worth_minor, o.currency, o.refunded_at,
      points_kept(o.points, o.amount_minor, o.refunded_minor) as points,
      o.brand_key, o.creator, points_kept(o.share_minor, o.amount_minor, o.refunded_minor) as share_minor
  ), booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select c.player_id, c.billing_no, 'delivered', a.attempt_no, side.account, side.sign * c.worth_minor, c.currency
    from closed c join payment_attempt a on a.player_id = c.player_id and a.billing_no = c.billing_no
      and a.state = 'succeeded'
      cross join (values ('goods_owed', 1), ('revenue', -1)) as side(account, sign)
    where c.refunded_at is null
  ), credited as (
    -- Of the order's row as it is after the lock: money that went back a moment ago earns nothing.
    insert into points_entry (player_id, billing_no, kind, entry_no, points)
    select player_id, billing_no, 'delivered', 1, points from closed where points > 0
  ), shared as (
    insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
    select player_id, billing_no, 'delivered', 1, brand_key, creator, share_minor, currency
    from closed where share_minor > 0
  ), noted as (
    insert into player_change (player_id) select player_id from done
  ), used as (
    update reservation r set state = 'used'
    from done where r.player_id = done.player_id and r.billing_no = done.billing_no and r.state = 'held'
  )
  select count(*) into v_done_count from done;
  if p_results @? '$[*] ? (@.kind != "done")' then perform record_failed_deliveries(p_results); end if;
  return v_done_count;
end $$;
