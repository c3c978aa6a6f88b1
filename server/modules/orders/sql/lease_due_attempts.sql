-- Leases attempts whose next poll is due for p_lease, at most p_limit, none of the providers in p_busy. A returned row
-- is committed as asked: a process that dies keeps others from asking for no longer than the lease. Left alone are
-- attempts that somebody asked about in the last p_every (an approval that came after that question is new, and asked
-- about at once), and attempts whose money is being taken. p_margin: see is_past_payable in attempt-store.ts.
create or replace function lease_due_attempts(
  p_limit integer, p_lease interval, p_every interval, p_margin interval, p_busy text[]
) returns table (
  player_id uuid, billing_no text, attempt_no integer, provider text, amount_minor bigint, currency text,
  provider_ref text, capture_ref text, approval text, channel_id text, created_at timestamptz, query_count integer,
  age_seconds double precision, is_past_payable boolean, brand_key text, game_id text, client_id text, suid text,
  server_id text, area_id text, role_id text, product_id text, channel_name jsonb, order_state text
) language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
  with due as (
    select a.player_id, a.billing_no, a.attempt_no from payment_attempt a
    where a.is_open and a.next_query_at > '-infinity' and a.next_query_at <= now() and a.provider <> all (p_busy)
      and (a.queried_at is null or a.queried_at < now() - p_every or a.queried_at < a.approved_at)
      and (a.capture_lease_until is null or a.capture_lease_until <= now())
    order by a.next_query_at limit p_limit for update skip locked
  ), leased as (
    update payment_attempt a set next_query_at = now() + p_lease, queried_at = now(), query_count = a.query_count + 1
    from due where a.player_id = due.player_id and a.billing_no = due.billing_no and a.attempt_no = due.attempt_no
    returning a.*
  )
  select l.player_id, l.billing_no, l.attempt_no, l.provider, l.amount_minor, l.currency, l.provider_ref,
    l.capture_ref, l.approval, l.channel_id, l.created_at, l.query_count, extract(epoch from now() - l.created_at),
    l.payable_until < now() - p_margin, o.brand_key, o.game_id, o.client_id, o.suid, o.server_id, o.area_id,
    o.role_id, o.product_id, l.channel_name, o.state
  from leased l join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
$$;
