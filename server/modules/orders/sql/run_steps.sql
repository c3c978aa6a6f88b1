-- Runs steps of several orders in one transaction: all of them happen, or none. A step that would wait for a lock of
-- somebody else for more than 100 ms ends the whole. p_steps: a list of {name, input}; input holds every parameter of
-- the function by name, without its p_, also where it is null. Read key by key: jsonb_to_record would be a statement of
-- its own for each step.
-- Steps of one kind run where the first of them stands, those that need nothing else in one statement for all
-- (place_plain_orders, record_create_results, book_plain_payments), the others then in their order; all results of
-- deliveries in one call.
create or replace function run_steps(p_steps jsonb) returns setof jsonb language plpgsql set lock_timeout = '100ms'
  as $$
declare
  v jsonb;
  v_placed jsonb[];
  v_order_count integer := 0;
  v_are_recorded boolean := false;
  v_paid jsonb[];
  v_report_count integer := 0;
  v_are_handed_over boolean := false;
begin
  for i in 0 .. jsonb_array_length(p_steps) - 1 loop
    v := p_steps #> array[i::text, 'input'];
    case p_steps #>> array[i::text, 'name']
      when 'place_order' then
        if v_placed is null then
          v_placed := place_plain_orders(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "place_order").input'));
        end if;
        v_order_count := v_order_count + 1;
        return next coalesce(v_placed[v_order_count], place_order(
          p_player_id => (v ->> 'player_id')::uuid, p_billing_no => v ->> 'billing_no',
          p_idempotency_key => v ->> 'idempotency_key', p_fingerprint => v ->> 'fingerprint', p_sold => v -> 'sold',
          p_amount_minor => (v ->> 'amount_minor')::bigint, p_currency => v ->> 'currency',
          p_provider => v ->> 'provider', p_channel_key => v ->> 'channel_key',
          p_channel_name => nullif(v -> 'channel_name', 'null'), p_channel_id => v ->> 'channel_id',
          p_expires_in => (v ->> 'expires_in')::interval, p_payable_for => (v ->> 'payable_for')::interval,
          p_time_zone => v ->> 'time_zone', p_limit => nullif(v -> 'limit', 'null'),
          p_has_stock => (v ->> 'has_stock')::boolean, p_coupon => nullif(v -> 'coupon', 'null'),
          p_tender => nullif(v -> 'tender', 'null'), p_must_be_new => (v ->> 'must_be_new')::boolean,
          p_must_notify => (v ->> 'must_notify')::boolean, p_max_per_minute => (v ->> 'max_per_minute')::integer,
          p_max_open => (v ->> 'max_open')::integer));
      when 'record_create_result' then
        if not v_are_recorded then
          perform record_create_results(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "record_create_result").input'));
          v_are_recorded := true;
        end if;
        return next to_jsonb('recorded'::text);
      when 'receive_report' then
        if v_paid is null then
          v_paid := book_plain_payments(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "receive_report").input'));
        end if;
        v_report_count := v_report_count + 1;
        return next coalesce(v_paid[v_report_count], receive_report(
          p_billing_no => v ->> 'billing_no', p_attempt_no => (v ->> 'attempt_no')::integer,
          p_provider => v ->> 'provider', p_status => v ->> 'status',
          p_is_our_merchant => (v ->> 'is_our_merchant')::boolean, p_provider_ref => v ->> 'provider_ref',
          p_capture_ref => v ->> 'capture_ref', p_amount_minor => (v ->> 'amount_minor')::bigint,
          p_currency => v ->> 'currency', p_reason => v ->> 'reason', p_exchange => nullif(v -> 'exchange', 'null'),
          p_callback => nullif(v -> 'callback', 'null'),
          p_lease_seconds => (v ->> 'lease_seconds')::double precision,
          p_must_notify => (v ->> 'must_notify')::boolean));
      when 'record_delivery_results' then
        if not v_are_handed_over then
          perform record_delivery_results(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "record_delivery_results").input.results[*]'));
          v_are_handed_over := true;
        end if;
        return next to_jsonb('recorded'::text);
    end case;
  end loop;
end $$;
