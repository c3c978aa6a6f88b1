-- Puts the guard of the archive (archive_guard_month) on those partitions of a month that lack it; answers how many did.
-- Months get it long before they are archived (make_partitions): after a new trigger every connection plans all its
-- statements anew, which orders would feel. All are locked before the first trigger, as in drop_month.
create or replace function guard_month(p_month text) returns integer language plpgsql set lock_timeout = '50ms' as $$
declare
  v_partition text;
  v_partitions text[] := array(select t || '_' || p_month from list_partitioned() as t
    where to_regclass(t || '_' || p_month) is not null and not exists (select from pg_trigger
      where tgrelid = to_regclass(t || '_' || p_month) and tgname = 'archive_guard')
    order by t <> 'orders', t);
begin
  if p_month is null then
    raise exception 'guard_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if cardinality(v_partitions) = 0 then return 0; end if;
  execute format('lock table %s in share row exclusive mode', (select string_agg(quote_ident(p), ', ' order by n)
    from unnest(v_partitions) with ordinality as u(p, n)));
  foreach v_partition in array v_partitions loop
    execute format('create trigger archive_guard before insert or update or delete on %I '
      'for each row execute function archive_guard_month()', v_partition);
  end loop;
  return cardinality(v_partitions);
end $$;
