-- Where an order came from, as its pay call said: utm_pay, traffic_source, did, session_id, session_time,
-- game_channel_id, platform. A stranger's words: shown to people and counted, never decided by.

alter table orders add column origin jsonb;

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

-- The method that the player chose, beside the channel that it was paid by. Empty for attempts from before there were methods.
alter table payment_attempt add column method text not null default '';

-- Both take the method now, and no server calls them: place_order does.
drop function if exists add_attempt(uuid, text, text, bigint, text, text, text, text, jsonb, text, interval, interval, jsonb,
  boolean, boolean);
drop function if exists insert_attempt(uuid, text, integer, text, text, jsonb, text, bigint, text, interval);

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

-- VIP: points that a player earns with the price of orders, and the coupons of levels (decision 33).

-- What the price of the order is worth when it is delivered. Null: the brand had no VIP programme, or the order is from before.
alter table orders add column points bigint;
-- How much of the price went back, by refund or chargeback. Null: nothing; the points of it are not kept.
alter table orders add column refunded_minor bigint;

-- Append only: a player's points are the sum. Written by the step that books the delivery, the refund or the chargeback.
create table points_entry (
  player_id  uuid not null,
  billing_no text not null,  -- empty: given or taken by an operator
  kind       text not null,
  entry_no   integer not null,  -- counts the entries of one order, or those of operators
  points     bigint not null,
  created_at timestamptz not null default now(),
  primary key (player_id, billing_no, kind, entry_no),
  constraint points_entry_kind_check check (kind = any ('{delivered,refunded,chargeback,operator}'::text[])),
  constraint points_entry_points_check check (points <> 0),
  constraint points_entry_operator_check check ((kind = 'operator') = (billing_no = ''))
);

-- Of a level's coupon: the points that its holder must have. With fewer it is withdrawn, unless an order has it.
alter table coupon add column need_points bigint;

-- Rewards: goods that nobody paid for, handed over by a grant of their own. A row is its own delivery, like a row of
-- the table delivery: leased, called, retried, and it stays as the proof that the reward was given.

create table reward (
  player_id  uuid not null,
  reward_no  text not null,  -- key of the grant; never the shape of an order's number
  -- "event/<game>/<activity>/<step>": given once to a player
  issue_key  text not null,
  brand_key  text not null,
  game_id    text not null,
  client_id  text not null,
  server_id  text not null,
  area_id    text not null,
  role_id    text not null,
  role_name  text not null,
  suid       text not null,
  product_id text not null,
  gifts      jsonb not null,
  title      jsonb not null,
  -- What it was given for, as the files said then: the files change, and this must still be recomputed from the orders.
  basis      jsonb not null,
  state      text not null default 'queued',
  tries      integer not null default 0,
  next_at    timestamptz not null default now(),
  receipt_id text,
  last_error text,
  created_at timestamptz not null default now(),
  done_at    timestamptz,
  primary key (player_id, reward_no),
  constraint reward_no_check check (reward_no ~ '^RW-[0-9A-HJKMNP-TV-Z]{26}$'),
  constraint reward_state_check check (state = any ('{queued,calling,done,rejected,unknown,dead}'::text[]))
) with (fillfactor=70);
-- Once: a certain no of the game gives the step back, to be received again under another number.
create unique index reward_once on reward (player_id, issue_key) where state <> 'rejected';
create index reward_due on reward (next_at) where state in ('queued', 'calling', 'unknown');
create index reward_by_time on reward using brin (created_at);

-- Promo codes, shares of creators, first-purchase bonuses (decision 36).

-- The promo code that the order was placed with, the creator whose code it is, and their share of the price.
alter table orders add column promo_code text;
alter table orders add column creator text;
alter table orders add column share_minor bigint;
-- For the report by code. Most orders have none.
create index orders_by_promo_code on orders (brand_key, promo_code, created_at) where promo_code is not null;

-- What an order holds: now also the use of a promo code, and the bonus of a first purchase (a limit_counter of one).
alter table reservation drop constraint reservation_kind_check;
alter table reservation add constraint reservation_kind_check
  check (kind = any ('{limit,stock,coupon,code,bonus}'::text[]));

-- How often a code is used, over all players; made with its first use. The limits are those of the last use.
create table promo_code (
  brand_key  text not null,
  code       text not null,
  used       integer not null default 0,
  total      integer,  -- null: as often as anybody likes
  per_player integer,
  primary key (brand_key, code),
  constraint promo_code_used_check check (used >= 0 and used <= total)
) with (fillfactor=50);

insert into table_exception (table_name, reason) values
  ('promo_code', 'one number over all players');

-- Append only: what a creator has earned is the sum. Written by the step that books the delivery, the refund or the
-- chargeback, as points are.
create table creator_entry (
  player_id    uuid not null,
  billing_no   text not null,
  kind         text not null,
  entry_no     integer not null,  -- counts the entries of one order
  brand_key    text not null,
  creator      text not null,
  amount_minor bigint not null,
  currency     text not null,
  created_at   timestamptz not null default now(),
  primary key (player_id, billing_no, kind, entry_no),
  constraint creator_entry_amount_minor_check check (amount_minor <> 0),
  constraint creator_entry_kind_check check (kind = any ('{delivered,refunded,chargeback}'::text[]))
);
create index creator_entry_by_time on creator_entry using brin (created_at);

-- It takes the promo code and the bonus now, and no server calls it: place_order does.
drop function if exists reserve_goods(uuid, text, text, text, text, bigint, text, text, jsonb, boolean, jsonb, jsonb);

-- The gift tab shows a player the cards that they spent.

create index gift_card_by_player on gift_card (player_id, spent_at) where player_id is not null;

-- Make-up payments: what a player pays so that the game unblocks the account (decision 0039).

create table replenish (
  replenish_id text not null,  -- the link carries it, and the game is told it
  player_id    uuid not null,
  brand_key    text not null,
  game_id      text not null,
  client_id    text not null,
  amount_minor bigint not null,
  currency     text not null,
  reason       text not null,
  opened_by    text not null,  -- an operator, or 'game'
  reference    text,  -- number that whoever opened it has for it: opened once
  state        text not null default 'open',  -- taken: an order sells it, unpaid or paid
  billing_no   text,
  expires_at   timestamptz not null,  -- no order is placed after this; one that stands may still be paid
  created_at   timestamptz not null default now(),
  told_late_at timestamptz,  -- the alarm for an unblock that takes too long was given
  primary key (replenish_id),
  constraint replenish_id_check check (replenish_id ~ '^RP-[0-9A-HJKMNP-TV-Z]{26}$'),
  constraint replenish_amount_minor_check check (amount_minor > 0),
  constraint replenish_state_check check (state = any ('{open,taken,closed}'::text[])),
  constraint replenish_taken_check check ((state = 'taken') = (billing_no is not null))
);
create unique index replenish_once on replenish (brand_key, game_id, reference) where reference is not null;
create index replenish_by_player on replenish (player_id, created_at);
create index replenish_by_order on replenish (billing_no) where billing_no is not null;

alter table orders add column replenish_id text;
create index orders_by_replenish on orders (player_id, replenish_id) where replenish_id is not null;

alter table reservation drop constraint reservation_kind_check;
alter table reservation
  add constraint reservation_kind_check check (kind = any ('{limit,stock,coupon,code,bonus,replenish}'::text[]));

insert into table_exception (table_name, reason) values
  ('replenish', 'looked up by its link before the player is known; few, and one a case of customer service');

-- What the law and the player allow (decisions 40 to 42): who is verified, how old a player is, and how much may be spent.

-- The rules that an order was placed under, as payer_refusal and cap_refusal read them: money that comes late is
-- measured by the same ones. Null: the order is from before.
alter table orders add column payer_rules jsonb;

-- What the player confirmed beside the button that pays: {version, language, terms}. Null: the area wants nothing.
alter table orders add column accepted jsonb;

-- That a real name was checked, by whom and when. Never the name itself, nor a document.
create table real_name (
  player_id  uuid not null,
  state      text not null,
  source     text not null,  -- 'game:<game_id>' or 'operator'
  asked_at   timestamptz not null default now(),  -- sent to the check last
  decided_at timestamptz,
  primary key (player_id),
  constraint real_name_state_check check (state = any ('{started,verified,refused}'::text[])),
  constraint real_name_decided_check check ((state = 'started') = (decided_at is null))
);

-- What a player said of their age, once. Only support changes it.
create table age_declaration (
  player_id    uuid not null,
  birth_year   integer not null,
  birth_month  integer not null,
  has_consent  boolean not null,  -- of parent or guardian; asked of minors alone
  declared_at  timestamptz not null default now(),
  changed_by   text,  -- the operator who changed it; null: the player's own word
  primary key (player_id),
  constraint age_declaration_year_check check (birth_year between 1900 and 2200),
  constraint age_declaration_month_check check (birth_month between 1 and 12)
);

-- How much a player wants to spend at most. A higher cap waits in next_*; one that has come counts from then on.
create table spending_cap (
  player_id      uuid not null,
  currency       text not null,
  period         text not null,
  cap_minor      bigint,  -- null: none
  next_cap_minor bigint,  -- null with next_at: none from then on
  next_at        timestamptz,
  primary key (player_id, currency, period),
  constraint spending_cap_period_check check (period = any ('{day,week,month}'::text[])),
  constraint spending_cap_cap_minor_check check (cap_minor >= 0),
  constraint spending_cap_next_cap_minor_check check (next_cap_minor >= 0)
);

create table spending_pause (
  player_id    uuid not null,
  paused_until timestamptz not null,
  primary key (player_id)
);

-- Codes that a game shows, to be typed on another device: a third way in by a link (decision 35). The hash is of the code alone, which
-- is short: nothing can be done with it after five minutes, and a dump is older.
alter table login_link drop constraint login_link_kind_check;
alter table login_link add constraint login_link_kind_check check (kind = any ('{ticket,code,question}'::text[]));

-- Offers: another price of one product for one player, until a moment. A row of coupon whose `prices` say what is to
-- pay, so it is taken, held, given back and counted as a coupon is (decision 37).

alter table coupon
  alter column discount_rate drop not null,
  -- Of an offer: minor units by currency. Null: a coupon, whose discount_rate says it.
  add column prices jsonb,
  add constraint coupon_prices_check check ((prices is null) = (discount_rate is not null)),
  -- The codes of offers and of coupons cannot be taken for each other, and a pay call says which it means.
  add constraint coupon_code_check check ((prices is not null) = starts_with(code, 'offer:'));

-- The newest backup, one row: written when one is complete, so that every process can tell its age.
create table backup_record (
  is_the_row boolean not null default true,
  taken_at   timestamptz not null,  -- the moment whose state it holds
  kind       text not null,
  bytes      bigint not null,
  primary key (is_the_row),
  constraint backup_record_is_the_row_check check (is_the_row),
  constraint backup_record_kind_check check (kind = any ('{dump,base}'::text[])),
  constraint backup_record_bytes_check check (bytes > 0)
);

insert into table_exception (table_name, reason) values
  ('backup_record', 'one row about the whole shop');

-- The number of the call that failed, as log and trace have it; empty: no call, or one of a backup host.
alter table error_report add column request text not null default '';

-- Outgoing webhooks (decision 49): which systems of the operator hear of orders, and what each of them is to be told.

create table webhook_endpoint (
  endpoint_id         text not null,  -- "WE-" and a ULID
  url                 text not null,
  types               text[] not null,  -- events that it is told
  brand_key           text,  -- null: of every brand
  -- Which secret signs. The secret itself is made of REFILL_KEY_SECRETS and stands nowhere; the hash tells of which.
  secret_no           integer not null default 1,
  secret_hash         bytea not null,
  -- After a rotation the secret before signs as well, for a while.
  previous_hash       bytea,
  previous_until      timestamptz,
  created_by          text not null,
  created_at          timestamptz not null default now(),
  failing_since       timestamptz,  -- null: the last call was answered well
  disabled_at         timestamptz,
  primary key (endpoint_id),
  constraint webhook_endpoint_id_check check (endpoint_id ~ '^WE-[0-9A-HJKMNP-TV-Z]{26}$'),
  constraint webhook_endpoint_types_check check (cardinality(types) > 0),
  constraint webhook_endpoint_previous_check check ((previous_hash is null) = (previous_until is null))
);

insert into table_exception (table_name, reason) values
  ('webhook_endpoint', 'systems of the operator, a handful');

-- One event for one endpoint, written with the event itself; the row is its own queue. Rows go after 30 days.
create table webhook_message (
  player_id   uuid not null,
  message_id  text not null,  -- header webhook-id, the same in every try
  endpoint_id text not null,
  type        text not null,
  billing_no  text not null,
  data        jsonb not null,  -- of the order as it was then
  state       text not null default 'queued',
  tries       integer not null default 0,
  next_at     timestamptz not null,  -- infinity while the endpoint is disabled
  last_status integer,  -- null: no answer
  last_error  text,
  created_at  timestamptz not null default now(),
  done_at     timestamptz,
  primary key (player_id, message_id),
  constraint webhook_message_state_check check (state = any ('{queued,calling,done,dead}'::text[]))
) with (fillfactor=80);
-- A lane for each endpoint: one that hangs holds up no other.
create index webhook_message_due on webhook_message (endpoint_id, next_at) where state in ('queued', 'calling');
create index webhook_message_of_endpoint on webhook_message (endpoint_id, created_at, message_id);

-- What providers kept of each movement of money, as their settlement files say (`refill reconcile`); for the report of fees. No booking.

create table settlement_fee (
  player_id  uuid not null,
  billing_no text not null,
  attempt_no integer not null,
  movement   text not null,
  provider   text not null,
  fee_minor  bigint not null,  -- below zero: given back
  currency   text not null,
  at         timestamptz not null,  -- of the movement, by the file
  primary key (player_id, billing_no, attempt_no, movement, currency),
  constraint settlement_fee_movement_check check (movement = any ('{payment,refund,chargeback}'::text[]))
);
create index settlement_fee_by_time on settlement_fee using brin (at);

-- Keys of the admin API (decision 48): whose calls are answered, for what, until when.

create table admin_key (
  key_id      text not null,  -- "AK-" and a ULID
  name        text not null,  -- of the audit lines
  scopes      text[] not null,
  -- Of the secret, which is made of REFILL_KEY_SECRETS and stands nowhere.
  secret_hash bytea not null,
  created_by  text not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  seen_at     timestamptz,  -- to the minute
  primary key (key_id),
  constraint admin_key_id_check check (key_id ~ '^AK-[0-9A-HJKMNP-TV-Z]{26}$'),
  constraint admin_key_name_check check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  constraint admin_key_scopes_check check (scopes <@ '{read,support,finance,admin}'::text[] and cardinality(scopes) > 0)
);

-- Calls of a day by their id: a read is answered once, an act once carried out and then answered the same again.
create table admin_call (
  key_id      text not null,
  call_id     text not null,
  fingerprint bytea not null,  -- of what was asked
  status      integer,  -- null: not answered yet
  answer      jsonb,
  at          timestamptz not null default now(),
  primary key (key_id, call_id)
);
create index admin_call_by_age on admin_call (at);

insert into table_exception (table_name, reason) values
  ('admin_key', 'keys of the operator, a handful'),
  ('admin_call', 'calls of the operator''s systems in a day, not of players');
