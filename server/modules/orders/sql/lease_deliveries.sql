-- Leases due deliveries for p_lease, at most p_limit, none of the games in p_busy. A returned row is committed as
-- "about to call". It ends by itself: whoever dies before the answer is written is followed when the lease has run out.
-- Found by one read over everybody's rows, then taken by one conditional change a row: of a row that somebody else is
-- taking this very moment nobody waits for the end. More are read than taken, for others are at the same ones.
create or replace function lease_deliveries(p_limit integer, p_lease interval, p_busy text[]) returns table (
  player_id uuid, billing_no text, game_id text, tries integer, client_id text, suid text, server_id text,
  area_id text, role_id text, product_id text, product jsonb, amount_minor bigint, currency text
) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := now();
  r record;
  v_order orders;
  v_tries integer;
  v_count integer := 0;
begin
  for r in select d.player_id, d.billing_no from delivery d
    where d.state in ('queued', 'calling', 'unknown') and d.next_at <= v_now and d.game_id <> all (p_busy)
    order by d.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from delivery d where d.player_id = r.player_id and d.billing_no = r.billing_no
      and d.state in ('queued', 'calling', 'unknown') and d.next_at <= v_now for update skip locked;
    continue when not found;
    update delivery d set state = 'calling', tries = d.tries + 1, next_at = v_now + p_lease
      where d.player_id = r.player_id and d.billing_no = r.billing_no returning d.tries into v_tries;
    update orders o set state = 'delivering', delivering_at = coalesce(o.delivering_at, v_now)
      where o.player_id = r.player_id and o.billing_no = r.billing_no and o.state = 'paid';
    select * into v_order from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no;
    continue when not found;
    return query select v_order.player_id, v_order.billing_no, v_order.game_id, v_tries, v_order.client_id,
      v_order.suid, v_order.server_id, v_order.area_id, v_order.role_id, v_order.product_id, v_order.product,
      v_order.amount_minor, v_order.currency;
    v_count := v_count + 1;
  end loop;
end $$;
