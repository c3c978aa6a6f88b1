-- What the hourly look at the books has to read (decision 65).

-- A row for each step that changed something of a player, written in the step's transaction and taken out by the look
-- that has read the player since. A step that commits late brings its row with it, so none is missed.
create table player_change (
  player_id uuid not null,
  change_no bigint generated always as identity,
  primary key (player_id, change_no)
);

-- checked_at: the newest look of either kind.
alter table invariant_check
  add column changes_at timestamptz,  -- the last look at what had changed
  add column full_at timestamptz,     -- the last look at everything; until there is one, rows of before may be wrong
  add column full_on_replica boolean not null default false;

-- Processes of the shop that run now, and how many connections each may open: a row each, renewed while it runs.
create table running_process (
  process_id  uuid not null,
  role        text not null,
  host        text not null,
  connections integer not null,
  started_at  timestamptz not null default now(),
  seen_at     timestamptz not null default now(),
  primary key (process_id)
);
insert into table_exception (table_name, reason) values
  ('running_process', 'a row for each process of the shop');
