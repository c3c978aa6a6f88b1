-- record_create_result for several orders in one statement, where no provider refused: p_results is a list of its
-- parameters by name, p_state redirected or unknown. What record_create_result does for one, at less of its cost
-- (plain.test.ts holds the two together): to begin a statement costs more than its rows.
create or replace function record_create_results(p_results jsonb) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_span record := billing_no_span(p_results);
  v_first constant text := v_span.first_no;
  v_last constant text := v_span.last_no;
begin
  if p_results @? '$[*] ? (!exists(@.player_id) || !exists(@.billing_no) || !exists(@.attempt_no)
      || !exists(@.provider) || !(@.state == "redirected" || @.state == "unknown"))' then
    raise exception 'record_create_results: a result lacks player_id, billing_no, attempt_no, provider or state'
      using errcode = 'null_value_not_allowed';
  end if;
  -- By itself: the statement below must see its rows as they are after the wait, and wait for none (billing_no_span).
  perform 1 from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, attempt_no integer, state text)
    join orders o on x.state in ('redirected', 'unknown') and o.player_id = x.player_id and o.billing_no = x.billing_no
      and o.billing_no between v_first and v_last
    join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = x.attempt_no
      and a.billing_no between v_first and v_last
    order by o.player_id, o.billing_no for update of o, a;

  with given as (
    select * from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, attempt_no integer, provider text,
      state text, provider_ref text, url text, exchange jsonb, idempotency_key text, answer jsonb)
      -- All of them, as was seen above. The planner takes a batch for a hundred rows where nothing is asked of it, and
      -- would read all numbers of the span rather than look each up.
      where x.state in ('redirected', 'unknown')
  ), held as (
    select t.*, o.state as order_state from given t
      join orders o on o.player_id = t.player_id and o.billing_no = t.billing_no
        and o.billing_no between v_first and v_last
      order by o.player_id, o.billing_no
  ), answered as (
    update payment_attempt a set
        state = case
          when a.state = 'sent' or a.state = 'unknown' and h.state = 'redirected' then h.state else a.state end,
        provider_ref = coalesce(h.provider_ref, a.provider_ref), pay_url = coalesce(h.url, a.pay_url),
        exchange = case when h.exchange is null then a.exchange else a.exchange || h.exchange end
      from held h
      where a.player_id = h.player_id and a.billing_no = h.billing_no and a.attempt_no = h.attempt_no
        and a.billing_no between v_first and v_last
  ), referred as (
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      select h.provider, h.provider_ref, h.player_id, h.billing_no, h.attempt_no from held h
        where h.provider_ref is not null
      on conflict do nothing
  ), kept as (
    update idempotency i set answer = h.answer from held h
      where i.player_id = h.player_id and i.key = h.idempotency_key and h.answer is not null
  ), freed as (
    delete from idempotency i using given t
      where i.player_id = t.player_id and i.key = t.idempotency_key and t.answer is null
  )
  update orders o set state = 'pending' from held h
    where h.order_state = 'created' and o.player_id = h.player_id and o.billing_no = h.billing_no
      and o.billing_no between v_first and v_last;
end $$;
