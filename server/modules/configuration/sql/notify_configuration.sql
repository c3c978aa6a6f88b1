-- Every replica learns of a new revision at once; polling finds it where notifications do not pass (PgBouncer).
create or replace function notify_configuration() returns trigger language plpgsql as $$
begin
  perform pg_notify('refill_configuration', new.revision::text);
  return null;
end $$;

do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'configuration'::regclass and tgname = 'configuration_changed')
  then
    create trigger configuration_changed after insert or update on configuration
      for each row execute function notify_configuration();
  end if;
end $$;
