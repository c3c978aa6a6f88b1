-- Players, sessions, orders, payments, deliveries, ledger.
-- Every table that grows with play has player_id in its primary key, so that it can be distributed by player; no foreign key crosses
-- players. The exceptions are listed in table_exception below, each with its reason; a test reads the catalogue and proves it.

create table table_exception (table_name text primary key, reason text not null);

-- ---------- players ----------
create table player (
  player_id   uuid primary key,
  brand_key   text not null,
  suid        text not null,               -- the user id that the game knows
  username    text not null,
  disabled_at timestamptz,
  created_at  timestamptz not null default now()
);

-- Who a login is: 'builtin' (subject = username in lower case), 'game' (subject = the game's user id), later identity providers.
create table player_identity (
  brand_key  text not null,
  provider   text not null,
  subject    text not null,
  player_id  uuid not null,
  created_at timestamptz not null default now(),
  primary key (brand_key, provider, subject)
);
insert into table_exception values ('player_identity', 'looked up before the player is known');

create table player_password (
  player_id  uuid primary key,
  hash       text not null,                -- PHC string, argon2id
  changed_at timestamptz not null default now()
);

create table session (
  token_hash     bytea primary key,        -- SHA-256 of the token; the token itself is nowhere
  public_id      text not null unique,     -- what the page keeps under the storage key "token"
  player_id      uuid not null,
  brand_key      text not null,
  kind           text not null check (kind in ('web', 'sdk', 'replenish')),
  auth_method    text not null,
  created_at     timestamptz not null default now(),
  seen_at        timestamptz not null default now(),
  idle_until     timestamptz not null,
  absolute_until timestamptz not null,
  revoked_at     timestamptz,
  revoke_reason  text
) with (fillfactor = 80);
create index session_by_player on session (player_id, created_at);
insert into table_exception values ('session', 'looked up by token before the player is known');

-- Characters the game has shown us for a player: an order is only placed for one of these.
create table player_role (
  player_id   uuid not null,
  client_id   text not null,
  server_id   text not null,
  area_id     text not null,
  role_id     text not null,
  name        text not null,
  level       integer not null,
  server_name text not null,
  seen_at     timestamptz not null default now(),
  primary key (player_id, client_id, server_id, area_id, role_id)
);

-- ---------- orders ----------
create table orders (
  player_id         uuid not null,
  billing_no        text not null,
  brand_key         text not null,
  mode              text not null check (mode in ('sandbox', 'live')),
  game_id           text not null,
  client_id         text not null,
  product_id        text not null,
  server_id         text not null,
  server_name       text not null,
  area_id           text not null,
  role_id           text not null,
  role_name         text not null,
  suid              text not null,
  username          text not null,
  product           jsonb not null,         -- names, art and gifts as sold
  amount_minor      bigint not null check (amount_minor > 0),
  currency          text not null,
  region            text not null,
  country           text not null,
  language          text not null,
  state             text not null check (state in ('created', 'pending', 'paid', 'delivering', 'delivered', 'review', 'refund_due', 'refunded', 'failed', 'expired', 'cancelled')),
  review_reason     text,
  is_late           boolean not null default false,
  current_attempt   integer not null default 1,
  created_at        timestamptz not null default now(),
  expires_at        timestamptz not null,
  paid_at           timestamptz,
  delivering_at     timestamptz,
  delivered_at      timestamptz,
  refunded_at       timestamptz,
  closed_at         timestamptz,
  primary key (player_id, billing_no)
) with (fillfactor = 70);
-- At most one unpaid order for a character and a product: the second tap finds the first.
create unique index orders_unpaid on orders (player_id, client_id, server_id, area_id, role_id, product_id) where state in ('created', 'pending');
create index orders_expiring on orders (expires_at) where state in ('created', 'pending');
create index orders_in_review on orders (created_at) where state in ('review', 'refund_due');

create table order_lookup (
  billing_no text primary key,
  player_id  uuid not null
);
insert into table_exception values ('order_lookup', 'a provider knows our order number, not our player');

create table payment_attempt (
  player_id        uuid not null,
  billing_no       text not null,
  attempt_no       integer not null,
  provider         text not null,
  channel_key      text not null,
  channel_name     jsonb not null,
  channel_id       text not null,
  amount_minor     bigint not null,
  currency         text not null,
  state            text not null check (state in ('sent', 'redirected', 'unknown', 'succeeded', 'failed', 'expired', 'mismatch', 'surplus')),
  is_replaced      boolean not null default false, -- the player chose another way; money may still come
  provider_ref     text,
  capture_ref      text,
  pay_url          text,
  payable_until    timestamptz not null,   -- after this moment, plus a margin, the provider takes no money any more
  approved_at      timestamptz,
  declined_at      timestamptz,            -- last refused try on the provider's page
  queried_at       timestamptz,
  next_query_at    timestamptz,
  query_count      integer not null default 0,
  exchange         jsonb not null default '{}', -- last raw exchange by verb, secrets masked
  created_at       timestamptz not null default now(),
  succeeded_at     timestamptz,
  primary key (player_id, billing_no, attempt_no)
) with (fillfactor = 70);
create index payment_attempt_due on payment_attempt (next_query_at) where state in ('sent', 'redirected', 'unknown');

create table provider_reference (
  provider     text not null,
  provider_ref text not null,
  player_id    uuid not null,
  billing_no   text not null,
  attempt_no   integer not null,
  primary key (provider, provider_ref)
);
insert into table_exception values ('provider_reference', 'a provider may name its own reference only');

create table idempotency (
  player_id   uuid not null,
  key         text not null,
  fingerprint text not null,
  billing_no  text,
  attempt_no  integer,
  answer      jsonb,                        -- null while the first call is running
  created_at  timestamptz not null default now(),
  primary key (player_id, key)
) with (fillfactor = 80);

-- ---------- reservations ----------
create table limit_counter (
  player_id  uuid not null,
  game_id    text not null,
  product_id text not null,
  subject    text not null,                 -- 'role:<client>/<area>/<server>/<role>' or 'game'
  period     text not null,                 -- 'ever' or 'd<days>:<number of the window>'
  used       integer not null,
  cap        integer not null,
  primary key (player_id, game_id, product_id, subject, period),
  check (used >= 0 and used <= cap)
) with (fillfactor = 70);

create table product_stock (
  game_id    text not null,
  product_id text not null,
  total      integer not null,
  used       integer not null default 0,
  primary key (game_id, product_id),
  check (used >= 0 and used <= total)
) with (fillfactor = 50);
insert into table_exception values ('product_stock', 'one number over all players');

create table reservation (
  player_id  uuid not null,
  billing_no text not null,
  kind       text not null check (kind in ('limit', 'stock')),
  game_id    text not null,
  product_id text not null,
  subject    text not null default '',
  period     text not null default '',
  cap        integer not null default 0,
  state      text not null default 'held' check (state in ('held', 'used', 'released')),
  primary key (player_id, billing_no, kind)
) with (fillfactor = 80);

-- ---------- delivery: this table is its own queue ----------
create table delivery (
  player_id  uuid not null,
  billing_no text not null,
  game_id    text not null,
  mode       text not null,
  state      text not null default 'queued' check (state in ('queued', 'calling', 'done', 'rejected', 'unknown', 'dead')),
  tries      integer not null default 0,
  next_at    timestamptz not null default now(),
  receipt_id text,
  last_error text,
  created_at timestamptz not null default now(),
  done_at    timestamptz,
  primary key (player_id, billing_no)
) with (fillfactor = 70);
create index delivery_due on delivery (next_at) where state in ('queued', 'calling', 'unknown');

-- ---------- ledger: append only, every booking sums to zero ----------
create table ledger_entry (
  player_id    uuid not null,
  billing_no   text not null,
  kind         text not null check (kind in ('paid', 'delivered', 'refunded', 'surplus', 'surplus_refunded')),
  attempt_no   integer not null,
  account      text not null check (account in ('provider_receivable', 'goods_owed', 'revenue', 'refund_owed')),
  amount_minor bigint not null,
  currency     text not null,
  created_at   timestamptz not null default now(),
  primary key (player_id, billing_no, kind, attempt_no, account)
);

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_append_only before update or delete on ledger_entry for each row execute function ledger_refuse_change();
create trigger ledger_never_emptied before truncate on ledger_entry execute function ledger_refuse_change();

create function ledger_check_balance() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_entry
    where player_id = new.player_id and billing_no = new.billing_no and kind = new.kind and attempt_no = new.attempt_no
    group by currency having sum(amount_minor) <> 0
  ) then
    raise exception 'booking % of order % does not sum to zero', new.kind, new.billing_no;
  end if;
  return null;
end $$;
create constraint trigger ledger_balanced after insert on ledger_entry deferrable initially deferred
  for each row execute function ledger_check_balance();

-- ---------- callbacks ----------
create table callback_inbox (
  provider    text not null,
  dedup_key   text not null,
  mode        text not null,
  reference   text,
  report      jsonb not null,
  headers     jsonb not null,
  body        text not null,
  state       text not null default 'stored' check (state in ('stored', 'applied', 'ignored', 'dead')),
  outcome     text,
  player_id   uuid,
  billing_no  text,
  tries       integer not null default 0,
  next_try_at timestamptz,
  received_at timestamptz not null default now(),
  applied_at  timestamptz,
  primary key (provider, dedup_key)
) with (fillfactor = 80);
create index callback_inbox_waiting on callback_inbox (next_try_at) where state = 'stored';
insert into table_exception values ('callback_inbox', 'arrives before the player is known');

-- A bad signature leaves a number and one sample a day, never unbounded rows.
create table callback_refused (
  provider    text not null,
  day         date not null,
  reason      text not null,
  count       bigint not null default 1,
  sample      text not null,
  last_at     timestamptz not null default now(),
  primary key (provider, day, reason)
);
insert into table_exception values ('callback_refused', 'nobody knows who sent it; one row a day and reason');

-- Counters of the rate limiter (rate-limiter-flexible's own shape).
create table rate_limit (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
insert into table_exception values ('rate_limit', 'counts addresses and names before a player is known');
