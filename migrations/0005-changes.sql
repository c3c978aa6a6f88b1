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

-- What follows a change of an order's state (unpaid_order, webhook_message) is written by the functions that change it
-- (note_order_move), no more by triggers: a table that is spread over machines can have none (decision 64).

drop trigger if exists unpaid_order_placed on orders;
drop trigger if exists unpaid_order_closed on orders;
drop trigger if exists order_event_noted on orders;
drop function if exists note_unpaid_order();
drop function if exists note_order_event();
-- A function of one order now (record_failed_delivery); no server calls it.
drop function if exists record_failed_deliveries(jsonb);
