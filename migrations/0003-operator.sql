-- What operators look back at.

-- The rows of configuration_file as this revision wrote them, so that a shop can go back to it. Null: an old revision, or
-- one that a version without this column applied.
alter table configuration_history add column files json;

-- Persons who are erased (decision 60): when, who asked for it, and what an account must not get back by it.

alter table player add column erased_at timestamptz;

-- A wish to be erased, one row each. It stays after the end, so that whoever has the number can see what came of it.
create table erasure (
  player_id         uuid not null,
  erasure_no        text not null,  -- "ER-" and 26 random letters: who has it may ask what came of it
  gives_up_balance  boolean not null,
  state             text not null default 'waiting',
  refusals          jsonb not null default '[]',  -- what stood in the way at the last try: {reason, billing_no}
  asked_at          timestamptz not null default now(),
  due_at            timestamptz not null,  -- until then it can be taken back
  next_at           timestamptz not null,  -- of a wish that waits: its next try, or the end of a worker's lease
  ended_at          timestamptz,
  primary key (player_id, erasure_no),
  constraint erasure_no_check check (erasure_no ~ '^ER-[0-9A-HJKMNP-TV-Z]{26}$'),
  constraint erasure_state_check check (state = any ('{waiting,done,withdrawn}'::text[])),
  constraint erasure_ended_check check ((state = 'waiting') = (ended_at is null))
);
create unique index erasure_by_no on erasure (erasure_no);
create unique index erasure_waits_once on erasure (player_id) where state = 'waiting';
create index erasure_due on erasure (next_at) where state = 'waiting';

-- What an account had used up when its person was erased: limits, bonuses, codes, rewards. The account is a keyed hash,
-- and so is whatever names a character; no row names the player that was, or an order.
create table account_guard (
  account_hash text not null,
  game_id      text not null,
  product_id   text not null,
  subject_hash text not null,
  period       text not null,
  used         bigint not null,
  erased_at    timestamptz not null default now(),
  primary key (account_hash, game_id, product_id, subject_hash, period)
);

-- The same, with the player that the account is after it came back.
create table carried_use (
  player_id    uuid not null,
  game_id      text not null,
  product_id   text not null,
  subject_hash text not null,
  period       text not null,
  used         bigint not null,
  primary key (player_id, game_id, product_id, subject_hash, period)
);

-- One row: the key of those hashes, made here and shown nowhere.
create table guard_key (
  is_only boolean not null default true,
  key     bytea not null,
  primary key (is_only),
  constraint guard_key_is_only_check check (is_only)
);
insert into guard_key (key) values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

insert into table_exception (table_name, reason) values
  ('account_guard', 'asked by the hash of an account before its new player is known'),
  ('guard_key', 'one row about the whole shop');

-- A balance that its player gives up with the account: booked out, to the shop.
alter table wallet_txn drop constraint wallet_txn_type_check;
alter table wallet_txn add constraint wallet_txn_type_check
  check (type = any ('{credit,debit,refund,card,forfeit}'::text[]));
alter table wallet_account drop constraint wallet_account_kind_check;
alter table wallet_account add constraint wallet_account_kind_check
  check (kind = any ('{paid,free,cash_in,bonus,sales,cards,forfeited}'::text[]));
