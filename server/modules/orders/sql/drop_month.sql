-- The end of a month's partitions. All of their tables are locked before the first is touched: who took them one by one
-- would hold some while he waits for others, against orders that hold those and wait for these. Who cannot have them
-- at once is refused and tries again; until then orders wait for a twentieth of a second at most. Only by who holds the
-- month (hold_month), or of one that an archive of 0.2 has frozen (freeze_month).
create or replace function drop_month(p_month text) returns void language plpgsql set lock_timeout = '50ms' as $$
declare
  v_tables text[] := array(select list_partitioned());
  v_table text;
  v_is_held boolean;
begin
  if p_month is null then
    raise exception 'drop_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  v_is_held := exists (select from pg_locks
    where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and pid = pg_backend_pid()
      and classid = 7339458 and objid = archive_key('orders_' || p_month)::oid);
  foreach v_table in array v_tables loop
    if not v_is_held and not exists (select from pg_trigger
        where tgrelid = to_regclass(v_table || '_' || p_month) and tgname = 'archive_frozen') then
      raise exception 'the month % is not frozen: what was written of it may have changed', p_month
        using errcode = 'object_not_in_prerequisite_state';
    end if;
  end loop;
  -- Also the partition for what no month takes: what it may hold changes when a month goes.
  execute 'lock table ' || (select string_agg(format('only %I, only %I, only %I',
    t, t || '_default', t || '_' || p_month), ', ' order by t <> 'orders', t) from unnest(v_tables) as t);
  foreach v_table in array v_tables loop
    execute format('alter table %I detach partition %I', v_table, v_table || '_' || p_month);
    execute format('drop table %I', v_table || '_' || p_month);
  end loop;
end $$;
