-- Ways in beside a login: tickets of game servers, tokens in page addresses, beta keys; and what guards the password.

alter table session
  add column entry_hash bytea,   -- the token in a page address that it was opened by: it ends with that one
  add column bound jsonb,        -- what it may pay for, {client_id, server_id?, area_id?, role_id?}; null: everything of its account
  add column beta_id uuid;       -- the beta key it was opened under; it counts beside that key only
create index session_by_entry on session (entry_hash) where entry_hash is not null;

-- A ticket of a game's server, or a question of ours whether to go on as another account. Taken once.
create table entry_pass (
  pass_hash  bytea primary key,      -- SHA-256; the text itself is with one browser only
  kind       text not null check (kind in ('ticket', 'switch')),
  brand_key  text not null,
  mode       text not null check (mode in ('sandbox', 'live')),
  player_id  uuid not null,
  bound      jsonb,
  entry_hash bytea,
  return_to  text not null default '/',
  message_id text unique,            -- game and webhook-id of the call that asked for a ticket: a call that is repeated gives no second one
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index entry_pass_by_age on entry_pass (expires_at);
insert into table_exception values ('entry_pass', 'looked up by a secret before the player is known; ten minutes old at most');

-- Super mode: whoever holds a key sees the shop as a beta user whose orders go to sandboxes.
create table beta_key (
  beta_id    uuid primary key,
  brand_key  text not null,
  key_hash   bytea not null unique,
  label      text not null check (length(label) between 1 and 80),
  issued_by  text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
insert into table_exception values ('beta_key', 'belongs to a brand, not to a player');

-- Failures of a login by account, whether such an account exists or not.
create table login_guard (
  account_hash  bytea primary key,
  failures      integer not null,
  blocked_until timestamptz not null,
  forget_at     timestamptz not null
) with (fillfactor = 80);
create index login_guard_by_age on login_guard (forget_at);
insert into table_exception values ('login_guard', 'counted before the player is known; a day old at most');

-- Browsers that logged in well: a stranger who fails on purpose does not lock these out.
create table known_device (
  account_hash bytea not null,
  device_hash  bytea not null,
  failures     integer not null default 0,
  seen_at      timestamptz not null default now(),
  primary key (account_hash, device_hash)
);
create index known_device_by_age on known_device (seen_at);
insert into table_exception values ('known_device', 'asked before the player is known');
