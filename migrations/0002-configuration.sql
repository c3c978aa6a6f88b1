-- What the running shop sells: the checked files of brands/, games/ and channels/, written as a whole by `refill apply`.

create table configuration (
  id         boolean primary key default true check (id),
  revision   bigint not null,
  applied_at timestamptz not null default now(),
  applied_by text not null
);

-- json, not jsonb: the order in which regions and languages are listed is part of the configuration.
create table configuration_file (
  kind text not null check (kind in ('brand', 'game', 'channels')),
  key  text not null,
  body json not null,
  primary key (kind, key)
);

-- One row an apply: who changed what, told in the lines of `refill plan`.
create table configuration_history (
  revision   bigint primary key,
  applied_at timestamptz not null default now(),
  applied_by text not null,
  summary    text[] not null
);

-- Every replica learns of a new revision at once; polling finds it where notifications do not pass (PgBouncer).
create function notify_configuration() returns trigger language plpgsql as $$
begin
  perform pg_notify('refill_configuration', new.revision::text);
  return null;
end $$;

create trigger configuration_changed after insert or update on configuration
  for each row execute function notify_configuration();

insert into table_exception values
  ('configuration', 'one row: which revision the shop runs'),
  ('configuration_file', 'files of the operator, a few dozen'),
  ('configuration_history', 'one row an apply');
