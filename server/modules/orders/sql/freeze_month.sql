-- Lets no row of a month's partitions change, or again: as the archive of 0.2 does, which may be killed in between; ours
-- holds a month instead (hold_month). Who is writing one ends first: the lock of a new trigger waits
-- for them, and all are locked before the first trigger, as in drop_month. p_month: the name of its partitions after
-- the table's.
create or replace function freeze_month(p_month text, p_is_frozen boolean) returns void language plpgsql
  set lock_timeout = '50ms' as $$
declare
  v_partition text;
  -- Looked at first: also a trigger that is not there is dropped under the lock of its table.
  v_partitions text[] := array(select t || '_' || p_month from list_partitioned() as t
    where exists (select from pg_trigger
      where tgrelid = to_regclass(t || '_' || p_month) and tgname = 'archive_frozen') <> p_is_frozen
    order by t <> 'orders', t);
begin
  if num_nulls(p_month, p_is_frozen) > 0 then
    raise exception 'freeze_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if cardinality(v_partitions) = 0 then return; end if;
  execute format('lock table %s in %s mode', (select string_agg(quote_ident(p), ', ' order by n)
    from unnest(v_partitions) with ordinality as u(p, n)),
    case when p_is_frozen then 'share row exclusive' else 'access exclusive' end);
  foreach v_partition in array v_partitions loop
    if p_is_frozen then
      execute format('create trigger archive_frozen before insert or update or delete on %I '
        'for each row execute function archive_refuse_change()', v_partition);
    else
      execute format('drop trigger archive_frozen on %I', v_partition);
      -- Exchanges that ended meanwhile were passed over here (end_exchanges).
      update retention_end set reached = '{}' where what = 'exchanges' and reached <> '{}';
    end if;
  end loop;
end $$;
