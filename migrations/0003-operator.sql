-- What operators look back at.

-- The rows of configuration_file as this revision wrote them, so that a shop can go back to it. Null: an old revision, or
-- one that a version without this column applied.
alter table configuration_history add column files json;

-- What is over ends by itself (docs/privacy.md). One row for each kind of end: any worker may take its turn, and whoever
-- looks sees when it was through last.
create table retention_end (
  what     text not null,
  taken_at timestamptz not null default '-infinity',  -- whoever moves this on does the round
  done_at  timestamptz,  -- end of the last round that was done whole
  ended    bigint not null default 0,  -- rows, over all rounds
  -- Of provider exchanges alone: which spans the walk below went by, and for each of them the last order it came to.
  days     jsonb,
  reached  jsonb not null default '{}',
  primary key (what)
);

insert into table_exception (table_name, reason) values
  ('retention_end', 'a dozen rows about the whole shop');

-- By time, for what ends. None is on a column that changes often, so updates of these rows stay as cheap as they were.
create index session_by_end on session (absolute_until);
create index session_by_revoked on session (revoked_at) where revoked_at is not null;
create index card_try_by_time on card_try (at);
create index callback_inbox_by_time on callback_inbox (received_at);
create index idempotency_by_time on idempotency (created_at);
