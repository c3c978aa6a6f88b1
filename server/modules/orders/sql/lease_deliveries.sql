-- Leases due deliveries for p_lease, at most p_limit, none of the games in p_busy. A returned row is committed as
-- "about to call". It ends by itself: whoever dies before the answer is written is followed when the lease has run out.
create or replace function lease_deliveries(p_limit integer, p_lease interval, p_busy text[]) returns table (
  player_id uuid, billing_no text, game_id text, tries integer, client_id text, suid text, server_id text,
  area_id text, role_id text, product_id text, product jsonb, amount_minor bigint, currency text
) language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
  with due as (
    select d.player_id, d.billing_no from delivery d
    where d.state in ('queued', 'calling', 'unknown') and d.next_at <= now() and d.game_id <> all (p_busy)
    order by d.next_at limit p_limit for update skip locked
  ), leased as (
    update delivery d set state = 'calling', tries = d.tries + 1, next_at = now() + p_lease
    from due where d.player_id = due.player_id and d.billing_no = due.billing_no
    returning d.player_id, d.billing_no, d.game_id, d.tries
  ), moved as (
    update orders o set state = 'delivering', delivering_at = coalesce(o.delivering_at, now())
    from leased l where o.player_id = l.player_id and o.billing_no = l.billing_no and o.state = 'paid'
  )
  select l.player_id, l.billing_no, l.game_id, l.tries, o.client_id, o.suid, o.server_id, o.area_id, o.role_id,
    o.product_id, o.product, o.amount_minor, o.currency
  from leased l join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
$$;
