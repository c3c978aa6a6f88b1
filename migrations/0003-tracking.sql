-- What pages tell: moments of visits, and faults they met. Both come from anybody who can reach the shop, and hold nobody's name.

-- Appended to by every visit, read by the export. Rows go after thirteen months, never change.
create table track_event (
  event_no       bigint not null generated always as identity,
  brand_key      text not null,
  event          text not null,  -- name of the moment, or 'visit'
  id             text not null,  -- WEBPAY-..., or the number that the specification gives
  data           jsonb not null,
  app_id         text not null,
  event_id       text not null,
  uuid           text not null,  -- of the browser, made up by it
  did            text not null,
  session_id     text not null,
  session_time   timestamptz,
  traffic_source text not null,
  at             timestamptz,  -- by the clock of the browser
  received_at    timestamptz not null default now(),
  primary key (event_no)
);
-- The export reads a span of it, and what is too old goes by it.
create index track_event_by_time on track_event (received_at);

create table error_report (
  reference   text not null,  -- what the player can quote
  brand_key   text not null,
  kind        text not null,
  path        text not null,  -- of the call, without its query
  code        integer not null,
  page        text not null,  -- path of the page, without its query
  language    text not null,
  build       text not null,
  note        text not null,  -- in the player's words; empty for none
  at          timestamptz,  -- by the clock of the browser
  received_at timestamptz not null default now(),
  primary key (brand_key, reference),
  constraint error_report_kind_check check (kind = any ('{network,script,player}'::text[])),
  constraint error_report_note_check check (length(note) <= 1000)
);
create index error_report_by_time on error_report (received_at);

insert into table_exception (table_name, reason) values
  ('track_event', 'a visit is nobody''s: no player is told'),
  ('error_report', 'sent by whoever meets a fault, logged in or not');
