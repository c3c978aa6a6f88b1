-- Pictures of games and brands in the sizes that a page asks for. Which file of the configuration they were made of is told by rows
-- of configuration_file of the kind picture; the bytes lie here under the hash of their content, so any process serves them for ever.

alter table configuration_file drop constraint configuration_file_kind_check;
alter table configuration_file
  add constraint configuration_file_kind_check check (kind = any ('{brand,game,channels,picture}'::text[]));

create table picture_file (
  hash text not null,
  media_type text not null,
  bytes bytea not null,
  -- Since when no applied picture names it; a page that is still open may ask for it another day.
  unused_since timestamptz,
  constraint picture_file_pkey primary key (hash)
);
-- AVIF and WebP are compressed already.
alter table picture_file alter column bytes set storage external;

insert into table_exception (table_name, reason) values
  ('picture_file', 'pictures of the operator, a few hundred');
