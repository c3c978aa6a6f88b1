-- The end of a month's partitions. The lock of their tables lasts for the moment of the commit; who cannot have it at
-- once is refused, and tries again.
create or replace function drop_month(p_month text) returns void language plpgsql set lock_timeout = '500ms' as $$
declare
  v_table text;
begin
  if p_month is null then
    raise exception 'drop_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  for v_table in select list_partitioned() loop
    if not exists (select from pg_trigger
        where tgrelid = to_regclass(v_table || '_' || p_month) and tgname = 'archive_frozen') then
      raise exception 'the month % is not frozen: what was written of it may have changed', p_month
        using errcode = 'object_not_in_prerequisite_state';
    end if;
    execute format('alter table %I detach partition %I', v_table, v_table || '_' || p_month);
    execute format('drop table %I', v_table || '_' || p_month);
  end loop;
end $$;
