-- Makes the partitions of the month of p_now and of the one after it, where they are not there: at every migration and
-- by the workers, hourly. Not more ahead: a statement has to do with every month there is. Answers the names of what it
-- made. Guards months that ended 90 days ago for the archive, which comes to them after 180 (guard_month). As its owner:
-- who serves players may make these and change no table besides.
-- A partition is made beside its table and then attached, which holds up nobody who writes orders; <table>_default,
-- which is locked for that moment, is empty. A month of which it has orders already is left to it: no order is lost to
-- a partition that came too late, and `refill doctor` tells.
-- A young month has its first statistics and its first vacuum at c_quiet_rows, some 40,000 orders: with PostgreSQL's 50
-- rows a busy shop has both every minute, and after each every connection plans its statements over all months anew.
create or replace function make_partitions(p_now timestamptz default now()) returns setof text language plpgsql
  security definer set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  c_quiet_rows constant integer := 200000;
  v_month timestamptz;
  v_from text;
  v_to text;
  v_table text;
  v_name text;
  v_options text;
  v_is_taken boolean;
  v_unguarded text;
begin
  -- Two workers at once: the second finds all made.
  perform pg_advisory_xact_lock(7339457);
  for i in 0 .. 1 loop
    v_month := date_trunc('month', date_trunc('month', p_now, 'UTC') + i * interval '31 days', 'UTC');
    v_from := billing_no_at(v_month);
    v_to := billing_no_at(date_trunc('month', v_month + interval '32 days', 'UTC'));
    for v_table in select list_partitioned() loop
      v_name := format('%s_%s', v_table, to_char(v_month at time zone 'UTC', 'YYYY_MM'));
      continue when to_regclass(v_name) is not null;
      -- The first partition of an older database reaches to the end of the month of its upgrade.
      continue when v_from < (select substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')
        from pg_class c where c.oid = to_regclass(v_table || '_before'));
      -- A column, though nobody reads it: over all shards Citus refuses a list of none.
      execute format('select exists (select 1 from %I where billing_no >= %L and billing_no < %L)',
        v_table || '_default', v_from, v_to) into v_is_taken;
      continue when v_is_taken;
      select array_to_string(reloptions || array[
          'autovacuum_analyze_threshold=' || c_quiet_rows,
          'autovacuum_vacuum_threshold=' || c_quiet_rows,
          'autovacuum_vacuum_insert_threshold=' || c_quiet_rows
        ], ', ') into v_options
        from pg_class where oid = (v_table || '_default')::regclass;
      execute format('create table %I (like %I including all) with (%s)', v_name, v_table, v_options);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_table, v_name, v_from, v_to);
      return next v_name;
    end loop;
  end loop;
  -- The oldest month without the guard of the archive, one at a time: each makes connections plan anew.
  if can_have_triggers('orders') then
    select substring(c.relname from '^orders_(.*)$') into v_unguarded
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
        cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as text) b
      where i.inhparent = 'orders'::regclass and b.text <> 'DEFAULT'
        and substring(b.text from 'TO \(''([^'']+)''\)') <= billing_no_at(p_now - interval '90 days')
        and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'archive_guard')
      order by substring(b.text from 'TO \(''([^'']+)''\)') limit 1;
    if found then
      begin
        perform guard_month(v_unguarded);
      exception when lock_not_available then
        null;  -- It is written; the next call comes in an hour.
      end;
    end if;
  end if;
end $$;
