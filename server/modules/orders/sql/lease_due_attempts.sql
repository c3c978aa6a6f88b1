-- Leases attempts whose next poll is due for p_lease, at most p_limit, none of the providers in p_busy. A returned row
-- is committed as asked: a process that dies keeps others from asking for no longer than the lease. Left alone are
-- attempts that somebody asked about in the last p_every (an approval that came after that question is new, and asked
-- about at once), and attempts whose money is being taken. p_margin: see is_past_payable in attempt-store.ts.
-- Found and taken as lease_deliveries does it.
create or replace function lease_due_attempts(
  p_limit integer, p_lease interval, p_every interval, p_margin interval, p_busy text[]
) returns table (
  player_id uuid, billing_no text, attempt_no integer, provider text, amount_minor bigint, currency text,
  provider_ref text, capture_ref text, approval text, channel_id text, created_at timestamptz, query_count integer,
  age_seconds double precision, is_past_payable boolean, brand_key text, game_id text, client_id text, suid text,
  server_id text, area_id text, role_id text, product_id text, channel_name jsonb, order_state text
) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  r record;
  v_attempt payment_attempt;
  v_order orders;
  v_count integer := 0;
begin
  for r in select a.player_id, a.billing_no, a.attempt_no from payment_attempt a
    where a.is_open and a.next_query_at > '-infinity' and a.next_query_at <= now() and a.provider <> all (p_busy)
      and (a.queried_at is null or a.queried_at < now() - p_every or a.queried_at < a.approved_at)
      and (a.capture_lease_until is null or a.capture_lease_until <= now())
    order by a.next_query_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from payment_attempt a
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no
        and a.is_open and a.next_query_at <= now()
        and (a.queried_at is null or a.queried_at < now() - p_every or a.queried_at < a.approved_at)
        and (a.capture_lease_until is null or a.capture_lease_until <= now()) for update skip locked;
    continue when not found;
    update payment_attempt a set next_query_at = now() + p_lease, queried_at = now(), query_count = a.query_count + 1
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no
      returning * into v_attempt;
    select * into v_order from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no;
    continue when not found;
    return query select v_attempt.player_id, v_attempt.billing_no, v_attempt.attempt_no, v_attempt.provider,
      v_attempt.amount_minor, v_attempt.currency, v_attempt.provider_ref, v_attempt.capture_ref, v_attempt.approval,
      v_attempt.channel_id, v_attempt.created_at, v_attempt.query_count,
      extract(epoch from now() - v_attempt.created_at)::double precision,
      v_attempt.payable_until < now() - p_margin, v_order.brand_key, v_order.game_id, v_order.client_id, v_order.suid,
      v_order.server_id, v_order.area_id, v_order.role_id, v_order.product_id, v_attempt.channel_name, v_order.state;
    v_count := v_count + 1;
  end loop;
end $$;
