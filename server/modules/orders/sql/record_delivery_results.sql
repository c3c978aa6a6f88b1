-- Records what games answered, a batch at once: p_results is a list of {player_id, billing_no, tries, kind (done,
-- declined, unknown), receipt_id, reason, retry_in_seconds (null with unknown: given up), on_declined (refund,
-- review)}. Answers how many orders became delivered. What was handed over is written for all orders in one statement:
-- what record_delivery does for one, at half of its cost (results.test.ts holds the two together).
create or replace function record_delivery_results(p_results jsonb) returns integer language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_now constant timestamptz := now();
  v_span record;
  v_first text;
  v_last text;
  r record;
  v_done_count integer := 0;
  v_handed_count integer := 0;
  v_is_told constant boolean := exists (select from webhook_endpoint);
begin
  if p_results is null or jsonb_typeof(p_results) <> 'array'
    or p_results @? '$[*] ? (!exists(@.player_id) || !exists(@.billing_no)
      || !exists(@.tries) || !(@.kind == "done" || @.kind == "declined" || @.kind == "unknown"))' then
    raise exception 'record_delivery_results: a result lacks player_id, billing_no, tries or kind'
      using errcode = 'null_value_not_allowed';
  end if;
  if to_regclass('pg_dist_partition') is not null and current_setting('refill.at_shard', true) is distinct from 'on'
  then
    -- Of a database that is spread over machines a statement touches one player (decision 64).
    for r in select (e ->> 'player_id')::uuid as player_id, e ->> 'billing_no' as billing_no, e as result
      from jsonb_array_elements(p_results) e order by 1, 2
    loop
      v_done_count := v_done_count + record_delivery(r.player_id, r.billing_no, r.result);
    end loop;
    return v_done_count;
  end if;
  v_span := billing_no_span(p_results);
  v_first := v_span.first_no;
  v_last := v_span.last_no;
  -- In one order, and all deliveries before the first order, so that two batches cannot meet crosswise. By themselves:
  -- the statement below must see its rows as they are after the wait, and wait for none (billing_no_span). Asked for
  -- its kind, a batch is no hundred rows to the planner: then each is looked up by its key.
  perform 1 from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text)
    join delivery d on x.kind in ('done', 'declined', 'unknown')
      and d.player_id = x.player_id and d.billing_no = x.billing_no and d.billing_no between v_first and v_last
    order by d.player_id, d.billing_no for update of d;
  perform 1 from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text)
    join orders o on x.kind = 'done' and o.player_id = x.player_id and o.billing_no = x.billing_no
      and o.billing_no between v_first and v_last
    order by o.player_id, o.billing_no for update of o;

  for r in
    with done as (
      update delivery d set state = 'done', done_at = v_now, receipt_id = x.receipt_id, last_error = null
        from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text, receipt_id text)
        where x.kind = 'done' and d.player_id = x.player_id and d.billing_no = x.billing_no and d.state <> 'done'
          and d.billing_no between v_first and v_last
        returning d.player_id, d.billing_no
    ), held as (
      -- Money that went back a moment ago earns nothing.
      select o.player_id, o.billing_no, o.state, o.brand_key, o.creator, o.currency, o.refunded_at,
          o.amount_minor + o.discount_minor as worth_minor,
          points_kept(o.points, o.amount_minor, o.refunded_minor) as points,
          points_kept(o.share_minor, o.amount_minor, o.refunded_minor) as share_minor
        from done join orders o on o.player_id = done.player_id and o.billing_no = done.billing_no
          and o.billing_no between v_first and v_last
        order by o.player_id, o.billing_no
    ), moved as (
      update orders o set state = case when is_deliverable(held.state) then 'delivered' else held.state end,
          delivered_at = v_now, closed_at = v_now
        from held where o.player_id = held.player_id and o.billing_no = held.billing_no
          and o.billing_no between v_first and v_last
        returning o.player_id, o.billing_no, held.state as from_state, o.state as to_state
    ), booked as (
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
        select held.player_id, held.billing_no, 'delivered', a.attempt_no, side.account, side.sign * held.worth_minor,
          held.currency
        from held join payment_attempt a
          on a.player_id = held.player_id and a.billing_no = held.billing_no and a.state = 'succeeded'
            and a.billing_no between v_first and v_last
          cross join (values ('goods_owed', 1), ('revenue', -1)) as side(account, sign)
        where held.refunded_at is null
    ), credited as (
      insert into points_entry (player_id, billing_no, kind, entry_no, points)
        select player_id, billing_no, 'delivered', 1, points from held where points > 0
    ), shared as (
      insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
        select player_id, billing_no, 'delivered', 1, brand_key, creator, share_minor, currency from held
          where share_minor > 0
    ), noted as (
      insert into player_change (player_id) select player_id from held
    ), used as (
      update reservation v set state = 'used' from held
        where v.player_id = held.player_id and v.billing_no = held.billing_no and v.state = 'held'
    )
    select m.*, c.done_count from (select count(*) as done_count from done) c left join moved m on true
  loop
    v_handed_count := r.done_count;
    continue when r.billing_no is null;
    v_done_count := v_done_count + 1;
    -- Its trigger has measured the move, and nothing of an order that is delivered is unpaid: what is left to note are
    -- endpoints that want to hear of it.
    if v_is_told then perform note_order_move(r.player_id, r.billing_no, r.from_state, r.to_state); end if;
  end loop;

  if v_done_count <> v_handed_count then
    raise exception 'record_delivery_results: % deliveries and % orders were found', v_handed_count, v_done_count;
  end if;

  -- Goods that a game refused or did not confirm are rare, so they are handled one by one.
  if p_results @? '$[*] ? (@.kind != "done")' then
    for r in select (e ->> 'player_id')::uuid as player_id, e ->> 'billing_no' as billing_no, e as result
      from jsonb_array_elements(p_results) e where e ->> 'kind' <> 'done' order by 1, 2
    loop
      perform record_failed_delivery(r.player_id, r.billing_no, r.result);
    end loop;
  end if;
  return v_done_count;
end $$;
