-- Refuses a change of a month that is held for the archive (hold_month): what is written into its files must be what is
-- dropped. Whoever brings it is refused and tries again, as with any fault; it may last as long as files are written.
-- The shared lock makes the archive wait for who was writing before it came.
create or replace function archive_guard_month() returns trigger language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(7339458, archive_key(tg_table_name)) then
    raise exception 'the month of this order is being archived' using errcode = 'object_not_in_prerequisite_state';
  end if;
  return coalesce(new, old);
end $$;
