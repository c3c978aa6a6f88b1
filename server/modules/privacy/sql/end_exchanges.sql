-- Empties what was sent to providers and answered, of orders that are older than their brand keeps it, at most p_limit
-- orders; answers how many it looked at. It walks the numbers of orders, which are in order of time, once for each span
-- that some brand has, and goes on where it stopped: nothing is read twice. When a span changes it begins anew, and so
-- it does when a month was frozen for an archive that did not come (freeze_month): what is frozen is passed over.
-- At a month that is held for the archive (hold_month) it waits.
create or replace function end_exchanges(p_days jsonb, p_limit integer) returns integer language plpgsql as $$
declare
  v_reached jsonb;
  v_frozen oid[] := array(select tgrelid from pg_trigger where tgname = 'archive_frozen');
  v_held integer[] := array(select objid::bigint::integer from pg_locks
    where locktype = 'advisory' and mode = 'ExclusiveLock' and classid = 7339458
      and database = (select oid from pg_database where datname = current_database()));
  v_span integer;
  v_looked integer := 0;
  v_last text;
  v_brand_key text;
  r record;
begin
  select case when days = p_days then reached else '{}' end into v_reached from retention_end
    where what = 'exchanges' for update skip locked;
  if v_reached is null then return 0; end if;
  for v_span in select distinct value::integer from jsonb_each_text(p_days) loop
    v_last := null;
    for r in select l.player_id, l.billing_no from order_lookup l
      where l.billing_no > coalesce(v_reached ->> v_span::text, '')
        and l.billing_no < billing_no_at(now() - make_interval(days => v_span))
      order by l.billing_no limit p_limit - v_looked
    loop
      -- Asked apart: on a spread database no month is held or frozen, and tableoid cannot be asked for (decision 64).
      if cardinality(v_held) > 0 then
        exit when exists (select from payment_attempt where player_id = r.player_id and billing_no = r.billing_no
          and archive_key(tableoid::regclass::text) = any (v_held));
      end if;
      v_last := r.billing_no;
      v_looked := v_looked + 1;
      select brand_key into v_brand_key from orders where player_id = r.player_id and billing_no = r.billing_no;
      continue when not found or kept_days(p_days, v_brand_key) is distinct from v_span;
      if cardinality(v_frozen) > 0 then
        continue when exists (select from payment_attempt
          where player_id = r.player_id and billing_no = r.billing_no and tableoid = any (v_frozen));
      end if;
      update payment_attempt set exchange = '{}', pay_url = null
        where player_id = r.player_id and billing_no = r.billing_no and (exchange <> '{}' or pay_url is not null);
    end loop;
    if v_last is not null then v_reached := v_reached || jsonb_build_object(v_span, v_last); end if;
    exit when v_looked >= p_limit;
  end loop;
  update retention_end set days = p_days, reached = v_reached where what = 'exchanges';
  return v_looked;
end $$;
