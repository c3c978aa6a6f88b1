-- Of a month that is just being archived: what is written into its files must be what is dropped. Whoever brings a
-- change is refused and tries again, as with any fault; it may last as long as files are written.
create or replace function archive_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the month of this order is being archived' using errcode = 'object_not_in_prerequisite_state';
end $$;
