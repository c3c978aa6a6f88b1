-- Built files of the storefront, by name and so by content: any replica serves those of the others' release (decision 27).

create table storefront_file (
  -- "assets/main-BTQO_Pxe.js": the name carries a hash of the content, so a row never changes.
  path text primary key,
  -- Brotli.
  body bytea not null,
  -- A running release says once an hour that its files are in use.
  seen_at timestamptz not null default now()
);
-- Compressed already.
alter table storefront_file alter column body set storage external;

insert into table_exception (table_name, reason) values
  ('storefront_file', 'built files of the releases of a day, some hundred each');
