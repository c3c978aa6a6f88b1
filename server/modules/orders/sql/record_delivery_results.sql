-- Records what games answered, a batch at once: p_results is a list of {player_id, billing_no, tries, kind (done,
-- declined, unknown), receipt_id, reason, retry_in_seconds (null with unknown: given up), on_declined (refund, review)}.
-- Answers how many orders became delivered.
create or replace function record_delivery_results(p_results jsonb) returns integer language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  r record;
  v_done_count integer := 0;
begin
  if p_results is null or jsonb_typeof(p_results) <> 'array'
    or p_results @? '$[*] ? (!exists(@.player_id) || !exists(@.billing_no)
      || !exists(@.tries) || !(@.kind == "done" || @.kind == "declined" || @.kind == "unknown"))' then
    raise exception 'record_delivery_results: a result lacks player_id, billing_no, tries or kind'
      using errcode = 'null_value_not_allowed';
  end if;
  -- In one order, and all deliveries before the first order, so that two batches cannot meet crosswise.
  if jsonb_array_length(p_results) > 1 then
    for r in select (e ->> 'player_id')::uuid as player_id, e ->> 'billing_no' as billing_no
      from jsonb_array_elements(p_results) e order by 1, 2
    loop
      perform 1 from delivery where player_id = r.player_id and billing_no = r.billing_no for update;
    end loop;
  end if;
  for r in select (e ->> 'player_id')::uuid as player_id, e ->> 'billing_no' as billing_no, e as result
    from jsonb_array_elements(p_results) e order by 1, 2
  loop
    v_done_count := v_done_count + record_delivery(r.player_id, r.billing_no, r.result);
  end loop;
  return v_done_count;
end $$;
