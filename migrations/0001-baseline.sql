-- Tables, indexes, constraints and reference data. Functions, views and triggers stand in server/modules/<noun>/sql/,
-- one a file.
-- Every table that grows with play has player_id in its primary key, so that it can be distributed by player; no
-- foreign key crosses
-- players. The exceptions are rows of table_exception, each with its reason; a test reads the catalogue and proves it.
--
-- Lists of states are one constant of an array ('{a,b}'::text[]): PostgreSQL reads the text of every check and
-- generated column anew for each
-- statement that writes the table, and a list of texts is long to read.

create table table_exception (
  table_name text not null,
  reason     text not null,
  primary key (table_name)
);

-- One row: which side this database serves. Nothing else says it: a process of the other side never opens this database.
create table shop_environment (
  is_only     boolean not null default true,
  environment text not null,
  primary key (is_only),
  constraint shop_environment_is_only_check check (is_only),
  constraint shop_environment_environment_check check (environment = any ('{demo,live}'::text[]))
);

create table player (
  player_id   uuid not null,
  brand_key   text not null,
  suid        text not null,  -- the user id that the game knows
  username    text not null,
  disabled_at timestamptz,
  created_at  timestamptz not null default now(),
  primary key (player_id)
);
-- An operator looks for players by name, and for orders and bookings by time. BRIN costs next to nothing on rows that
-- only ever come at the end.
create index player_by_name on player (lower(username));
create index player_by_suid on player (suid);

-- Who a login is: 'builtin' (subject = username in lower case), 'game' (subject = the game's user id), later identity
-- providers.
create table player_identity (
  brand_key  text not null,
  provider   text not null,
  subject    text not null,
  player_id  uuid not null,
  created_at timestamptz not null default now(),
  primary key (brand_key, provider, subject)
);
create index player_identity_by_player on player_identity (player_id);

create table player_password (
  player_id  uuid not null,
  hash       text not null,  -- PHC string, argon2id
  changed_at timestamptz not null default now(),
  primary key (player_id)
);

create table session (
  token_hash     bytea not null,  -- SHA-256 of the token; the token itself is nowhere
  public_id      text not null,  -- what the page keeps under the storage key "token"
  player_id      uuid not null,
  brand_key      text not null,
  kind           text not null,
  auth_method    text not null,
  created_at     timestamptz not null default now(),
  seen_at        timestamptz not null default now(),
  idle_until     timestamptz not null,
  absolute_until timestamptz not null,
  revoked_at     timestamptz,
  revoke_reason  text,
  link_token_hash bytea,  -- the token that it was opened by, in a page address or beside it: it ends with that one
  -- what it may pay for, {client_id, server_id?, area_id?, role_id?}; null: everything of its account
  bound          jsonb,
  -- handed out to a game's server by a ticket call: the only kind of token that may stand in a page address
  is_address_token boolean not null default false,
  beta_id        uuid,
  device         text not null default '',
  identity_hash  bytea,  -- SHA-256 of provider and subject that it was opened by; null: by other means
  primary key (token_hash),
  constraint session_device_check check (length(device) <= 60),
  constraint session_kind_check check (kind = any ('{web,sdk,replenish,api}'::text[])),
  constraint session_public_id_key unique (public_id)
) with (fillfactor=80);
create index session_by_link_token on session (link_token_hash) where link_token_hash is not null;
create index session_by_identity on session (identity_hash) 
  where identity_hash is not null and revoked_at is null;
create index session_by_player on session (player_id, created_at);

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

create table orders (
  player_id       uuid not null,
  billing_no      text not null,
  brand_key       text not null,
  game_id         text not null,
  client_id       text not null,
  product_id      text not null,
  server_id       text not null,
  server_name     text not null,
  area_id         text not null,
  role_id         text not null,
  role_name       text not null,
  suid            text not null,
  username        text not null,
  product         jsonb not null,  -- names, art and gifts as sold
  amount_minor    bigint not null,
  currency        text not null,
  region          text not null,
  country         text not null,
  language        text not null,
  state           text not null,
  review_reason   text,
  is_late         boolean not null default false,
  current_attempt integer not null default 1,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,  -- not paid by then: its payments are closed
  expiry_lease_until timestamptz,  -- a worker closes them until then
  paid_at         timestamptz,
  delivering_at   timestamptz,
  delivered_at    timestamptz,
  refunded_at     timestamptz,
  closed_at       timestamptz,
  discount_minor  bigint not null default 0,
  coupon_code     text,
  is_unpaid       boolean not null generated always as (state = any ('{created,pending}'::text[])) stored,
  needs_person    boolean not null generated always as (state = any ('{review,refund_due}'::text[])) stored,
  primary key (player_id, billing_no),
  constraint orders_amount_minor_check check (amount_minor > 0),
  constraint orders_discount_minor_check check (discount_minor >= 0),
  constraint orders_state_check check (
    state = any ('{created,pending,paid,delivering,delivered,review,refund_due,refunded,failed,expired,cancelled}'::text[])
  )
) with (fillfactor=70);
create index orders_by_time on orders using brin (created_at);
create index orders_expiring on orders (greatest(expires_at, expiry_lease_until))
  where is_unpaid and expires_at > '-infinity';
create index orders_in_review on orders (created_at) where needs_person;
-- At most one unpaid order for a character and a product: the second tap finds the first.
create unique index orders_unpaid on orders (player_id, client_id, server_id, area_id, role_id, product_id)
  where is_unpaid;

-- Every change of an order's state that there is; check_order_transition refuses all others. Equal to TRANSITIONS in
-- rules.ts, which says
-- by what and what for; a test compares the two.
create table order_transition (
  from_state text not null,
  to_state   text not null,
  primary key (from_state, to_state)
);
insert into order_transition (from_state, to_state) values
  ('cancelled', 'delivering'), ('cancelled', 'paid'), ('cancelled', 'refund_due'), ('cancelled', 'review'),
  ('created', 'cancelled'), ('created', 'delivering'), ('created', 'expired'), ('created', 'failed'),
    ('created', 'paid'), ('created', 'pending'), ('created', 'review'),
  ('delivered', 'refunded'),
  ('delivering', 'delivered'), ('delivering', 'refund_due'), ('delivering', 'refunded'), ('delivering', 'review'),
  ('expired', 'delivering'), ('expired', 'paid'), ('expired', 'refund_due'), ('expired', 'review'),
  ('failed', 'delivering'), ('failed', 'paid'), ('failed', 'refund_due'), ('failed', 'review'),
  ('paid', 'delivered'), ('paid', 'delivering'), ('paid', 'refund_due'), ('paid', 'refunded'), ('paid', 'review'),
  ('pending', 'cancelled'), ('pending', 'delivering'), ('pending', 'expired'), ('pending', 'failed'),
    ('pending', 'paid'), ('pending', 'review'),
  ('refund_due', 'refunded'),
  ('review', 'cancelled'), ('review', 'delivered'), ('review', 'delivering'), ('review', 'paid'),
    ('review', 'refund_due'), ('review', 'refunded');

create table order_lookup (
  billing_no text not null,
  player_id  uuid not null,
  primary key (billing_no)
);

create table payment_attempt (
  player_id         uuid not null,
  billing_no        text not null,
  attempt_no        integer not null,
  provider          text not null,
  channel_key       text not null,
  channel_name      jsonb not null,
  channel_id        text not null,
  amount_minor      bigint not null,
  currency          text not null,
  state             text not null,
  is_replaced       boolean not null default false,  -- the player chose another way; money may still come
  provider_ref      text,
  capture_ref       text,
  pay_url           text,
  payable_until     timestamptz not null,  -- after this moment, plus a margin, the provider takes no money any more
  approved_at       timestamptz,
  declined_at       timestamptz,  -- last refused try on the provider's page
  queried_at        timestamptz,  -- asked last, by whomever
  next_query_at     timestamptz,  -- next poll of the workers; while one of them asks, the end of its lease; null: none
  query_count       integer not null default 0,  -- polls of the workers, the one under way included
  capture_lease_until timestamptz,  -- one process takes the money until then
  exchange          jsonb not null default '{}',  -- last raw exchange by verb, secrets masked
  created_at        timestamptz not null default now(),
  succeeded_at      timestamptz,
  reported_minor    bigint,  -- what came in when it was not what was asked
  reported_currency text,
  unreadable_reason text,  -- the provider says paid in a shape we cannot read: why we could not
  approval          text,
  is_open           boolean not null generated always as (state = any ('{sent,redirected,unknown}'::text[])) stored,
  primary key (player_id, billing_no, attempt_no),
  constraint payment_attempt_state_check
    check (state = any ('{sent,redirected,unknown,succeeded,failed,expired,mismatch,overpayment}'::text[]))
) with (fillfactor=70);
create index payment_attempt_due on payment_attempt (next_query_at) where is_open and next_query_at > '-infinity';

create table provider_reference (
  provider     text not null,
  provider_ref text not null,
  player_id    uuid not null,
  billing_no   text not null,
  attempt_no   integer not null,
  primary key (provider, provider_ref)
);

create table idempotency (
  player_id   uuid not null,
  key         text not null,
  fingerprint text not null,
  billing_no  text,
  attempt_no  integer,
  answer      jsonb,  -- null while the first call is running
  created_at  timestamptz not null default now(),
  primary key (player_id, key)
) with (fillfactor=80);

create table limit_counter (
  player_id  uuid not null,
  game_id    text not null,
  product_id text not null,
  subject    text not null,  -- 'role:<client>/<area>/<server>/<role>' or 'game'
  period     text not null,  -- 'ever' or 'd<days>:<number of the window>'
  used       integer not null,
  cap        integer not null,
  primary key (player_id, game_id, product_id, subject, period),
  constraint limit_counter_check check (used >= 0 and used <= cap)
) with (fillfactor=70);

create table product_stock (
  game_id    text not null,
  product_id text not null,
  total      integer not null,
  used       integer not null default 0,
  primary key (game_id, product_id),
  constraint product_stock_check check (used >= 0 and used <= total)
) with (fillfactor=50);

create table reservation (
  player_id  uuid not null,
  billing_no text not null,
  kind       text not null,
  game_id    text not null,
  product_id text not null,
  subject    text not null default '',
  period     text not null default '',
  cap        integer not null default 0,
  state      text not null default 'held',
  primary key (player_id, billing_no, kind),
  constraint reservation_kind_check check (kind = any ('{limit,stock,coupon}'::text[])),
  constraint reservation_state_check check (state = any ('{held,used,released}'::text[]))
) with (fillfactor=80);

create table delivery (
  player_id  uuid not null,
  billing_no text not null,
  game_id    text not null,
  state      text not null default 'queued',
  tries      integer not null default 0,
  next_at    timestamptz not null default now(),
  receipt_id text,
  last_error text,
  created_at timestamptz not null default now(),
  done_at    timestamptz,
  primary key (player_id, billing_no),
  constraint delivery_state_check check (state = any ('{queued,calling,done,rejected,unknown,dead}'::text[]))
) with (fillfactor=70);
create index delivery_due on delivery (next_at) where state in ('queued', 'calling', 'unknown');

create table ledger_entry (
  player_id    uuid not null,
  billing_no   text not null,
  kind         text not null,
  attempt_no   integer not null,
  account      text not null,
  amount_minor bigint not null,
  currency     text not null,
  created_at   timestamptz not null default now(),
  primary key (player_id, billing_no, kind, attempt_no, account),
  constraint ledger_entry_account_check
    check (account = any ('{provider_receivable,goods_owed,revenue,refund_owed,chargeback_loss,promo}'::text[])),
  constraint ledger_entry_kind_check
    check (kind = any ('{paid,delivered,refunded,overpayment,overpayment_refunded,chargeback}'::text[]))
);
create index ledger_by_time on ledger_entry using brin (created_at);

create table callback_inbox (
  provider    text not null,
  dedup_key   text not null,
  reference   text,
  report      jsonb not null,
  headers     jsonb not null,
  body        text not null,
  state       text not null default 'stored',
  outcome     text,
  player_id   uuid,
  billing_no  text,
  tries       integer not null default 0,
  next_try_at timestamptz,
  lease_until timestamptz,  -- a worker applies it until then
  received_at timestamptz not null default now(),
  applied_at  timestamptz,
  -- Money whose order was not here at the first retry: a person was told then.
  unmatched_at timestamptz,
  primary key (provider, dedup_key),
  constraint callback_inbox_state_check check (state = any ('{stored,applied,ignored,dead}'::text[]))
) with (fillfactor=80);
create index callback_by_order on callback_inbox (billing_no) where billing_no is not null;
create index callback_inbox_waiting on callback_inbox (next_try_at) where state = 'stored';
create index callback_inbox_dead on callback_inbox (received_at) where state = 'dead';

-- A bad signature leaves a number and one sample a day, never unbounded rows.
create table callback_refused (
  provider text not null,
  day      date not null,
  reason   text not null,
  count    bigint not null default 1,
  sample   text not null,
  last_at  timestamptz not null default now(),
  primary key (provider, day, reason)
);

-- Counters of the rate limiter (rate-limiter-flexible's own shape).
create table rate_limit (
  key    varchar(255) not null,
  points integer not null default 0,
  expire bigint,
  primary key (key)
);

create table configuration (
  id         boolean not null default true,
  revision   bigint not null,
  applied_at timestamptz not null default now(),
  applied_by text not null,
  primary key (id),
  constraint configuration_id_check check (id)
);

-- json, not jsonb: the order in which regions and languages are listed is part of the configuration.
create table configuration_file (
  kind text not null,
  key  text not null,
  body json not null,
  primary key (kind, key),
  constraint configuration_file_kind_check check (kind = any ('{brand,game,channels}'::text[]))
);

-- One row an apply: who changed what, told in the lines of `refill plan`.
create table configuration_history (
  revision   bigint not null,
  applied_at timestamptz not null default now(),
  applied_by text not null,
  summary    text[] not null,
  primary key (revision)
);

create table refund (
  player_id           uuid not null,
  billing_no          text not null,
  attempt_no          integer not null,
  state               text not null default 'due',
  reason              text not null,
  requested_by        text not null,
  amount_minor        bigint not null,
  currency            text not null,
  tries               integer not null default 0,
  next_at             timestamptz not null default now(),
  provider_refund_ref text,
  last_error          text,
  created_at          timestamptz not null default now(),
  done_at             timestamptz,
  primary key (player_id, billing_no, attempt_no),
  constraint refund_amount_minor_check check (amount_minor > 0),
  constraint refund_state_check check (state = any ('{due,calling,pending,done,manual}'::text[]))
) with (fillfactor=80);
create index refund_due on refund (next_at) where state in ('due', 'calling', 'pending');

create table revocation (
  player_id  uuid not null,
  billing_no text not null,
  game_id    text not null,
  state      text not null default 'queued',
  reason     text not null,
  tries      integer not null default 0,
  next_at    timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  done_at    timestamptz,
  primary key (player_id, billing_no),
  constraint revocation_state_check check (state = any ('{queued,calling,done,declined,dead}'::text[]))
) with (fillfactor=80);
create index revocation_due on revocation (next_at) where state in ('queued', 'calling');

-- Every act of a person, append only.
create table audit_entry (
  id         bigint generated always as identity,
  at         timestamptz not null default now(),
  actor      text not null,
  act        text not null,
  billing_no text,
  details    jsonb not null default '{}',
  primary key (id)
);
create index audit_by_order on audit_entry (billing_no) where billing_no is not null;

-- The last look at the invariants, one row: any worker may take its turn, every process may tell of it.
create table invariant_check (
  is_the_row boolean not null default true,
  taken_at   timestamptz not null default '-infinity',  -- whoever moves this on does the check
  checked_at timestamptz,
  breaches   jsonb not null default '[]',
  primary key (is_the_row),
  constraint invariant_check_is_the_row_check check (is_the_row)
);

create table coupon (
  player_id     uuid not null,
  code          text not null,
  brand_key     text not null,
  name          jsonb not null,  -- language to text
  discount_rate numeric(7,6) not null,  -- the part of the price that is paid
  min_spend     jsonb not null default '{}',  -- currency to minor units of the price; none: any price
  games         text[] not null default '{}',  -- none: all games of the brand
  products      text[] not null default '{}',  -- none: all goods that take coupons
  valid_from    timestamptz not null default now(),
  valid_end     timestamptz not null,
  state         text not null default 'free',
  billing_no    text,  -- the order that holds it, or used it up
  taken_at      timestamptz,
  source        text not null,  -- who gave it and why: 'operator ...', 'vip ...'
  issue_key     text,  -- what must be given once only, e.g. a level's coupon of one month
  created_at    timestamptz not null default now(),
  primary key (player_id, code),
  constraint coupon_check check ((state = 'taken') = (billing_no is not null)),
  constraint coupon_check1 check (valid_from < valid_end),
  constraint coupon_discount_rate_check check (discount_rate > 0 and discount_rate < 1),
  constraint coupon_player_id_issue_key_key unique (player_id, issue_key),
  constraint coupon_state_check check (state = any ('{claimable,free,taken,void}'::text[]))
) with (fillfactor=80);

create table login_attempt (
  -- SHA-256 of what comes back from the provider; the text itself is with the browser only
  state_hash   bytea not null,
  browser_hash bytea not null,  -- SHA-256 of a cookie: who began it
  brand_key    text not null,
  kind         text not null,  -- google, ios, facebook, twitter, vk, huawei
  purpose      text not null,
  player_id    uuid,  -- of a link: whose account gets the identity
  client_id    text not null,  -- the game one logs in for
  app_id       text not null,  -- the brand's app at the provider
  redirect_uri text not null,
  kept         jsonb not null,  -- nonce, code verifier, request token: what the second half needs
  display      text not null,
  return_to    text not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  primary key (state_hash),
  constraint login_attempt_check check ((purpose = 'link') = (player_id is not null)),
  constraint login_attempt_return_to_check check (
    return_to ~ '^/([!-.0-[\]-~][!-[\]-~]*)?$' and split_part(return_to, '?', 1) !~ '/[.][.]?(/|$)'),
  constraint login_attempt_display_check check (display = any ('{popup,page}'::text[])),
  constraint login_attempt_purpose_check check (purpose = any ('{login,link,replenish}'::text[]))
);
create index login_attempt_by_age on login_attempt (expires_at);

create table gift_card_batch (
  batch_id    text not null,
  brand_key   text,  -- null: every brand of the shop
  channel     text not null,  -- the channel that takes it
  game_id     text,  -- null: every game of the brand
  product_id  text,  -- what the card is confirmed for; null: it only pays
  face_minor  bigint not null,
  currency    text not null,
  gems_number integer not null default 0,
  extra_gems  integer not null default 0,
  valid_from  timestamptz not null default now(),
  valid_to    timestamptz not null,
  issued_by   text not null,
  created_at  timestamptz not null default now(),
  primary key (batch_id),
  constraint gift_card_batch_channel_check check (channel = any ('{card,card43}'::text[])),
  constraint gift_card_batch_check check (valid_from < valid_to),
  constraint gift_card_batch_check1 check (product_id is null or game_id is not null),
  constraint gift_card_batch_extra_gems_check check (extra_gems >= 0),
  constraint gift_card_batch_face_minor_check check (face_minor > 0),
  constraint gift_card_batch_gems_number_check check (gems_number >= 0)
);

create table gift_card (
  card_id       text not null,  -- in clear: what support is told
  batch_id      text not null,
  password_hmac bytea not null,  -- HMAC-SHA256 under a key that is not in this database
  state         text not null default 'active',
  issued_to     uuid,  -- the player whose account it opens at login
  valid_to      timestamptz,  -- longer than its batch: a card that came back from a refund
  player_id     uuid,  -- who spent it, on which order
  billing_no    text,
  attempt_no    integer,
  spent_at      timestamptz,
  created_at    timestamptz not null default now(),
  rest_minor    bigint not null default 0,  -- what the order left of it went into the balance
  primary key (card_id),
  constraint gift_card_check check ((state = 'spent') = (billing_no is not null)),
  constraint gift_card_rest_minor_check check (rest_minor >= 0),
  constraint gift_card_state_check check (state = any ('{created,active,spent,void}'::text[]))
) with (fillfactor=80);
create index gift_card_by_batch on gift_card (batch_id);
create index gift_card_by_order on gift_card (billing_no) where billing_no is not null;

-- Every try with a card, whatever came of it; the card by a keyed hash of what was typed, for that may be anything.
create table card_try (
  id        bigint generated always as identity,
  at        timestamptz not null default now(),
  brand_key text not null,
  player_id uuid,
  ip        text not null,
  card_key  text not null,
  card_id   text,  -- only of cards that are there
  purpose   text not null,
  outcome   text not null,
  primary key (id),
  constraint card_try_purpose_check check (purpose = any ('{check,pay,confirm,login}'::text[]))
);
create index card_try_by_card on card_try (card_id, at) where card_id is not null;
create index card_try_by_player on card_try (player_id, at);

-- Failed attempts with prepaid cards: of an account within a quarter of an hour ('a:<player>') and a day ('d:<player>')
-- that begin with the first, and of a card ('c:<card key>') until it is locked out. max_failed_attempts() has the numbers.
create table card_failed_attempt (
  subject      text not null,
  attempts     integer not null,
  since        timestamptz not null default now(),
  card_id      text,  -- of 'c:': the card that is there, so that its count stays and support finds it
  lockouts     integer not null default 0,  -- how often the card was locked out: each time for longer
  locked_until timestamptz,
  primary key (subject)
) with (fillfactor=50);
create index card_failed_attempt_by_age on card_failed_attempt (since) where card_id is null;
create index card_failed_attempt_of_card on card_failed_attempt (card_id) where card_id is not null;

-- A way in by an address: a ticket of a game's server, or a question of ours whether to go on as its player. Redeemed once.
create table login_link (
  link_hash  bytea not null,  -- SHA-256 of the link token; the text itself is with one browser only
  kind       text not null,
  brand_key  text not null,
  player_id  uuid not null,
  bound      jsonb,
  link_token_hash bytea,  -- of a session's token in the address that the question is about
  return_to  text not null default '/',
  -- game and webhook-id of the call that asked for a ticket: a call that is repeated gives no second one
  message_id text,
  expires_at timestamptz not null,
  used_at    timestamptz,
  primary key (link_hash),
  constraint login_link_kind_check check (kind = any ('{ticket,question}'::text[])),
  constraint login_link_message_id_key unique (message_id),
  constraint login_link_return_to_check check (
    -- a path of ours as toOwnPath makes it: never another host, no dots, no backslashes, no control characters
    return_to ~ '^/([!-.0-[\]-~][!-[\]-~]*)?$' and split_part(return_to, '?', 1) !~ '/[.][.]?(/|$)')
);
create index login_link_by_age on login_link (expires_at);

-- Super mode: whoever holds a key is a beta user, with a record of its own, who sees what is marked beta before everybody else.
create table beta_key (
  beta_id    uuid not null,
  brand_key  text not null,
  key_hash   bytea not null,
  label      text not null,
  issued_by  text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (beta_id),
  constraint beta_key_key_hash_key unique (key_hash),
  constraint beta_key_label_check check (length(label) between 1 and 80)
);

-- Failures of a login by account, whether such an account exists or not.
create table login_guard (
  account_hash  bytea not null,
  failures      integer not null,
  blocked_until timestamptz not null,
  forget_at     timestamptz not null,
  primary key (account_hash)
) with (fillfactor=80);
create index login_guard_by_age on login_guard (forget_at);

-- Browsers that logged in well: a stranger who fails on purpose does not lock these out.
create table known_device (
  account_hash bytea not null,
  device_hash  bytea not null,
  failures     integer not null default 0,
  seen_at      timestamptz not null default now(),
  primary key (account_hash, device_hash)
);
create index known_device_by_age on known_device (seen_at);

create table wallet_account (
  player_id     uuid not null,
  currency      text not null,
  kind          text not null,  -- the first two are the player's
  balance_minor bigint not null default 0,
  primary key (player_id, currency, kind),
  constraint wallet_account_check check (kind not in ('paid', 'free') or balance_minor >= 0),
  constraint wallet_account_kind_check check (kind = any ('{paid,free,cash_in,bonus,sales,cards}'::text[]))
) with (fillfactor=60);

create table wallet_txn (
  player_id       uuid not null,
  txn_id          text not null,
  type            text not null,
  idempotency_key text not null,
  currency        text not null,
  amount_minor    bigint not null,
  billing_no      text,
  spends          text,  -- of a debit: what it took first
  reason          text not null,
  actor           text not null,
  created_at      timestamptz not null default now(),
  primary key (player_id, txn_id),
  constraint wallet_txn_amount_minor_check check (amount_minor > 0),
  constraint wallet_txn_player_id_idempotency_key_key unique (player_id, idempotency_key),
  constraint wallet_txn_spends_check check (spends = any ('{free_first,paid_first}'::text[])),
  constraint wallet_txn_type_check check (type = any ('{credit,debit,refund,card}'::text[]))
);
create index wallet_txn_by_order on wallet_txn (player_id, billing_no) where billing_no is not null;

create table wallet_entry (
  player_id     uuid not null,
  txn_id        text not null,
  kind          text not null,
  amount_minor  bigint not null,
  balance_after bigint not null,
  seq           bigint generated always as identity,  -- in the order of the account's balances
  primary key (player_id, txn_id, kind),
  constraint wallet_entry_amount_minor_check check (amount_minor <> 0)
);

-- What an operator's system calls a credit: once for ever, whoever it was for.
create table wallet_credit_reference (
  external_id text not null,
  fingerprint text not null,
  player_id   uuid not null,
  txn_id      text,
  primary key (external_id)
);

create table wallet_nonce (
  nonce text not null,
  at    timestamptz not null default now(),
  primary key (nonce)
);

-- A page of the brand's own host may ask a backup host for its player: cookies do not go there, so it shows a token of
-- a quarter of an hour
-- that leads to its session. What it leads to counts, so it ends with the session, at once.
create table backup_token (
  token_hash   bytea not null,  -- SHA-256; the token itself is in the memory of one page only
  session_hash bytea not null,  -- token_hash of the session
  expires_at   timestamptz not null,
  primary key (token_hash)
);
create index backup_token_by_age on backup_token (expires_at);

-- One row about the whole shop.
insert into invariant_check default values;

insert into table_exception (table_name, reason) values
  ('audit_entry', 'acts of operators, not of players'),
  ('backup_token', 'looked up by a secret before the player is known; a quarter of an hour old at most'),
  ('beta_key', 'belongs to a brand, not to a player'),
  ('callback_inbox', 'arrives before the player is known'),
  ('callback_refused', 'nobody knows who sent it; one row a day and reason'),
  ('card_failed_attempt', 'counts accounts and cards'),
  ('card_try', 'an audit over all cards and addresses'),
  ('configuration', 'one row: which revision the shop runs'),
  ('configuration_file', 'files of the operator, a few dozen'),
  ('configuration_history', 'one row an apply'),
  ('login_link', 'looked up by a secret before the player is known; ten minutes old at most'),
  ('gift_card', 'looked up by its number before anybody has spent it'),
  ('gift_card_batch', 'a few rows of the operator'),
  ('invariant_check', 'one row about the whole shop'),
  ('known_device', 'asked before the player is known'),
  ('login_attempt', 'begun before the player is known; ten minutes old at most'),
  ('login_guard', 'counted before the player is known; a day old at most'),
  ('order_lookup', 'a provider knows our order number, not our player'),
  ('order_transition', 'the same few rows for every shop'),
  ('player_identity', 'looked up before the player is known'),
  ('product_stock', 'one number over all players'),
  ('provider_reference', 'a provider may name its own reference only'),
  ('rate_limit', 'counts addresses and names before a player is known'),
  ('session', 'looked up by token before the player is known'),
  ('shop_environment', 'one row about the whole database'),
  ('wallet_credit_reference', 'an operator''s number may not be used for another player'),
  ('wallet_nonce', 'a quarter of an hour of the operator''s calls');
