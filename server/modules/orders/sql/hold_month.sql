-- Lets no row of a month change until this transaction ends, however it ends. Who is writing one ends first. No table is
-- locked and nothing is defined, so orders of other months feel nothing of it. Only of a month that is guarded
-- (guard_month).
create or replace function hold_month(p_month text) returns void language plpgsql as $$
declare
  v_table text;
begin
  if p_month is null then
    raise exception 'hold_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  for v_table in select list_partitioned() loop
    if not exists (select from pg_trigger
        where tgrelid = to_regclass(v_table || '_' || p_month) and tgname = 'archive_guard') then
      raise exception 'the month % is not guarded: nobody would be kept from changing it', p_month
        using errcode = 'object_not_in_prerequisite_state';
    end if;
  end loop;
  perform pg_advisory_xact_lock(7339458, archive_key('orders_' || p_month));
end $$;
