-- Runs steps of several orders in their order in one transaction: all of them happen, or none. A step that would
-- wait for a lock of
-- somebody else for more than 100 ms ends the whole. p_steps: a list of {name, input}; input holds every parameter
-- of the function by name,
-- without its p_, also where it is null.
create or replace function run_steps(p_steps jsonb) returns setof jsonb language plpgsql set lock_timeout = '100ms'
  as $$
declare
  v_input jsonb;
begin
  for i in 0 .. jsonb_array_length(p_steps) - 1 loop
    v_input := p_steps -> i -> 'input';
    case p_steps -> i ->> 'name'
      when 'place_order' then
        return next (select place_order(x.player_id, x.billing_no, x.idempotency_key, x.fingerprint, x.sold,
          x.amount_minor, x.currency,
            x.provider, x.channel_key, x.channel_name, x.channel_id, x.expires_in, x.payable_for, x.time_zone,
              x."limit",
            x.has_stock, x.coupon, x.tender, x.must_be_new, x.must_notify, x.max_per_minute, x.max_open)
          from jsonb_to_record(v_input) as x(player_id uuid, billing_no text, idempotency_key text, fingerprint text,
            sold jsonb,
            amount_minor bigint, currency text, provider text, channel_key text, channel_name jsonb, channel_id text,
              expires_in interval,
            payable_for interval, time_zone text, "limit" jsonb, has_stock boolean, coupon jsonb, tender jsonb,
              must_be_new boolean,
            must_notify boolean, max_per_minute integer, max_open integer));
      when 'record_create_result' then
        return next (select to_jsonb(record_create_result(x.player_id, x.billing_no, x.attempt_no, x.provider, x.state,
          x.provider_ref,
            x.url, x.exchange, x.idempotency_key, x.answer))
          from jsonb_to_record(v_input) as x(player_id uuid, billing_no text, attempt_no integer, provider text,
            state text,
            provider_ref text, url text, exchange jsonb, idempotency_key text, answer jsonb));
      when 'receive_report' then
        return next (select receive_report(x.billing_no, x.attempt_no, x.provider, x.status, x.is_our_merchant,
          x.provider_ref,
            x.capture_ref, x.amount_minor, x.currency, x.reason, x.exchange, x.callback, x.lease_seconds,
            x.must_notify)
          from jsonb_to_record(v_input) as x(billing_no text, attempt_no integer, provider text, status text,
            is_our_merchant boolean,
            provider_ref text, capture_ref text, amount_minor bigint, currency text, reason text, exchange jsonb,
              callback jsonb,
            lease_seconds double precision, must_notify boolean));
      when 'record_delivery_results' then
        return next to_jsonb(record_delivery_results(v_input -> 'results'));
    end case;
  end loop;
end $$;
