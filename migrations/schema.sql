-- The migrations and the files of functions and views make this together, for readers: nothing applies it.
-- Written by `npm run dump -- schema`.
set check_function_bodies = off;

create table account_guard (
  account_hash text not null,
  game_id text not null,
  product_id text not null,
  subject_hash text not null,
  period text not null,
  used bigint not null,
  erased_at timestamp with time zone default now() not null,
  constraint account_guard_pkey PRIMARY KEY (account_hash, game_id, product_id, subject_hash, period)
);

create table admin_call (
  key_id text not null,
  call_id text not null,
  fingerprint bytea not null,
  status integer,
  answer jsonb,
  at timestamp with time zone default now() not null,
  constraint admin_call_pkey PRIMARY KEY (key_id, call_id)
);

create table admin_key (
  key_id text not null,
  name text not null,
  scopes text[] not null,
  secret_hash bytea not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  seen_at timestamp with time zone,
  constraint admin_key_pkey PRIMARY KEY (key_id),
  constraint admin_key_id_check CHECK ((key_id ~ '^AK-[0-9A-HJKMNP-TV-Z]{26}$'::text)),
  constraint admin_key_name_check CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'::text)),
  constraint admin_key_scopes_check CHECK (((scopes <@ '{read,support,finance,admin}'::text[]) AND (cardinality(scopes) > 0)))
);

create table age_declaration (
  player_id uuid not null,
  birth_year integer not null,
  birth_month integer not null,
  has_consent boolean not null,
  declared_at timestamp with time zone default now() not null,
  changed_by text,
  constraint age_declaration_pkey PRIMARY KEY (player_id),
  constraint age_declaration_month_check CHECK (((birth_month >= 1) AND (birth_month <= 12))),
  constraint age_declaration_year_check CHECK (((birth_year >= 1900) AND (birth_year <= 2200)))
);

create table archived_buyer (
  player_id uuid not null,
  orders bigint not null,
  constraint archived_buyer_pkey PRIMARY KEY (player_id)
);

create table archived_month (
  month text not null,
  from_no text not null,
  to_no text not null,
  folder text not null,
  manifest_sha256 text not null,
  orders bigint not null,
  archived_by text not null,
  archived_at timestamp with time zone default now() not null,
  constraint archived_month_pkey PRIMARY KEY (month)
);

create table audit_entry (
  id bigint generated always as identity,
  at timestamp with time zone default now() not null,
  actor text not null,
  act text not null,
  billing_no text,
  details jsonb default '{}'::jsonb not null,
  constraint audit_entry_pkey PRIMARY KEY (id)
);

create table backup_record (
  is_the_row boolean default true not null,
  taken_at timestamp with time zone not null,
  kind text not null,
  bytes bigint not null,
  constraint backup_record_pkey PRIMARY KEY (is_the_row),
  constraint backup_record_bytes_check CHECK ((bytes > 0)),
  constraint backup_record_is_the_row_check CHECK (is_the_row),
  constraint backup_record_kind_check CHECK ((kind = ANY ('{dump,base}'::text[])))
);

create table backup_token (
  token_hash bytea not null,
  session_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint backup_token_pkey PRIMARY KEY (token_hash)
);

create table beta_key (
  beta_id uuid not null,
  brand_key text not null,
  key_hash bytea not null,
  label text not null,
  issued_by text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint beta_key_pkey PRIMARY KEY (beta_id),
  constraint beta_key_key_hash_key UNIQUE (key_hash),
  constraint beta_key_label_check CHECK (((length(label) >= 1) AND (length(label) <= 80)))
);

create table callback_inbox (
  provider text not null,
  dedup_key text not null,
  reference text,
  report jsonb not null,
  headers jsonb not null,
  body text not null,
  state text default 'stored'::text not null,
  outcome text,
  player_id uuid,
  billing_no text,
  tries integer default 0 not null,
  next_try_at timestamp with time zone,
  lease_until timestamp with time zone,
  received_at timestamp with time zone default now() not null,
  applied_at timestamp with time zone,
  unmatched_at timestamp with time zone,
  constraint callback_inbox_pkey PRIMARY KEY (provider, dedup_key),
  constraint callback_inbox_state_check CHECK ((state = ANY ('{stored,applied,ignored,dead}'::text[])))
) with (fillfactor=80);

create table callback_refused (
  provider text not null,
  day date not null,
  reason text not null,
  count bigint default 1 not null,
  sample text not null,
  last_at timestamp with time zone default now() not null,
  constraint callback_refused_pkey PRIMARY KEY (provider, day, reason)
);

create table card_failed_attempt (
  subject text not null,
  attempts integer not null,
  since timestamp with time zone default now() not null,
  card_id text,
  lockouts integer default 0 not null,
  locked_until timestamp with time zone,
  constraint card_failed_attempt_pkey PRIMARY KEY (subject)
) with (fillfactor=50);

create table card_try (
  id bigint generated always as identity,
  at timestamp with time zone default now() not null,
  brand_key text not null,
  player_id uuid,
  ip text not null,
  card_key text not null,
  card_id text,
  purpose text not null,
  outcome text not null,
  constraint card_try_pkey PRIMARY KEY (id),
  constraint card_try_purpose_check CHECK ((purpose = ANY ('{check,pay,confirm,login}'::text[])))
);

create table carried_use (
  account_id uuid not null,
  game_id text not null,
  product_id text not null,
  subject_hash text not null,
  period text not null,
  used bigint not null,
  constraint carried_use_pkey PRIMARY KEY (account_id, game_id, product_id, subject_hash, period)
);

create table configuration (
  id boolean default true not null,
  revision bigint not null,
  applied_at timestamp with time zone default now() not null,
  applied_by text not null,
  constraint configuration_pkey PRIMARY KEY (id),
  constraint configuration_id_check CHECK (id)
);

create table configuration_file (
  kind text not null,
  key text not null,
  body json not null,
  constraint configuration_file_pkey PRIMARY KEY (kind, key),
  constraint configuration_file_kind_check CHECK ((kind = ANY ('{brand,game,channels,picture}'::text[])))
);

create table configuration_history (
  revision bigint not null,
  applied_at timestamp with time zone default now() not null,
  applied_by text not null,
  summary text[] not null,
  files json,
  constraint configuration_history_pkey PRIMARY KEY (revision)
);

create table coupon (
  player_id uuid not null,
  code text not null,
  brand_key text not null,
  name jsonb not null,
  discount_rate numeric(7,6),
  min_spend jsonb default '{}'::jsonb not null,
  games text[] default '{}'::text[] not null,
  products text[] default '{}'::text[] not null,
  valid_from timestamp with time zone default now() not null,
  valid_end timestamp with time zone not null,
  state text default 'free'::text not null,
  billing_no text,
  taken_at timestamp with time zone,
  source text not null,
  issue_key text,
  created_at timestamp with time zone default now() not null,
  need_points bigint,
  prices jsonb,
  constraint coupon_pkey PRIMARY KEY (player_id, code),
  constraint coupon_check CHECK (((state = 'taken'::text) = (billing_no IS NOT NULL))),
  constraint coupon_check1 CHECK ((valid_from < valid_end)),
  constraint coupon_code_check CHECK (((prices IS NOT NULL) = starts_with(code, 'offer:'::text))),
  constraint coupon_discount_rate_check CHECK (((discount_rate > (0)::numeric) AND (discount_rate < (1)::numeric))),
  constraint coupon_player_id_issue_key_key UNIQUE (player_id, issue_key),
  constraint coupon_prices_check CHECK (((prices IS NULL) = (discount_rate IS NOT NULL))),
  constraint coupon_state_check CHECK ((state = ANY ('{claimable,free,taken,void}'::text[])))
) with (fillfactor=80);

create table creator_entry (
  player_id uuid not null,
  billing_no text not null,
  kind text not null,
  entry_no integer not null,
  brand_key text not null,
  creator text not null,
  amount_minor bigint not null,
  currency text not null,
  created_at timestamp with time zone default now() not null,
  constraint creator_entry_pkey PRIMARY KEY (player_id, billing_no, kind, entry_no),
  constraint creator_entry_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint creator_entry_kind_check CHECK ((kind = ANY ('{delivered,refunded,chargeback}'::text[])))
);

create table delivery (
  player_id uuid not null,
  billing_no text not null,
  game_id text not null,
  state text default 'queued'::text not null,
  tries integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  receipt_id text,
  last_error text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  constraint delivery_pkey PRIMARY KEY (player_id, billing_no),
  constraint delivery_state_check CHECK ((state = ANY ('{queued,calling,done,rejected,unknown,dead}'::text[])))
) partition by RANGE (billing_no); -- partitions with (fillfactor=70)

create table erasure (
  player_id uuid not null,
  erasure_no text not null,
  gives_up_balance boolean not null,
  state text default 'waiting'::text not null,
  refusals jsonb default '[]'::jsonb not null,
  asked_at timestamp with time zone default now() not null,
  due_at timestamp with time zone not null,
  next_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint erasure_pkey PRIMARY KEY (player_id, erasure_no),
  constraint erasure_ended_check CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint erasure_no_check CHECK ((erasure_no ~ '^ER-[0-9A-HJKMNP-TV-Z]{26}$'::text)),
  constraint erasure_state_check CHECK ((state = ANY ('{waiting,done,withdrawn}'::text[])))
);

create table error_report (
  reference text not null,
  brand_key text not null,
  kind text not null,
  path text not null,
  code integer not null,
  page text not null,
  language text not null,
  build text not null,
  note text not null,
  at timestamp with time zone,
  received_at timestamp with time zone default now() not null,
  request text default ''::text not null,
  constraint error_report_pkey PRIMARY KEY (brand_key, reference),
  constraint error_report_kind_check CHECK ((kind = ANY ('{network,script,player}'::text[]))),
  constraint error_report_note_check CHECK ((length(note) <= 1000))
);

create table gift_card (
  card_id text not null,
  batch_id text not null,
  password_hmac bytea not null,
  state text default 'active'::text not null,
  issued_to uuid,
  valid_to timestamp with time zone,
  player_id uuid,
  billing_no text,
  attempt_no integer,
  spent_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  rest_minor bigint default 0 not null,
  constraint gift_card_pkey PRIMARY KEY (card_id),
  constraint gift_card_check CHECK (((state = 'spent'::text) = (billing_no IS NOT NULL))),
  constraint gift_card_rest_minor_check CHECK ((rest_minor >= 0)),
  constraint gift_card_state_check CHECK ((state = ANY ('{created,active,spent,void}'::text[])))
) with (fillfactor=80);

create table gift_card_batch (
  batch_id text not null,
  brand_key text,
  channel text not null,
  game_id text,
  product_id text,
  face_minor bigint not null,
  currency text not null,
  gems_number integer default 0 not null,
  extra_gems integer default 0 not null,
  valid_from timestamp with time zone default now() not null,
  valid_to timestamp with time zone not null,
  issued_by text not null,
  created_at timestamp with time zone default now() not null,
  constraint gift_card_batch_pkey PRIMARY KEY (batch_id),
  constraint gift_card_batch_channel_check CHECK ((channel = ANY ('{card,card43}'::text[]))),
  constraint gift_card_batch_check CHECK ((valid_from < valid_to)),
  constraint gift_card_batch_check1 CHECK (((product_id IS NULL) OR (game_id IS NOT NULL))),
  constraint gift_card_batch_extra_gems_check CHECK ((extra_gems >= 0)),
  constraint gift_card_batch_face_minor_check CHECK ((face_minor > 0)),
  constraint gift_card_batch_gems_number_check CHECK ((gems_number >= 0))
);

create table guard_key (
  is_only boolean default true not null,
  key bytea not null,
  constraint guard_key_pkey PRIMARY KEY (is_only),
  constraint guard_key_is_only_check CHECK (is_only)
);

create table idempotency (
  player_id uuid not null,
  key text not null,
  fingerprint text not null,
  billing_no text,
  attempt_no integer,
  answer jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_pkey PRIMARY KEY (player_id, key)
) with (fillfactor=80);

create table invariant_check (
  is_the_row boolean default true not null,
  taken_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  checked_at timestamp with time zone,
  breaches jsonb default '[]'::jsonb not null,
  changes_at timestamp with time zone,
  full_at timestamp with time zone,
  full_on_replica boolean default false not null,
  constraint invariant_check_pkey PRIMARY KEY (is_the_row),
  constraint invariant_check_is_the_row_check CHECK (is_the_row)
);

create table known_device (
  account_hash bytea not null,
  device_hash bytea not null,
  failures integer default 0 not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_device_pkey PRIMARY KEY (account_hash, device_hash)
);

create table ledger_archived (
  month text not null,
  at timestamp with time zone not null,
  brand_key text not null,
  game_id text not null,
  country text not null,
  method text not null,
  provider text not null,
  kind text not null,
  account text not null,
  currency text not null,
  entries bigint not null,
  amount_minor bigint not null,
  discount_minor bigint not null,
  constraint ledger_archived_pkey PRIMARY KEY (month, at, brand_key, game_id, country, method, provider, kind, account, currency)
);

create table ledger_entry (
  player_id uuid not null,
  billing_no text not null,
  kind text not null,
  attempt_no integer not null,
  account text not null,
  amount_minor bigint not null,
  currency text not null,
  created_at timestamp with time zone default now() not null,
  constraint ledger_entry_pkey PRIMARY KEY (player_id, billing_no, kind, attempt_no, account),
  constraint ledger_entry_account_check CHECK ((account = ANY ('{provider_receivable,goods_owed,revenue,refund_owed,chargeback_loss,promo}'::text[]))),
  constraint ledger_entry_kind_check CHECK (((kind = ANY ('{paid,delivered,refunded,overpayment,overpayment_refunded,chargeback,refund_failed,refund_repaid}'::text[])) OR (kind ~ '^part_refunded_[1-9]$'::text)))
) partition by RANGE (billing_no);

create table limit_counter (
  account_id uuid not null,
  game_id text not null,
  product_id text not null,
  subject text not null,
  period text not null,
  used integer not null,
  cap integer not null,
  constraint limit_counter_pkey PRIMARY KEY (account_id, game_id, product_id, subject, period),
  constraint limit_counter_check CHECK (((used >= 0) AND (used <= cap)))
) with (fillfactor=70);

create table login_attempt (
  state_hash bytea not null,
  browser_hash bytea not null,
  brand_key text not null,
  kind text not null,
  purpose text not null,
  player_id uuid,
  client_id text not null,
  app_id text not null,
  redirect_uri text not null,
  kept jsonb not null,
  display text not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint login_attempt_pkey PRIMARY KEY (state_hash),
  constraint login_attempt_check CHECK (((purpose = 'link'::text) = (player_id IS NOT NULL))),
  constraint login_attempt_display_check CHECK ((display = ANY ('{popup,page}'::text[]))),
  constraint login_attempt_purpose_check CHECK ((purpose = ANY ('{login,link,replenish}'::text[]))),
  constraint login_attempt_return_to_check CHECK (((return_to ~ '^/([!-.0-[\]-~][!-[\]-~]*)?$'::text) AND (split_part(return_to, '?'::text, 1) !~ '/[.][.]?(/|$)'::text)))
);

create table login_guard (
  account_hash bytea not null,
  failures integer not null,
  blocked_until timestamp with time zone not null,
  forget_at timestamp with time zone not null,
  constraint login_guard_pkey PRIMARY KEY (account_hash)
) with (fillfactor=80);

create table login_link (
  link_hash bytea not null,
  kind text not null,
  brand_key text not null,
  player_id uuid not null,
  bound jsonb,
  link_token_hash bytea,
  return_to text default '/'::text not null,
  message_id text,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint login_link_pkey PRIMARY KEY (link_hash),
  constraint login_link_kind_check CHECK ((kind = ANY ('{ticket,code,question}'::text[]))),
  constraint login_link_message_id_key UNIQUE (message_id),
  constraint login_link_return_to_check CHECK (((return_to ~ '^/([!-.0-[\]-~][!-[\]-~]*)?$'::text) AND (split_part(return_to, '?'::text, 1) !~ '/[.][.]?(/|$)'::text)))
);

create table order_lookup (
  billing_no text not null,
  player_id uuid not null,
  constraint order_lookup_pkey PRIMARY KEY (billing_no)
) partition by RANGE (billing_no);

create table order_transition (
  from_state text not null,
  to_state text not null,
  constraint order_transition_pkey PRIMARY KEY (from_state, to_state)
);

create table orders (
  player_id uuid not null,
  billing_no text not null,
  brand_key text not null,
  game_id text not null,
  client_id text not null,
  product_id text not null,
  server_id text not null,
  server_name text not null,
  area_id text not null,
  role_id text not null,
  role_name text not null,
  suid text not null,
  username text not null,
  product jsonb not null,
  amount_minor bigint not null,
  currency text not null,
  region text not null,
  country text not null,
  language text not null,
  state text not null,
  review_reason text,
  is_late boolean default false not null,
  current_attempt integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  expiry_lease_until timestamp with time zone,
  paid_at timestamp with time zone,
  delivering_at timestamp with time zone,
  delivered_at timestamp with time zone,
  refunded_at timestamp with time zone,
  closed_at timestamp with time zone,
  discount_minor bigint default 0 not null,
  coupon_code text,
  is_unpaid boolean generated always as ((state = ANY ('{created,pending}'::text[]))) stored not null,
  needs_person boolean generated always as ((state = ANY ('{review,refund_due}'::text[]))) stored not null,
  origin jsonb,
  points bigint,
  refunded_minor bigint,
  promo_code text,
  creator text,
  share_minor bigint,
  replenish_id text,
  payer_rules jsonb,
  accepted jsonb,
  adopted_at timestamp with time zone,
  constraint orders_pkey PRIMARY KEY (player_id, billing_no),
  constraint orders_amount_minor_check CHECK ((amount_minor > 0)),
  constraint orders_discount_minor_check CHECK ((discount_minor >= 0)),
  constraint orders_state_check CHECK ((state = ANY ('{created,pending,paid,delivering,delivered,review,refund_due,refunded,failed,expired,cancelled}'::text[])))
) partition by RANGE (billing_no); -- partitions with (fillfactor=70)

create table payment_attempt (
  player_id uuid not null,
  billing_no text not null,
  attempt_no integer not null,
  provider text not null,
  channel_key text not null,
  channel_name jsonb not null,
  channel_id text not null,
  amount_minor bigint not null,
  currency text not null,
  state text not null,
  is_replaced boolean default false not null,
  provider_ref text,
  capture_ref text,
  pay_url text,
  payable_until timestamp with time zone not null,
  approved_at timestamp with time zone,
  declined_at timestamp with time zone,
  queried_at timestamp with time zone,
  next_query_at timestamp with time zone,
  query_count integer default 0 not null,
  capture_lease_until timestamp with time zone,
  exchange jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  succeeded_at timestamp with time zone,
  reported_minor bigint,
  reported_currency text,
  unreadable_reason text,
  approval text,
  is_open boolean generated always as ((state = ANY ('{sent,redirected,unknown}'::text[]))) stored not null,
  method text default ''::text not null,
  left_at timestamp with time zone,
  constraint payment_attempt_pkey PRIMARY KEY (player_id, billing_no, attempt_no),
  constraint payment_attempt_state_check CHECK ((state = ANY ('{sent,redirected,unknown,succeeded,failed,expired,mismatch,overpayment}'::text[])))
) partition by RANGE (billing_no); -- partitions with (fillfactor=70)

create table picture_file (
  hash text not null,
  media_type text not null,
  bytes bytea not null,
  unused_since timestamp with time zone,
  constraint picture_file_pkey PRIMARY KEY (hash)
);

create table player (
  player_id uuid not null,
  brand_key text not null,
  suid text not null,
  username text not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  game_account_id uuid,
  constraint player_pkey PRIMARY KEY (player_id)
);

create table player_change (
  player_id uuid not null,
  change_no bigint generated always as identity,
  constraint player_change_pkey PRIMARY KEY (player_id, change_no)
);

create table player_identity (
  brand_key text not null,
  provider text not null,
  subject text not null,
  player_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint player_identity_pkey PRIMARY KEY (brand_key, provider, subject)
);

create table player_password (
  player_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone default now() not null,
  constraint player_password_pkey PRIMARY KEY (player_id)
);

create table player_role (
  player_id uuid not null,
  client_id text not null,
  server_id text not null,
  area_id text not null,
  role_id text not null,
  name text not null,
  level integer not null,
  server_name text not null,
  seen_at timestamp with time zone default now() not null,
  constraint player_role_pkey PRIMARY KEY (player_id, client_id, server_id, area_id, role_id)
);

create table points_entry (
  player_id uuid not null,
  billing_no text not null,
  kind text not null,
  entry_no integer not null,
  points bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint points_entry_pkey PRIMARY KEY (player_id, billing_no, kind, entry_no),
  constraint points_entry_kind_check CHECK ((kind = ANY ('{delivered,refunded,chargeback,operator}'::text[]))),
  constraint points_entry_operator_check CHECK (((kind = 'operator'::text) = (billing_no = ''::text))),
  constraint points_entry_points_check CHECK ((points <> 0))
);

create table product_stock (
  game_id text not null,
  product_id text not null,
  total integer not null,
  used integer default 0 not null,
  constraint product_stock_pkey PRIMARY KEY (game_id, product_id),
  constraint product_stock_check CHECK (((used >= 0) AND (used <= total)))
) with (fillfactor=50);

create table promo_code (
  brand_key text not null,
  code text not null,
  used integer default 0 not null,
  total integer,
  per_player integer,
  is_first boolean default false not null,
  constraint promo_code_pkey PRIMARY KEY (brand_key, code),
  constraint promo_code_used_check CHECK (((used >= 0) AND (used <= total)))
) with (fillfactor=50);

create table provider_reference (
  provider text not null,
  provider_ref text not null,
  player_id uuid not null,
  billing_no text not null,
  attempt_no integer not null,
  constraint provider_reference_pkey PRIMARY KEY (provider, provider_ref)
);

create table rate_limit (
  key character varying(255) not null,
  points integer default 0 not null,
  expire bigint,
  constraint rate_limit_pkey PRIMARY KEY (key)
);

create table real_name (
  player_id uuid not null,
  state text not null,
  source text not null,
  asked_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  constraint real_name_pkey PRIMARY KEY (player_id),
  constraint real_name_decided_check CHECK (((state = 'started'::text) = (decided_at IS NULL))),
  constraint real_name_state_check CHECK ((state = ANY ('{started,verified,refused}'::text[])))
);

create table refund (
  player_id uuid not null,
  billing_no text not null,
  attempt_no integer not null,
  state text default 'due'::text not null,
  reason text not null,
  requested_by text not null,
  amount_minor bigint not null,
  currency text not null,
  tries integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  provider_refund_ref text,
  last_error text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  constraint refund_pkey PRIMARY KEY (player_id, billing_no, attempt_no),
  constraint refund_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refund_state_check CHECK ((state = ANY ('{due,calling,pending,done,manual}'::text[])))
) with (fillfactor=80);

create table replenish (
  replenish_id text not null,
  player_id uuid not null,
  brand_key text not null,
  game_id text not null,
  client_id text not null,
  amount_minor bigint not null,
  currency text not null,
  reason text not null,
  opened_by text not null,
  reference text,
  state text default 'open'::text not null,
  billing_no text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  told_late_at timestamp with time zone,
  constraint replenish_pkey PRIMARY KEY (replenish_id),
  constraint replenish_amount_minor_check CHECK ((amount_minor > 0)),
  constraint replenish_id_check CHECK ((replenish_id ~ '^RP-[0-9A-HJKMNP-TV-Z]{26}$'::text)),
  constraint replenish_state_check CHECK ((state = ANY ('{open,taken,closed}'::text[]))),
  constraint replenish_taken_check CHECK (((state = 'taken'::text) = (billing_no IS NOT NULL)))
);

create table reservation (
  player_id uuid not null,
  billing_no text not null,
  kind text not null,
  game_id text not null,
  product_id text not null,
  subject text default ''::text not null,
  period text default ''::text not null,
  cap integer default 0 not null,
  state text default 'held'::text not null,
  account_id uuid,
  constraint reservation_pkey PRIMARY KEY (player_id, billing_no, kind),
  constraint reservation_account_check CHECK (((account_id IS NOT NULL) = (kind = ANY ('{limit,bonus,offer}'::text[])))),
  constraint reservation_kind_check CHECK ((kind = ANY ('{limit,stock,coupon,code,bonus,replenish,offer}'::text[]))),
  constraint reservation_state_check CHECK ((state = ANY ('{held,used,released}'::text[])))
) with (fillfactor=80);

create table retention_end (
  what text not null,
  taken_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  done_at timestamp with time zone,
  ended bigint default 0 not null,
  days jsonb,
  reached jsonb default '{}'::jsonb not null,
  constraint retention_end_pkey PRIMARY KEY (what)
);

create table revocation (
  player_id uuid not null,
  billing_no text not null,
  game_id text not null,
  state text default 'queued'::text not null,
  reason text not null,
  tries integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  constraint revocation_pkey PRIMARY KEY (player_id, billing_no),
  constraint revocation_state_check CHECK ((state = ANY ('{queued,calling,done,declined,dead}'::text[])))
) with (fillfactor=80);

create table reward (
  player_id uuid not null,
  reward_no text not null,
  issue_key text not null,
  brand_key text not null,
  game_id text not null,
  client_id text not null,
  server_id text not null,
  area_id text not null,
  role_id text not null,
  role_name text not null,
  suid text not null,
  product_id text not null,
  gifts jsonb not null,
  title jsonb not null,
  basis jsonb not null,
  state text default 'queued'::text not null,
  tries integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  receipt_id text,
  last_error text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  account_id uuid not null,
  constraint reward_pkey PRIMARY KEY (player_id, reward_no),
  constraint reward_no_check CHECK ((reward_no ~ '^RW-[0-9A-HJKMNP-TV-Z]{26}$'::text)),
  constraint reward_state_check CHECK ((state = ANY ('{queued,calling,done,rejected,unknown,dead}'::text[])))
) with (fillfactor=70);

create table running_process (
  process_id uuid not null,
  role text not null,
  host text not null,
  connections integer not null,
  started_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  constraint running_process_pkey PRIMARY KEY (process_id)
);

create table schema_left_over (
  signature text not null,
  constraint schema_left_over_pkey PRIMARY KEY (signature)
);

create table schema_migration (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table schema_repeatable (
  name text not null,
  sha256 text not null,
  version text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_repeatable_pkey PRIMARY KEY (name)
);

create table session (
  token_hash bytea not null,
  public_id text not null,
  player_id uuid not null,
  brand_key text not null,
  kind text not null,
  auth_method text not null,
  created_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  idle_until timestamp with time zone not null,
  absolute_until timestamp with time zone not null,
  revoked_at timestamp with time zone,
  revoke_reason text,
  link_token_hash bytea,
  bound jsonb,
  is_address_token boolean default false not null,
  beta_id uuid,
  device text default ''::text not null,
  identity_hash bytea,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_device_check CHECK ((length(device) <= 60)),
  constraint session_kind_check CHECK ((kind = ANY ('{web,sdk,replenish,api}'::text[]))),
  constraint session_public_id_key UNIQUE (public_id)
) with (fillfactor=80);

create table settlement_fee (
  player_id uuid not null,
  billing_no text not null,
  attempt_no integer not null,
  movement text not null,
  provider text not null,
  fee_minor bigint not null,
  currency text not null,
  at timestamp with time zone not null,
  constraint settlement_fee_pkey PRIMARY KEY (player_id, billing_no, attempt_no, movement, currency, at),
  constraint settlement_fee_movement_check CHECK ((movement = ANY ('{payment,refund,chargeback}'::text[])))
);

create table shop_environment (
  is_only boolean default true not null,
  environment text not null,
  constraint shop_environment_pkey PRIMARY KEY (is_only),
  constraint shop_environment_environment_check CHECK ((environment = ANY ('{demo,live}'::text[]))),
  constraint shop_environment_is_only_check CHECK (is_only)
);

create table spending_cap (
  player_id uuid not null,
  currency text not null,
  period text not null,
  cap_minor bigint,
  next_cap_minor bigint,
  next_at timestamp with time zone,
  constraint spending_cap_pkey PRIMARY KEY (player_id, currency, period),
  constraint spending_cap_cap_minor_check CHECK ((cap_minor >= 0)),
  constraint spending_cap_next_cap_minor_check CHECK ((next_cap_minor >= 0)),
  constraint spending_cap_period_check CHECK ((period = ANY ('{day,week,month}'::text[])))
);

create table spending_pause (
  player_id uuid not null,
  paused_until timestamp with time zone not null,
  constraint spending_pause_pkey PRIMARY KEY (player_id)
);

create table storefront_file (
  path text not null,
  body bytea not null,
  seen_at timestamp with time zone default now() not null,
  constraint storefront_file_pkey PRIMARY KEY (path)
);

create table table_exception (
  table_name text not null,
  reason text not null,
  constraint table_exception_pkey PRIMARY KEY (table_name)
);

create table track_call (
  call_no bigint generated always as identity,
  brand_key text not null,
  app_id text not null,
  event_id text not null,
  uuid text not null,
  did text not null,
  session_id text not null,
  session_time timestamp with time zone,
  traffic_source text not null,
  received_at timestamp with time zone default now() not null,
  events jsonb not null,
  constraint track_call_pkey PRIMARY KEY (call_no)
);

create table unpaid_order (
  player_id uuid not null,
  client_id text not null,
  server_id text not null,
  area_id text not null,
  role_id text not null,
  product_id text not null,
  billing_no text not null,
  constraint unpaid_order_pkey PRIMARY KEY (player_id, client_id, server_id, area_id, role_id, product_id)
);

create table wallet_account (
  player_id uuid not null,
  currency text not null,
  kind text not null,
  balance_minor bigint default 0 not null,
  constraint wallet_account_pkey PRIMARY KEY (player_id, currency, kind),
  constraint wallet_account_check CHECK (((kind <> ALL (ARRAY['paid'::text, 'free'::text])) OR (balance_minor >= 0))),
  constraint wallet_account_kind_check CHECK ((kind = ANY ('{paid,free,cash_in,bonus,sales,cards,forfeited}'::text[])))
) with (fillfactor=60);

create table wallet_credit_reference (
  external_id text not null,
  fingerprint text not null,
  player_id uuid not null,
  txn_id text,
  constraint wallet_credit_reference_pkey PRIMARY KEY (external_id)
);

create table wallet_entry (
  player_id uuid not null,
  txn_id text not null,
  kind text not null,
  amount_minor bigint not null,
  balance_after bigint not null,
  seq bigint generated always as identity,
  constraint wallet_entry_pkey PRIMARY KEY (player_id, txn_id, kind),
  constraint wallet_entry_amount_minor_check CHECK ((amount_minor <> 0))
);

create table wallet_nonce (
  nonce text not null,
  at timestamp with time zone default now() not null,
  constraint wallet_nonce_pkey PRIMARY KEY (nonce)
);

create table wallet_txn (
  player_id uuid not null,
  txn_id text not null,
  type text not null,
  idempotency_key text not null,
  currency text not null,
  amount_minor bigint not null,
  billing_no text,
  spends text,
  reason text not null,
  actor text not null,
  created_at timestamp with time zone default now() not null,
  constraint wallet_txn_pkey PRIMARY KEY (player_id, txn_id),
  constraint wallet_txn_amount_minor_check CHECK ((amount_minor > 0)),
  constraint wallet_txn_player_id_idempotency_key_key UNIQUE (player_id, idempotency_key),
  constraint wallet_txn_spends_check CHECK ((spends = ANY ('{free_first,paid_first}'::text[]))),
  constraint wallet_txn_type_check CHECK ((type = ANY ('{credit,debit,refund,card,forfeit}'::text[])))
);

create table webhook_endpoint (
  endpoint_id text not null,
  url text not null,
  types text[] not null,
  brand_key text,
  secret_no integer default 1 not null,
  secret_hash bytea not null,
  previous_hash bytea,
  previous_until timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (endpoint_id),
  constraint webhook_endpoint_id_check CHECK ((endpoint_id ~ '^WE-[0-9A-HJKMNP-TV-Z]{26}$'::text)),
  constraint webhook_endpoint_previous_check CHECK (((previous_hash IS NULL) = (previous_until IS NULL))),
  constraint webhook_endpoint_types_check CHECK ((cardinality(types) > 0))
);

create table webhook_message (
  player_id uuid not null,
  message_id text not null,
  endpoint_id text not null,
  type text not null,
  billing_no text not null,
  data jsonb not null,
  state text default 'queued'::text not null,
  tries integer default 0 not null,
  next_at timestamp with time zone not null,
  last_status integer,
  last_error text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  constraint webhook_message_pkey PRIMARY KEY (player_id, message_id),
  constraint webhook_message_state_check CHECK ((state = ANY ('{queued,calling,done,dead}'::text[])))
) with (fillfactor=80);

CREATE INDEX admin_call_by_age ON public.admin_call USING btree (at);

CREATE INDEX audit_by_order ON public.audit_entry USING btree (billing_no) WHERE (billing_no IS NOT NULL);

CREATE INDEX backup_token_by_age ON public.backup_token USING btree (expires_at);

CREATE INDEX callback_by_order ON public.callback_inbox USING btree (billing_no) WHERE (billing_no IS NOT NULL);

CREATE INDEX callback_inbox_by_time ON public.callback_inbox USING btree (received_at);

CREATE INDEX callback_inbox_dead ON public.callback_inbox USING btree (received_at) WHERE (state = 'dead'::text);

CREATE INDEX callback_inbox_waiting ON public.callback_inbox USING btree (next_try_at) WHERE (state = 'stored'::text);

CREATE INDEX card_failed_attempt_by_age ON public.card_failed_attempt USING btree (since) WHERE (card_id IS NULL);

CREATE INDEX card_failed_attempt_of_card ON public.card_failed_attempt USING btree (card_id) WHERE (card_id IS NOT NULL);

CREATE INDEX card_try_by_card ON public.card_try USING btree (card_id, at) WHERE (card_id IS NOT NULL);

CREATE INDEX card_try_by_player ON public.card_try USING btree (player_id, at);

CREATE INDEX card_try_by_time ON public.card_try USING btree (at);

CREATE INDEX creator_entry_by_time ON public.creator_entry USING brin (created_at);

CREATE INDEX delivery_due ON public.delivery USING btree (next_at) WHERE (state = ANY (ARRAY['queued'::text, 'calling'::text, 'unknown'::text]));

CREATE UNIQUE INDEX erasure_by_no ON public.erasure USING btree (erasure_no);

CREATE INDEX erasure_due ON public.erasure USING btree (next_at) WHERE (state = 'waiting'::text);

CREATE UNIQUE INDEX erasure_waits_once ON public.erasure USING btree (player_id) WHERE (state = 'waiting'::text);

CREATE INDEX error_report_by_time ON public.error_report USING btree (received_at);

CREATE INDEX gift_card_by_batch ON public.gift_card USING btree (batch_id);

CREATE INDEX gift_card_by_order ON public.gift_card USING btree (billing_no) WHERE (billing_no IS NOT NULL);

CREATE INDEX gift_card_by_player ON public.gift_card USING btree (player_id, spent_at) WHERE (player_id IS NOT NULL);

CREATE INDEX idempotency_by_time ON public.idempotency USING btree (created_at);

CREATE INDEX known_device_by_age ON public.known_device USING btree (seen_at);

CREATE INDEX ledger_archived_by_time ON public.ledger_archived USING brin (at);

CREATE INDEX ledger_by_time ON public.ledger_entry USING brin (created_at);

CREATE INDEX login_attempt_by_age ON public.login_attempt USING btree (expires_at);

CREATE INDEX login_guard_by_age ON public.login_guard USING btree (forget_at);

CREATE INDEX login_link_by_age ON public.login_link USING btree (expires_at);

CREATE INDEX orders_by_promo_code ON public.orders USING btree (brand_key, promo_code, created_at) WHERE (promo_code IS NOT NULL);

CREATE INDEX orders_by_replenish ON public.orders USING btree (player_id, replenish_id) WHERE (replenish_id IS NOT NULL);

CREATE INDEX orders_by_time ON public.orders USING brin (created_at);

CREATE INDEX orders_expiring ON public.orders USING btree (GREATEST(expires_at, expiry_lease_until)) WHERE (is_unpaid AND (expires_at > '-infinity'::timestamp with time zone));

CREATE INDEX orders_in_review ON public.orders USING btree (created_at) WHERE needs_person;

CREATE INDEX payment_attempt_due ON public.payment_attempt USING btree (next_query_at) WHERE (is_open AND (next_query_at > '-infinity'::timestamp with time zone));

CREATE INDEX payment_attempt_unreadable ON public.payment_attempt USING btree (created_at) WHERE (unreadable_reason IS NOT NULL);

CREATE INDEX player_by_game_account ON public.player USING btree (game_account_id) WHERE (game_account_id IS NOT NULL);

CREATE INDEX player_by_name ON public.player USING btree (lower(username));

CREATE INDEX player_by_suid ON public.player USING btree (suid);

CREATE INDEX player_identity_by_player ON public.player_identity USING btree (player_id);

CREATE INDEX refund_due ON public.refund USING btree (next_at) WHERE (state = ANY (ARRAY['due'::text, 'calling'::text, 'pending'::text]));

CREATE INDEX replenish_by_order ON public.replenish USING btree (billing_no) WHERE (billing_no IS NOT NULL);

CREATE INDEX replenish_by_player ON public.replenish USING btree (player_id, created_at);

CREATE UNIQUE INDEX replenish_once ON public.replenish USING btree (brand_key, game_id, reference) WHERE (reference IS NOT NULL);

CREATE INDEX reservation_by_account ON public.reservation USING btree (account_id, product_id) WHERE (account_id IS NOT NULL);

CREATE INDEX revocation_due ON public.revocation USING btree (next_at) WHERE (state = ANY (ARRAY['queued'::text, 'calling'::text]));

CREATE INDEX reward_by_account ON public.reward USING btree (account_id, issue_key);

CREATE INDEX reward_by_time ON public.reward USING brin (created_at);

CREATE INDEX reward_due ON public.reward USING btree (next_at) WHERE (state = ANY (ARRAY['queued'::text, 'calling'::text, 'unknown'::text]));

CREATE UNIQUE INDEX reward_once ON public.reward USING btree (player_id, issue_key) WHERE (state <> 'rejected'::text);

CREATE INDEX session_by_end ON public.session USING btree (absolute_until);

CREATE INDEX session_by_identity ON public.session USING btree (identity_hash) WHERE ((identity_hash IS NOT NULL) AND (revoked_at IS NULL));

CREATE INDEX session_by_link_token ON public.session USING btree (link_token_hash) WHERE (link_token_hash IS NOT NULL);

CREATE INDEX session_by_player ON public.session USING btree (player_id, created_at);

CREATE INDEX session_by_revoked ON public.session USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX settlement_fee_by_time ON public.settlement_fee USING brin (at);

CREATE INDEX track_call_by_time ON public.track_call USING btree (received_at);

CREATE INDEX wallet_txn_by_order ON public.wallet_txn USING btree (player_id, billing_no) WHERE (billing_no IS NOT NULL);

CREATE INDEX webhook_message_due ON public.webhook_message USING btree (endpoint_id, next_at) WHERE (state = ANY (ARRAY['queued'::text, 'calling'::text]));

CREATE INDEX webhook_message_of_endpoint ON public.webhook_message USING btree (endpoint_id, created_at, message_id);

CREATE OR REPLACE FUNCTION public.account_of(p_player_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_account_id uuid;
begin
  select game_account_id into v_account_id from player where player_id = p_player_id;
  return coalesce(v_account_id, p_player_id);
end $function$;

CREATE OR REPLACE FUNCTION public.account_players(p_player_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_account_id uuid;
begin
  select game_account_id into v_account_id from player where player_id = p_player_id;
  if v_account_id is null then return array[p_player_id]; end if;
  return array(select player_id from player where game_account_id = v_account_id order by player_id);
end $function$;

CREATE OR REPLACE FUNCTION public.add_attempt(p_player_id uuid, p_billing_no text, p_idempotency_key text, p_amount_minor bigint, p_currency text, p_coupon_code text, p_promo_code text, p_provider text, p_channel_key text, p_channel_name jsonb, p_channel_id text, p_method text, p_expires_in interval, p_payable_for interval, p_payer_rules jsonb, p_tender jsonb, p_must_be_new boolean, p_must_notify boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_attempt payment_attempt;
  v_outcome text;
  v_url text;
  v_is_pageless boolean;
  v_refusal jsonb;
  v_until timestamptz := v_now + p_expires_in;
begin
  -- The price of an unpaid order never changes, and an internal tender is asked for it alone: it is looked at first.
  select * into v_order from orders
    where player_id = p_player_id and billing_no = p_billing_no and is_unpaid;
  -- Paid or closed a moment ago, by somebody who does not take the player's lock. The next try finds it so.
  if not found then return jsonb_build_object('outcome', 'running'); end if;
  if v_order.amount_minor + v_order.discount_minor <> p_amount_minor or v_order.currency <> p_currency
     or v_order.coupon_code is distinct from p_coupon_code or v_order.promo_code is distinct from p_promo_code then
    return jsonb_build_object('outcome', 'other_price', 'billing_no', p_billing_no);
  end if;
  -- An internal tender is locked before its order, as everywhere.
  if p_tender is not null then
    v_outcome := reserve_internal_tender(p_player_id, p_tender, v_order.amount_minor, p_currency);
    if v_outcome <> 'reserved' then return jsonb_build_object('outcome', v_outcome); end if;
  end if;
  select * into v_order from orders
    where player_id = p_player_id and billing_no = p_billing_no and is_unpaid for update;
  if not found then return jsonb_build_object('outcome', 'running'); end if;
  -- Counted since it was placed; a cap may have come down since then.
  v_refusal := cap_refusal(p_player_id, p_payer_rules, v_order.currency, v_order.amount_minor,
    v_order.created_at, p_billing_no);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_order.current_attempt;
  v_is_pageless := v_attempt.state in ('sent', 'unknown') and v_attempt.pay_url is null;
  -- Twenty seconds are longer than the call that places it may take.
  if v_attempt.channel_key = p_channel_key and v_is_pageless
    and v_attempt.created_at < v_now - interval '20 seconds' and p_tender is null and not p_must_be_new
  then
    update idempotency set billing_no = p_billing_no, attempt_no = v_order.current_attempt
      where player_id = p_player_id and key = p_idempotency_key;
    return jsonb_build_object('outcome', 'placed', 'billing_no', p_billing_no, 'attempt_no', v_order.current_attempt,
      'amount_minor', v_attempt.amount_minor, 'server_name', v_order.server_name, 'role_name', v_order.role_name);
  end if;
  -- Our choice: twenty ways to pay one order are enough for anybody.
  if (v_attempt.channel_key = p_channel_key and v_attempt.is_open)
    or v_order.current_attempt >= 20 or p_must_be_new
  then
    v_url := coalesce(v_attempt.pay_url, '');
    update idempotency set billing_no = p_billing_no, attempt_no = v_order.current_attempt,
        answer = jsonb_build_object('code', 'repeatOrder', 'billing_no', p_billing_no, 'url', v_url)
      where player_id = p_player_id and key = p_idempotency_key;
    return jsonb_build_object('outcome', 'repeat', 'billing_no', p_billing_no, 'url', v_url);
  end if;
  update payment_attempt set is_replaced = true
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_order.current_attempt;
  update orders set current_attempt = current_attempt + 1, expires_at = greatest(expires_at, v_until)
    where player_id = p_player_id and billing_no = p_billing_no returning * into v_order;
  perform insert_attempt(p_player_id, p_billing_no, v_order.current_attempt, p_provider, p_channel_key, p_channel_name,
    p_channel_id, p_method, v_order.amount_minor, p_currency, p_payable_for);
  insert into player_change (player_id) values (p_player_id);
  update idempotency set billing_no = p_billing_no, attempt_no = v_order.current_attempt
    where player_id = p_player_id and key = p_idempotency_key;
  if p_tender is not null then
    return capture_internal_tender(p_player_id, p_billing_no, v_order.current_attempt, p_idempotency_key, p_provider,
      v_order.amount_minor, p_currency, p_tender, p_must_notify);
  end if;
  return jsonb_build_object('outcome', 'placed', 'billing_no', p_billing_no, 'attempt_no', v_order.current_attempt,
    'amount_minor', v_order.amount_minor, 'server_name', v_order.server_name, 'role_name', v_order.role_name);
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_counted(p_player_id uuid, p_billing_no text, p_brand_key text, p_reserved jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_kind text := p_reserved ->> 'kind';
  v_subject text := p_reserved ->> 'subject';
  v_period text := p_reserved ->> 'period';
  v_cap integer := (p_reserved ->> 'cap')::integer;
  v_account_id constant uuid := account_of(p_player_id);
  v_used integer;
  v_total integer;
  v_second text;
  v_decision jsonb;
begin
  if v_kind in ('limit', 'bonus', 'offer') then
    insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
      values (v_account_id, p_reserved ->> 'game_id', p_reserved ->> 'product_id', v_subject, v_period, 0, v_cap)
      on conflict do nothing;
    select used, cap into v_used, v_total from limit_counter
      where account_id = v_account_id and game_id = p_reserved ->> 'game_id'
        and product_id = p_reserved ->> 'product_id' and subject = v_subject and period = v_period for update;
    if v_kind = 'bonus' and v_used > 0 then
      select billing_no into v_second from reservation
        where account_id = v_account_id and kind = 'bonus' and game_id = p_reserved ->> 'game_id'
          and product_id = p_reserved ->> 'product_id' and period = v_period and state <> 'released' limit 1;
      v_decision := jsonb_build_object('decision', 'bonus_given_twice', 'second', v_second);
      -- Counted beside, so that the next order does not get it a third time.
      v_period := v_period || '#' || p_billing_no;
      insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
        values (v_account_id, p_reserved ->> 'game_id', p_reserved ->> 'product_id', v_subject, v_period, 0, 1);
    elsif v_used >= v_total then
      v_decision := jsonb_build_object('decision', 'limit_exceeded', 'used', v_used + 1, 'cap', v_total);
    end if;
    update limit_counter set used = used + 1, cap = greatest(cap, used + 1)
      where account_id = v_account_id and game_id = p_reserved ->> 'game_id'
        and product_id = p_reserved ->> 'product_id' and subject = v_subject and period = v_period;
  elsif v_kind = 'stock' then
    select used, total into v_used, v_total from product_stock
      where game_id = p_reserved ->> 'game_id' and product_id = p_reserved ->> 'product_id' for update;
    if v_used >= v_total then
      v_decision := jsonb_build_object('decision', 'stock_exceeded', 'used', v_used + 1, 'total', v_total);
    end if;
    update product_stock set used = used + 1, total = greatest(total, used + 1)
      where game_id = p_reserved ->> 'game_id' and product_id = p_reserved ->> 'product_id';
  elsif v_kind = 'code' then
    insert into promo_code (brand_key, code) values (p_brand_key, v_subject) on conflict do nothing;
    select used, total into v_used, v_total from promo_code
      where brand_key = p_brand_key and code = v_subject for update;
    if v_used >= v_total or exists (select from promo_code c where c.brand_key = p_brand_key and c.code = v_subject
        and promo_uses(p_player_id, v_subject) >= c.per_player) then
      v_decision := jsonb_build_object('decision', 'code_exceeded', 'code', v_subject);
    end if;
    -- Null stays null: as often as anybody likes.
    update promo_code set used = used + 1, total = case when total is not null then greatest(total, used + 1) end
      where brand_key = p_brand_key and code = v_subject;
  else
    raise exception 'adopt_counted: % is not counted', v_kind using errcode = 'invalid_parameter_value';
  end if;
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
    values (p_player_id, p_billing_no, v_kind, p_reserved ->> 'game_id', p_reserved ->> 'product_id',
      v_subject, v_period, v_cap, case when v_kind in ('limit', 'bonus', 'offer') then v_account_id end);
  return v_decision;
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_coupon(p_player_id uuid, p_billing_no text, p_facts jsonb, p_reserved jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_code text := p_reserved ->> 'subject';
  v_terms jsonb := p_facts -> 'coupon';
  v_is_offer boolean := starts_with(v_code, 'offer:');
  v_coupon coupon;
  v_copy text;
  v_decision jsonb;
begin
  select * into v_coupon from coupon where player_id = p_player_id and code = v_code for update;
  if not found then
    if v_terms is null then perform refuse_adoption('coupon_unknown'); end if;
    -- It was given in the lost time as well. One that was given again since, under another code, is taken in its place.
    delete from coupon where player_id = p_player_id and issue_key = v_terms ->> 'issue_key' and state <> 'taken';
    insert into coupon (player_id, code, brand_key, name, discount_rate, prices, games, products, valid_from,
        valid_end, state, billing_no, taken_at, source, issue_key)
      values (p_player_id, v_code, p_facts ->> 'brand_key', v_terms -> 'name',
        (v_terms ->> 'discount_rate')::numeric,
        case when v_is_offer then
          jsonb_build_object(p_facts ->> 'currency', (p_facts ->> 'amount_minor')::bigint) end,
        case when v_is_offer then array[p_facts ->> 'game_id'] else '{}' end,
        case when v_is_offer then array[p_facts ->> 'product_id'] else '{}' end,
        least(now(), (v_terms ->> 'valid_end')::timestamptz) - interval '1 second',
        (v_terms ->> 'valid_end')::timestamptz, 'taken', p_billing_no,
        to_timestamp((p_facts ->> 'created_at')::numeric), v_terms ->> 'source',
        case when not exists (select from coupon where player_id = p_player_id and issue_key = v_terms ->> 'issue_key')
          then v_terms ->> 'issue_key' end);
  elsif v_coupon.state = 'taken' then
    v_copy := v_code || '#' || v_coupon.billing_no;
    insert into coupon select (jsonb_populate_record(v_coupon,
      jsonb_build_object('code', v_copy, 'issue_key', null, 'source', 'recovery'))).*;
    update reservation set subject = v_copy
      where player_id = p_player_id and billing_no = v_coupon.billing_no and kind = 'coupon' and subject = v_code;
    update orders set coupon_code = v_copy where player_id = p_player_id and billing_no = v_coupon.billing_no;
    v_decision := jsonb_build_object('decision', 'coupon_used_twice', 'coupon', v_code, 'second', v_coupon.billing_no);
  end if;
  update coupon set state = 'taken', billing_no = p_billing_no,
      taken_at = to_timestamp((p_facts ->> 'created_at')::numeric),
      -- An offer's row may have other terms by now; the order's are those that the player agreed to.
      prices = case when prices is not null
        then jsonb_build_object(p_facts ->> 'currency', (p_facts ->> 'amount_minor')::bigint) end,
      products = case when prices is not null then array[p_facts ->> 'product_id'] else products end,
      games = case when prices is not null then array[p_facts ->> 'game_id'] else games end
    where player_id = p_player_id and code = v_code;
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
    values (p_player_id, p_billing_no, 'coupon', p_reserved ->> 'game_id', p_reserved ->> 'product_id', v_code);
  return v_decision;
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_order(p_player_id uuid, p_billing_no text, p_facts jsonb, p_receipt_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_player_id uuid;
  v_order orders;
  v_attempt payment_attempt;
  v_paid jsonb := p_facts -> 'attempt';
  v_attempt_no integer := (v_paid ->> 'attempt_no')::integer;
  v_reserved jsonb;
  v_decisions jsonb := '[]';
  v_outcome text;
begin
  if num_nulls(p_player_id, p_billing_no, p_facts, p_receipt_id) > 0 then
    raise exception 'adopt_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('adopt_order, facts', p_facts, array['brand_key', 'game_id', 'client_id', 'product_id',
    'server_id', 'area_id', 'role_id', 'suid', 'product', 'amount_minor', 'discount_minor', 'currency', 'region',
    'country', 'language', 'created_at', 'paid_at', 'attempt']);
  perform require_keys('adopt_order, attempt', v_paid,
    array['attempt_no', 'provider', 'channel_key', 'channel_name', 'channel_id', 'method']);
  v_player_id := adopt_player(p_player_id, p_facts);
  if exists (select from order_lookup where billing_no = p_billing_no and player_id <> v_player_id) then
    perform refuse_adoption('other_player');
  end if;
  select * into v_order from orders where player_id = v_player_id and billing_no = p_billing_no for update;
  if v_order.delivered_at is not null then
    return jsonb_build_object('outcome', 'known', 'player_id', v_player_id, 'decisions', v_decisions);
  end if;
  if v_order.state in ('refund_due', 'refunded')
     or (v_order.state = 'review' and v_order.review_reason is distinct from 'payment_unreadable') then
    perform refuse_adoption('decided_here');
  end if;

  if v_order.billing_no is null then
    perform adopt_order_row(v_player_id, p_billing_no, p_facts);
  elsif is_lapsed(v_order.state) then
    -- It was closed here, and what it held was given back: it takes all of it again below.
    perform lock_reservations(v_player_id, p_billing_no);
    delete from reservation where player_id = v_player_id and billing_no = p_billing_no and state = 'released';
    update orders set state = 'review', review_reason = 'payment_unreadable', closed_at = null
      where player_id = v_player_id and billing_no = p_billing_no;
    perform note_order_move(v_player_id, p_billing_no, v_order.state, 'review');
  end if;
  for v_reserved in select * from jsonb_array_elements(coalesce(p_facts -> 'reservations', '[]'))
  loop
    continue when exists (select from reservation
      where player_id = v_player_id and billing_no = p_billing_no and kind = v_reserved ->> 'kind');
    if v_reserved ->> 'kind' = 'coupon' then
      v_decisions := v_decisions || coalesce(adopt_coupon(v_player_id, p_billing_no, p_facts, v_reserved), '[]');
    elsif v_reserved ->> 'kind' = 'replenish' then
      perform adopt_replenish(v_player_id, p_billing_no, p_facts);
    else
      v_decisions := v_decisions
        || coalesce(adopt_counted(v_player_id, p_billing_no, p_facts ->> 'brand_key', v_reserved), '[]');
    end if;
  end loop;

  select * into v_attempt from payment_attempt
    where player_id = v_player_id and billing_no = p_billing_no and attempt_no = v_attempt_no for update;
  if not found then
    perform insert_attempt(v_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', v_paid ->> 'channel_key',
      v_paid -> 'channel_name', v_paid ->> 'channel_id', v_paid ->> 'method', (p_facts ->> 'amount_minor')::bigint,
      p_facts ->> 'currency', interval '0');
  elsif v_attempt.provider <> v_paid ->> 'provider' then
    perform refuse_adoption('other_attempt');
  end if;
  update orders set current_attempt = v_attempt_no
    where player_id = v_player_id and billing_no = p_billing_no and current_attempt < v_attempt_no;
  if v_attempt.state is distinct from 'succeeded' then
    v_outcome := apply_report(v_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', 'paid', true,
      v_paid ->> 'provider_ref', v_paid ->> 'capture_ref', (p_facts ->> 'amount_minor')::bigint,
      p_facts ->> 'currency', null, null, null, null, false) ->> 'outcome';
    if v_outcome <> 'paid' then perform refuse_adoption('payment_' || v_outcome); end if;
    v_decisions := v_decisions || adopt_tender(v_player_id, p_billing_no, p_facts);
  end if;
  if v_paid ->> 'provider_ref' is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (v_paid ->> 'provider', v_paid ->> 'provider_ref', v_player_id, p_billing_no, v_attempt_no)
      on conflict do nothing;
  end if;
  perform record_delivery_results(jsonb_build_array(jsonb_build_object('player_id', v_player_id,
    'billing_no', p_billing_no, 'tries', 1, 'kind', 'done', 'receipt_id', p_receipt_id)));
  update orders set adopted_at = now(), paid_at = to_timestamp((p_facts ->> 'paid_at')::numeric)
    where player_id = v_player_id and billing_no = p_billing_no and state = 'delivered';
  if not found then perform refuse_adoption('not_delivered'); end if;
  insert into player_change (player_id) values (v_player_id);
  return jsonb_build_object('outcome', 'adopted', 'player_id', v_player_id, 'decisions', v_decisions);
exception when sqlstate 'RF061' then
  return jsonb_build_object('outcome', sqlerrm, 'player_id', coalesce(v_player_id, p_player_id),
    'decisions', '[]'::jsonb);
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_order_row(p_player_id uuid, p_billing_no text, p_facts jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
      area_id, role_id, role_name, suid, username, product, amount_minor, discount_minor, coupon_code, currency,
      region, country, language, state, review_reason, current_attempt, created_at, expires_at, accepted, points,
      promo_code, creator, share_minor, replenish_id)
    select p_player_id, p_billing_no, p_facts ->> 'brand_key', p_facts ->> 'game_id', p_facts ->> 'client_id',
      p_facts ->> 'product_id', p_facts ->> 'server_id', coalesce(r.server_name, ''), p_facts ->> 'area_id',
      p_facts ->> 'role_id', coalesce(r.name, ''), p_facts ->> 'suid', w.username, p_facts -> 'product',
      (p_facts ->> 'amount_minor')::bigint, (p_facts ->> 'discount_minor')::bigint, p_facts ->> 'coupon_code',
      p_facts ->> 'currency', p_facts ->> 'region', p_facts ->> 'country', p_facts ->> 'language', 'review',
      'payment_unreadable', (p_facts #>> '{attempt,attempt_no}')::integer,
      to_timestamp((p_facts ->> 'created_at')::numeric), now(), p_facts -> 'accepted',
      (p_facts ->> 'points')::bigint, p_facts ->> 'promo_code', p_facts ->> 'creator',
      (p_facts ->> 'share_minor')::bigint, p_facts ->> 'replenish_id'
    from player w left join player_role r on r.player_id = w.player_id and r.client_id = p_facts ->> 'client_id'
      and r.server_id = p_facts ->> 'server_id' and r.area_id = p_facts ->> 'area_id'
      and r.role_id = p_facts ->> 'role_id'
    where w.player_id = p_player_id;
  insert into order_lookup (billing_no, player_id) values (p_billing_no, p_player_id);
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_payment(p_player_id uuid, p_billing_no text, p_facts jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_paid jsonb := p_facts -> 'attempt';
  v_attempt_no integer := (v_paid ->> 'attempt_no')::integer;
  v_outcome text;
begin
  if num_nulls(p_player_id, p_billing_no, p_facts) > 0 then
    raise exception 'adopt_payment: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('adopt_payment, facts', p_facts, array['brand_key', 'game_id', 'client_id', 'product_id',
    'server_id', 'area_id', 'role_id', 'suid', 'product', 'amount_minor', 'discount_minor', 'currency', 'region',
    'country', 'language', 'created_at', 'attempt']);
  perform require_keys('adopt_payment, attempt', v_paid,
    array['attempt_no', 'provider', 'channel_key', 'channel_name', 'channel_id', 'method']);
  perform 1 from player where player_id = p_player_id for no key update;
  if exists (select from order_lookup where billing_no = p_billing_no) then return 'known'; end if;
  perform adopt_order_row(p_player_id, p_billing_no, p_facts);
  perform insert_attempt(p_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', v_paid ->> 'channel_key',
    v_paid -> 'channel_name', v_paid ->> 'channel_id', v_paid ->> 'method', (p_facts ->> 'amount_minor')::bigint,
    p_facts ->> 'currency', interval '0');
  v_outcome := apply_report(p_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', 'paid', true,
    v_paid ->> 'provider_ref', v_paid ->> 'capture_ref', (p_facts ->> 'amount_minor')::bigint,
    p_facts ->> 'currency', null, null, null, null, true) ->> 'outcome';
  if v_outcome <> 'paid' then
    raise exception 'adopt_payment: the payment came to %', v_outcome using errcode = 'raise_exception';
  end if;
  if v_paid ->> 'provider_ref' is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (v_paid ->> 'provider', v_paid ->> 'provider_ref', p_player_id, p_billing_no, v_attempt_no)
      on conflict do nothing;
  end if;
  update orders set adopted_at = now() where player_id = p_player_id and billing_no = p_billing_no;
  return v_outcome;
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_player(p_player_id uuid, p_facts jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_player_id uuid := p_player_id;
  v_known_id uuid;
  v_game_account_id uuid;
begin
  perform 1 from player where player_id = p_player_id;
  if not found then
    select i.player_id into v_known_id from player_identity i
      join jsonb_to_recordset(p_facts -> 'identities') as x(provider text, subject text)
        on i.provider = x.provider and i.subject = x.subject
      where i.brand_key = p_facts ->> 'brand_key' order by i.created_at limit 1;
    v_player_id := coalesce(v_known_id, p_player_id);
    select hash_game_account(x.provider, x.subject) into v_game_account_id
      from jsonb_to_recordset(p_facts -> 'identities') as x(provider text, subject text)
      where x.provider in ('game', 'game~beta') limit 1;
    insert into player (player_id, brand_key, suid, username, game_account_id)
      values (v_player_id, p_facts ->> 'brand_key', p_facts ->> 'suid', p_facts ->> 'suid', v_game_account_id)
      on conflict do nothing;
    insert into player_identity (brand_key, provider, subject, player_id)
      select p_facts ->> 'brand_key', x.provider, x.subject, v_player_id
      from jsonb_to_recordset(p_facts -> 'identities') as x(provider text, subject text) on conflict do nothing;
  end if;
  perform 1 from player where player_id = v_player_id for no key update;
  return v_player_id;
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_replenish(p_player_id uuid, p_billing_no text, p_facts jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_replenish replenish;
  v_opened jsonb := nullif(p_facts -> 'replenish', 'null');
begin
  select * into v_replenish from replenish where replenish_id = p_facts ->> 'replenish_id' for update;
  if not found then
    if v_opened is null then perform refuse_adoption('replenish_unknown'); end if;
    insert into replenish (replenish_id, player_id, brand_key, game_id, client_id, amount_minor, currency, reason,
        opened_by, reference, expires_at)
      values (p_facts ->> 'replenish_id', p_player_id, p_facts ->> 'brand_key', p_facts ->> 'game_id',
        p_facts ->> 'client_id', (p_facts ->> 'amount_minor')::bigint, p_facts ->> 'currency', v_opened ->> 'reason',
        v_opened ->> 'opened_by', v_opened ->> 'reference', (v_opened ->> 'expires_at')::timestamptz);
  elsif v_replenish.state <> 'open' or v_replenish.player_id <> p_player_id then
    perform refuse_adoption('replenish_paid_twice');
  end if;
  perform take_replenish(p_player_id, p_billing_no, p_facts);
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_reward(p_player_id uuid, p_reward_no text, p_facts jsonb, p_receipt_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_player_id uuid;
  v_reward reward := jsonb_populate_record(null::reward, p_facts - 'created_at');
  v_state text;
  v_account_id uuid;
  v_second reward;
  v_decisions jsonb := '[]';
begin
  if num_nulls(p_player_id, p_reward_no, p_facts, p_receipt_id) > 0 then
    raise exception 'adopt_reward: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('adopt_reward, facts', p_facts, array['issue_key', 'brand_key', 'game_id', 'client_id',
    'server_id', 'area_id', 'role_id', 'suid', 'product_id', 'gifts', 'title', 'basis', 'created_at']);
  v_player_id := adopt_player(p_player_id, p_facts);
  v_account_id := account_of(v_player_id);
  select state into v_state from reward where player_id = v_player_id and reward_no = p_reward_no for update;
  if v_state = 'done' then
    return jsonb_build_object('outcome', 'known', 'player_id', v_player_id, 'decisions', v_decisions);
  end if;
  select * into v_second from reward where account_id = v_account_id and issue_key = v_reward.issue_key
    and reward_no <> p_reward_no and state <> 'rejected' for update;
  if v_second.tries = 0 then
    update reward set state = 'rejected', last_error = 'received before: ' || p_reward_no
      where player_id = v_second.player_id and reward_no = v_second.reward_no;
    v_decisions := jsonb_build_array(jsonb_build_object('decision', 'reward_stopped', 'second', v_second.reward_no));
  elsif v_second.tries > 0 then
    update reward set issue_key = issue_key || '#' || reward_no,
        basis = basis || jsonb_build_object('again_of', p_reward_no)
      where player_id = v_second.player_id and reward_no = v_second.reward_no;
    v_decisions := jsonb_build_array(jsonb_build_object(
      'decision', 'reward_given_twice', 'second', v_second.reward_no));
  end if;
  -- The use that the first or the second had taken stays taken. One that goes on beside the other is counted under a
  -- key of its own.
  insert into limit_counter as c (account_id, game_id, product_id, subject, period, used, cap)
    select v_account_id, '', k.issue_key, 'reward', 'ever', 1, 1 from (
      select v_reward.issue_key
      union all select v_second.issue_key || '#' || v_second.reward_no where v_second.tries > 0) k
    on conflict (account_id, game_id, product_id, subject, period) do update set used = 1;
  if v_state is not null then
    update reward set state = 'done', done_at = now(), receipt_id = p_receipt_id, last_error = null
      where player_id = v_player_id and reward_no = p_reward_no;
  else
    insert into reward (player_id, account_id, reward_no, issue_key, brand_key, game_id, client_id, server_id,
        area_id, role_id, role_name, suid, product_id, gifts, title, basis, state, tries, receipt_id,
        created_at, done_at)
      select v_player_id, v_account_id, p_reward_no, v_reward.issue_key, v_reward.brand_key, v_reward.game_id,
        v_reward.client_id, v_reward.server_id, v_reward.area_id, v_reward.role_id, coalesce(r.name, ''), v_reward.suid,
        v_reward.product_id, v_reward.gifts, v_reward.title, v_reward.basis, 'done', 1, p_receipt_id,
        to_timestamp((p_facts ->> 'created_at')::numeric), now()
      from (select) one left join player_role r on r.player_id = v_player_id and r.client_id = v_reward.client_id
        and r.server_id = v_reward.server_id and r.area_id = v_reward.area_id and r.role_id = v_reward.role_id;
  end if;
  insert into player_change (player_id) values (v_player_id);
  return jsonb_build_object('outcome', 'adopted', 'player_id', v_player_id, 'decisions', v_decisions);
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_tender(p_player_id uuid, p_billing_no text, p_facts jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_tender jsonb := p_facts -> 'tender';
  v_currency text := p_facts ->> 'currency';
  v_amount_minor bigint := (p_facts ->> 'amount_minor')::bigint;
  v_attempt_no integer := (p_facts #>> '{attempt,attempt_no}')::integer;
  v_decisions jsonb := '[]';
  v_card gift_card;
  v_free_minor bigint;
  v_paid_minor bigint;
  v_second text;
begin
  if v_tender ->> 'kind' = 'wallet' then
    perform require_keys('adopt_tender, balance', v_tender, '{spends,free_minor,paid_minor}');
    loop
      perform lock_balance(p_player_id, v_currency);
      select coalesce(sum(balance_minor) filter (where kind = 'free'), 0),
        coalesce(sum(balance_minor) filter (where kind = 'paid'), 0)
        into v_free_minor, v_paid_minor from wallet_account where player_id = p_player_id and currency = v_currency;
      exit when v_free_minor + v_paid_minor >= v_amount_minor;
      -- The youngest first. What is older than the adopted order was paid before it and stands.
      select t.billing_no into v_second from wallet_txn t
        where t.player_id = p_player_id and t.currency = v_currency and t.type = 'debit' and t.billing_no > p_billing_no
          and not exists (select from wallet_txn r
            where r.player_id = p_player_id and r.billing_no = t.billing_no and r.type = 'refund')
          and not exists (select from orders o
            where o.player_id = p_player_id and o.billing_no = t.billing_no and o.adopted_at is not null)
        order by t.billing_no desc limit 1;
      if not found or not void_tender(p_player_id, v_second) then perform refuse_adoption('balance_missing'); end if;
      v_decisions := v_decisions || jsonb_build_object('decision', 'balance_spent_twice', 'second', v_second);
    end loop;
    -- As it was split then, as far as both kinds have it.
    v_free_minor := least(v_free_minor, greatest((v_tender ->> 'free_minor')::bigint, v_amount_minor - v_paid_minor));
    v_paid_minor := v_amount_minor - v_free_minor;
    perform wallet_post(
      p_player_id => p_player_id, p_type => 'debit', p_idempotency_key => 'pay:' || p_billing_no,
      p_currency => v_currency, p_amount_minor => v_amount_minor, p_billing_no => p_billing_no,
      p_spends => v_tender ->> 'spends', p_reason => 'order', p_actor => 'recovery',
      p_sides => jsonb_build_object('free', -v_free_minor, 'paid', -v_paid_minor, 'sales', v_amount_minor));
  elsif v_tender ->> 'kind' = 'card' then
    perform require_keys('adopt_tender, card', v_tender, '{card_id,rest_minor}');
    select * into v_card from gift_card where card_id = v_tender ->> 'card_id' for update;
    if not found then perform refuse_adoption('card_unknown'); end if;
    if v_card.state = 'spent' then
      if not void_tender(v_card.player_id, v_card.billing_no) then perform refuse_adoption('card_decided_here'); end if;
      v_decisions := jsonb_build_array(jsonb_build_object(
        'decision', 'card_spent_twice', 'card', v_card.card_id, 'second', v_card.billing_no));
    elsif v_card.state = 'void' then
      perform refuse_adoption('card_void');
    end if;
    update gift_card set state = 'spent', player_id = p_player_id, billing_no = p_billing_no,
        attempt_no = v_attempt_no, spent_at = to_timestamp((p_facts ->> 'paid_at')::numeric),
        rest_minor = (v_tender ->> 'rest_minor')::bigint
      where card_id = v_card.card_id;
    if (v_tender ->> 'rest_minor')::bigint > 0 then
      perform wallet_post(
        p_player_id => p_player_id, p_type => 'card',
        p_idempotency_key => 'card:' || v_card.card_id || ':' || p_billing_no, p_currency => v_currency,
        p_amount_minor => (v_tender ->> 'rest_minor')::bigint, p_billing_no => p_billing_no, p_spends => null,
        p_reason => 'left of a prepaid card', p_actor => 'recovery',
        p_sides => jsonb_build_object('paid', (v_tender ->> 'rest_minor')::bigint,
          'cards', -(v_tender ->> 'rest_minor')::bigint));
    end if;
  elsif p_facts #>> '{attempt,provider}' in ('card', 'wallet') then
    -- The facts were written before the tender was booked: nobody knows what paid.
    perform refuse_adoption('tender_unknown');
  end if;
  return v_decisions;
end $function$;

CREATE OR REPLACE FUNCTION public.age_in_month(p_birth_year integer, p_birth_month integer, p_month timestamp without time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select floor((extract(year from p_month)::integer * 12 + extract(month from p_month)::integer
    - p_birth_year * 12 - p_birth_month - 1) / 12.0)::integer
$function$;

CREATE OR REPLACE FUNCTION public.apply_report(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_status text, p_is_our_merchant boolean, p_provider_ref text, p_capture_ref text, p_amount_minor bigint, p_currency text, p_reason text, p_exchange jsonb, p_callback jsonb, p_lease interval, p_must_notify boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_attempt payment_attempt;
  v_state text;
  v_review_reason text;
  v_has_reservation boolean;
  v_is_paid_already boolean;
  v_both record;
  v_inbox_state text;
  v_outcome text := 'noted';
  v_differs boolean;
  v_is_charged_back boolean;
  v_whole_minor bigint;
  v_is_in_currency boolean;
  v_is_part boolean;
  v_is_last_part boolean := false;
  v_answer jsonb;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_provider, p_status, p_must_notify) > 0 then
    raise exception 'apply_report: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_status not in ('pending', 'unknown', 'approved', 'paid', 'paid_unreadable', 'declined', 'failed', 'expired',
      'refunded', 'refund_failed', 'chargeback') then
    raise exception 'apply_report: there is no status %', p_status using errcode = 'invalid_parameter_value';
  end if;

  select o.state, o.review_reason,
      exists (select from reservation r where r.player_id = p_player_id and r.billing_no = p_billing_no)
    into v_state, v_review_reason, v_has_reservation
    from orders o join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no
    where o.player_id = p_player_id and o.billing_no = p_billing_no and a.attempt_no = p_attempt_no
      and a.provider = p_provider;
  if not found then return jsonb_build_object('outcome', 'unknown_order'); end if;
  -- Only money for an order that is closed or in review, or the end of an open one, touches counters: then they
  -- are locked first.
  if p_status = 'paid' and (is_lapsed(v_state) or v_state = 'review') then
    -- The player's spending is counted again (reserve_again).
    perform 1 from player where player_id = p_player_id for no key update;
  end if;
  if v_has_reservation and (p_status in ('failed', 'expired')
      or (p_status = 'paid' and (is_lapsed(v_state) or v_state = 'review'))) then
    perform lock_reservations(p_player_id, p_billing_no);
  elsif p_status in ('refunded', 'chargeback') then
    perform lock_reservations(p_player_id, p_billing_no);
    perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  end if;
  select o as o, a as a, exists (select from payment_attempt s
      where s.player_id = p_player_id and s.billing_no = p_billing_no and s.state = 'succeeded') as paid
    into v_both from orders o join payment_attempt a
      on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = p_attempt_no
    where o.player_id = p_player_id and o.billing_no = p_billing_no for update of o, a;
  v_order := v_both.o;
  v_attempt := v_both.a;
  if p_status = 'paid' and (is_lapsed(v_order.state) or v_order.state = 'review')
     and (is_lapsed(v_state) or v_state = 'review') is not true then
    -- It was closed while we waited for it. Its counters are locked out of turn: of two that wait for each other
    -- PostgreSQL ends one, and a report that is ended is told again.
    perform 1 from player where player_id = p_player_id for no key update;
    if v_has_reservation then perform lock_reservations(p_player_id, p_billing_no); end if;
  end if;
  v_is_paid_already := v_both.paid;
  -- The lock is held now, so only now is it certain whether this callback was received before.
  if p_callback is not null then
    select state into v_inbox_state from callback_inbox
      where provider = p_provider and dedup_key = p_callback ->> 'dedup_key';
    if v_inbox_state <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
  end if;

  if p_status = 'paid' then
    if v_attempt.state in ('succeeded', 'overpayment')
      or (v_attempt.state = 'mismatch' and is_mismatch_booked(v_attempt)) then
      v_outcome := 'duplicate';
    else
      v_differs := p_is_our_merchant is not true or p_amount_minor is distinct from v_attempt.amount_minor
        or p_currency is distinct from v_attempt.currency;
      -- A chargeback that came first booked nothing of a payment that differs, and the bank does not send it again. Of
      -- an open payment it is booked at once.
      v_is_charged_back := (v_differs or v_attempt.state = 'mismatch') and exists (select 1 from callback_inbox i
        where i.billing_no = p_billing_no and i.provider = p_provider and i.outcome = 'chargeback'
          and i.reference = p_billing_no || '-' || p_attempt_no);
      if v_differs then
        v_outcome := 'mismatch';
        perform book_mismatch(v_order, v_attempt, p_is_our_merchant, p_amount_minor, p_currency, p_capture_ref);
      elsif v_is_paid_already or v_order.state in ('paid', 'delivering', 'delivered', 'refunded', 'refund_due') then
        v_outcome := 'overpayment';
        perform book_overpayment(v_attempt, p_capture_ref);
      else
        -- It keeps its callback itself. Goods whose money is gone again are handed to nobody.
        v_answer := book_payment(v_order, v_attempt, p_provider_ref, p_capture_ref, p_exchange, p_callback,
          case when v_is_charged_back then null else p_lease end, p_must_notify);
      end if;
      if v_is_charged_back then perform book_chargeback(p_player_id, p_billing_no, p_attempt_no, null); end if;
      if v_answer is not null then return v_answer; end if;
    end if;
  elsif p_is_our_merchant is not true then
    -- Another account's refund, chargeback or failure says nothing about this payment, even when one key signs
    -- for both.
    v_outcome := case when p_status in ('pending', 'unknown') then 'noted' else 'foreign_merchant' end;
  elsif p_status = 'paid_unreadable' then
    if v_attempt.state in ('succeeded', 'overpayment') then
      v_outcome := 'duplicate';
    else
      -- Told once; asked again as long as the provider is polled.
      v_outcome := case when v_attempt.unreadable_reason is null then 'unreadable' else 'noted' end;
      update payment_attempt set unreadable_reason = left(coalesce(p_reason, 'no reason given'), 300),
          exchange = exchange || coalesce(p_exchange, '{}')
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
      update orders set state = 'review', review_reason = 'payment_unreadable'
        where player_id = p_player_id and billing_no = p_billing_no and (is_unpaid or is_lapsed(state));
      if found then perform note_order_move(p_player_id, p_billing_no, v_order.state, 'review'); end if;
      insert into player_change (player_id) values (p_player_id);
    end if;
  elsif p_status in ('failed', 'expired') then
    if v_attempt.is_open then
      v_outcome := 'closed';
      update payment_attempt set state = p_status, next_query_at = null
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
      update orders set state = p_status, closed_at = v_now
        where player_id = p_player_id and billing_no = p_billing_no and is_unpaid and current_attempt = p_attempt_no;
      if found then
        perform note_order_move(p_player_id, p_billing_no, v_order.state, p_status);
        perform release_reservations(p_player_id, p_billing_no);
      end if;
    end if;
  elsif p_status = 'declined' then
    if v_attempt.is_open then
      v_outcome := 'declined';
      update payment_attempt set declined_at = v_now
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
    end if;
  elsif p_status = 'approved' then
    if v_attempt.is_open then
      v_outcome := 'approved';
      update payment_attempt set approved_at = coalesce(approved_at, v_now), next_query_at = v_now,
          provider_ref = coalesce(provider_ref, p_provider_ref)
        where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
      if p_must_notify then perform pg_notify('refill_payment', ''); end if;
    end if;
  elsif p_status = 'refunded' then
    v_whole_minor := coalesce(v_attempt.reported_minor, v_attempt.amount_minor);
    v_is_in_currency := p_currency = coalesce(v_attempt.reported_currency, v_attempt.currency);
    -- A callback tells one part, once; a poll may tell the same part again.
    v_is_part := p_callback is not null and v_is_in_currency is true and p_amount_minor > 0;
    if v_is_part and p_amount_minor < v_whole_minor then
      v_is_last_part := p_amount_minor + refunded_parts(p_player_id, p_billing_no, p_attempt_no)
        + charged_back(p_player_id, p_billing_no, p_attempt_no) >= v_whole_minor;
    end if;
    if (v_is_in_currency and p_amount_minor = v_whole_minor) is not true and not v_is_last_part then
      -- Only a part came back, or nobody says how much: the books wait for a person. A payment beside the order's own
      -- (overpayment, mismatch) moves no order; one not reported yet says that the provider has had money.
      v_outcome := 'partial_refund';
      v_state := case
        when v_attempt.state = 'succeeded' and v_order.state in ('paid', 'delivering') then 'review'
        when not v_is_paid_already and v_attempt.state not in ('overpayment', 'mismatch')
          and (v_order.is_unpaid or is_lapsed(v_order.state)) then 'review'
        else v_order.state end;
      v_is_part := v_is_part and (v_attempt.state in ('succeeded', 'overpayment') or is_mismatch_booked(v_attempt))
        and book_part(v_attempt, p_amount_minor);
      if v_is_part then perform lessen_refund(p_player_id, p_billing_no, p_attempt_no, p_amount_minor); end if;
      update orders set review_reason = 'partial_refund', state = v_state,
          refunded_minor = case when v_is_part and v_attempt.state = 'succeeded'
            then least(coalesce(refunded_minor, 0) + p_amount_minor, amount_minor) else refunded_minor end
        where player_id = p_player_id and billing_no = p_billing_no;
      insert into player_change (player_id) values (p_player_id);
      if v_state <> v_order.state then
        -- Whoever decides may send the goods or refund the rest. A call under way that hands them over is believed.
        update delivery set state = 'rejected', last_error = 'partial refund'
          where player_id = p_player_id and billing_no = p_billing_no and state in ('queued', 'calling', 'unknown');
        perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state);
      end if;
      if v_order.points > 0 then perform settle_points(p_player_id, p_billing_no, 'refunded'); end if;
      if v_order.share_minor > 0 then perform settle_share(p_player_id, p_billing_no, 'refunded'); end if;
    else
      perform book_unreported_payment(p_player_id, p_billing_no, p_attempt_no);
      if book_refund(p_player_id, p_billing_no, p_attempt_no) then v_outcome := 'refunded'; end if;
    end if;
  elsif p_status = 'refund_failed' then
    if book_refund_failure(v_attempt, coalesce(p_reason, 'the provider could not refund')) then
      v_outcome := 'refund_failed';
    end if;
  elsif p_status = 'chargeback' then
    v_outcome := 'chargeback';
    if p_amount_minor is not distinct from v_attempt.amount_minor
      and p_currency is not distinct from v_attempt.currency then
      perform book_unreported_payment(p_player_id, p_billing_no, p_attempt_no);
    end if;
    perform book_chargeback(p_player_id, p_billing_no, p_attempt_no,
      case when p_currency = coalesce(v_attempt.reported_currency, v_attempt.currency) then p_amount_minor end);
  end if;

  if p_callback is not null then
    perform keep_callback(p_provider, p_callback,
      case when v_outcome in ('noted', 'duplicate', 'foreign_merchant') then 'ignored' else 'applied' end, v_outcome,
      p_player_id, p_billing_no);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', p_player_id, 'billing_no', p_billing_no,
    'attempt_no', p_attempt_no, 'game_id', v_order.game_id);
end $function$;

CREATE OR REPLACE FUNCTION public.archive_guard_month()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_try_advisory_xact_lock_shared(7339458, archive_key(tg_table_name)) then
    raise exception 'the month of this order is being archived' using errcode = 'object_not_in_prerequisite_state';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION public.archive_key(p_partition text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select hashtext(substring(p_partition from '_(\d{4}_\d{2}|before)$')) & 2147483647
$function$;

CREATE OR REPLACE FUNCTION public.archive_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the month of this order is being archived' using errcode = 'object_not_in_prerequisite_state';
end $function$;

CREATE OR REPLACE FUNCTION public.archived_until()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(max(to_no), '') from archived_month
$function$;

CREATE OR REPLACE FUNCTION public.audit_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_erases text := current_setting('refill.erases', true);
  v_player player;
begin
  if tg_op = 'UPDATE' and v_erases <> '' then
    -- By itself: on a spread database it is asked of the player's node, where no row of the audit is known.
    select * into v_player from player where player_id = v_erases::uuid;
    if (to_jsonb(new) - 'details') = (to_jsonb(old) - 'details')
      and new.details = audit_without(old.details, v_player) then
      return new;
    end if;
  end if;
  raise exception 'the ledger is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.audit_without(p_details jsonb, p_player player)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(jsonb_object_agg(d.key, case
      when d.key in ('player', 'to', 'suid') and d.value #>> '{}' in (p_player.suid, p_player.username,
        'user_id:' || p_player.suid, 'login:' || p_player.username, 'login:' || lower(p_player.username))
        then to_jsonb(p_player.player_id) else d.value end), '{}')
  from jsonb_each(p_details) d
$function$;

CREATE OR REPLACE FUNCTION public.believed_refund(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_amount_minor bigint, p_doubt text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_whole_minor bigint;
begin
  if p_doubt is null then return p_amount_minor; end if;
  if exists (select from refund
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and amount_minor = p_amount_minor and tries > 0 and state <> 'manual') then
    return p_amount_minor;
  end if;
  select coalesce(reported_minor, amount_minor) into v_whole_minor from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  return case
    when p_doubt = 'part' and p_amount_minor = v_whole_minor then p_amount_minor
    when p_doubt = 'whole' and p_amount_minor < v_whole_minor then p_amount_minor
  end;
end $function$;

CREATE OR REPLACE FUNCTION public.billing_no_at(p_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  v_ms constant bigint := greatest(0, least(281474976710655, extract(epoch from p_at) * 1000));
  v_no text := '';
begin
  for d in 0 .. 9 loop
    v_no := v_no || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (v_ms >> (45 - 5 * d) & 31)::integer + 1, 1);
  end loop;
  return v_no;
end $function$;

CREATE OR REPLACE FUNCTION public.billing_no_span(p_inputs jsonb, OUT first_no text, OUT last_no text)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  v_no text;
begin
  for i in 0 .. jsonb_array_length(p_inputs) - 1 loop
    v_no := p_inputs #>> array[i::text, 'billing_no'];
    first_no := least(first_no, v_no);
    last_no := greatest(last_no, v_no);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.block_again(p_player_id uuid, p_billing_no text, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_billing_no, p_reason) > 0 then
    raise exception 'block_again: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  insert into revocation (player_id, billing_no, game_id, reason)
    select player_id, billing_no, game_id, p_reason from orders
    where player_id = p_player_id and billing_no = p_billing_no and replenish_id is not null
      and delivered_at is not null
    on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION public.book_chargeback(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_amount_minor bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_locked record;
  v_order orders;
  v_attempt payment_attempt;
  v_whole_minor bigint;
  v_amount_minor bigint;
  v_currency text;
  v_state text;
  v_is_new boolean;
  v_is_whole boolean;
begin
  v_locked := lock_payment(p_player_id, p_billing_no, p_attempt_no);
  insert into player_change (player_id) values (p_player_id);
  v_order := v_locked.locked_order;
  v_attempt := v_locked.locked_attempt;
  v_is_new := v_order.review_reason is distinct from 'chargeback';
  if exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and kind in ('refunded', 'overpayment_refunded', 'chargeback')) then
    update orders set review_reason = 'chargeback' where player_id = p_player_id and billing_no = p_billing_no;
    perform note_order_move(p_player_id, p_billing_no, v_order.state, v_order.state, v_is_new);
    return false;
  end if;
  if v_attempt.state = 'succeeded' then
    v_whole_minor := v_attempt.amount_minor - refunded_parts(p_player_id, p_billing_no, p_attempt_no);
    v_amount_minor := case when p_amount_minor > 0 then least(v_whole_minor, p_amount_minor) else v_whole_minor end;
    v_is_whole := v_amount_minor >= v_whole_minor;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no,
        'chargeback_loss', v_amount_minor, v_attempt.currency),
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no,
        'provider_receivable', -v_amount_minor, v_attempt.currency);
    perform stop_delivery(p_player_id, p_billing_no, 'chargeback');
    perform block_again(p_player_id, p_billing_no, 'chargeback');
    update orders set review_reason = 'chargeback',
        refunded_minor = least(coalesce(refunded_minor, 0) + v_amount_minor, amount_minor),
        state = case
          when state in ('paid', 'delivering') then 'review'
          when state = 'refund_due' and v_is_whole then 'refunded' else state end,
        refunded_at = case when state = 'refund_due' and v_is_whole then v_now else refunded_at end,
        closed_at = case when state = 'refund_due' and v_is_whole then v_now else closed_at end
      where player_id = p_player_id and billing_no = p_billing_no returning state into v_state;
    perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state, v_is_new);
    if v_order.points > 0 then perform settle_points(p_player_id, p_billing_no, 'chargeback'); end if;
    if v_order.share_minor > 0 then perform settle_share(p_player_id, p_billing_no, 'chargeback'); end if;
    if v_order.state = 'refund_due' and v_is_whole then
      perform release_reservations(p_player_id, p_billing_no);
    end if;
  else
    select -amount_minor, currency into v_whole_minor, v_currency from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and kind = 'overpayment'
        and attempt_no = p_attempt_no and account = 'refund_owed';
    if not found then
      -- Nothing of it is ours yet. A payment that comes after all is booked, and its goods wait; of one that differed
      -- the bank's word is found then (apply_report).
      update orders set review_reason = 'chargeback',
          state = case when v_attempt.state <> 'mismatch' and (is_unpaid or is_lapsed(state)) then 'review'
            else state end
        where player_id = p_player_id and billing_no = p_billing_no returning state into v_state;
      perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state, v_is_new);
      return false;
    end if;
    v_whole_minor := v_whole_minor - refunded_parts(p_player_id, p_billing_no, p_attempt_no);
    v_amount_minor := case when p_amount_minor > 0 then least(v_whole_minor, p_amount_minor) else v_whole_minor end;
    v_is_whole := v_amount_minor >= v_whole_minor;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no, 'refund_owed', v_amount_minor, v_currency),
      (p_player_id, p_billing_no, 'chargeback', p_attempt_no, 'provider_receivable', -v_amount_minor, v_currency);
    if v_attempt.state = 'mismatch' and v_is_whole then
      -- The money that was owed back is back: nothing is left to decide.
      update orders set state = 'refunded', refunded_at = v_now, closed_at = v_now, review_reason = 'chargeback'
        where player_id = p_player_id and billing_no = p_billing_no and state in ('review', 'refund_due')
          and not exists (select from payment_attempt a
            where a.player_id = p_player_id and a.billing_no = p_billing_no and a.state = 'succeeded');
      if found then
        perform note_order_move(p_player_id, p_billing_no, v_order.state, 'refunded', v_is_new);
        perform release_reservations(p_player_id, p_billing_no);
      end if;
    end if;
  end if;
  -- Of a part, the rest of a promised refund is still owed.
  if not v_is_whole then
    perform lessen_refund(p_player_id, p_billing_no, p_attempt_no, v_amount_minor);
    return true;
  end if;
  -- A refund that was promised is kept by the bank: asking the provider as well would pay twice.
  update refund set state = 'done', done_at = v_now, last_error = 'chargeback'
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no and state <> 'done';
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.book_mismatch(p_order orders, p_attempt payment_attempt, p_is_our_merchant boolean, p_amount_minor bigint, p_currency text, p_capture_ref text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into player_change (player_id) values (p_attempt.player_id);
  update payment_attempt set state = 'mismatch', capture_ref = coalesce(p_capture_ref, capture_ref),
      next_query_at = null, reported_minor = p_amount_minor, reported_currency = p_currency
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no;
  if p_is_our_merchant is true and p_amount_minor > 0 and p_currency is not null then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
        'provider_receivable', p_amount_minor, p_currency),
      (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
        'refund_owed', -p_amount_minor, p_currency);
  end if;
  if p_order.is_unpaid or is_lapsed(p_order.state) then
    update orders set state = 'review', review_reason = 'payment_mismatch'
      where player_id = p_order.player_id and billing_no = p_order.billing_no;
    perform note_order_move(p_order.player_id, p_order.billing_no, p_order.state, 'review');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.book_overpayment(p_attempt payment_attempt, p_capture_ref text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into player_change (player_id) values (p_attempt.player_id);
  update payment_attempt set state = 'overpayment', capture_ref = coalesce(p_capture_ref, capture_ref),
      succeeded_at = now(), next_query_at = null, unreadable_reason = null
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
    (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
      'provider_receivable', p_attempt.amount_minor, p_attempt.currency),
    (p_attempt.player_id, p_attempt.billing_no, 'overpayment', p_attempt.attempt_no,
      'refund_owed', -p_attempt.amount_minor, p_attempt.currency);
  perform request_refund(p_attempt.player_id, p_attempt.billing_no, p_attempt.attempt_no, 'paid twice', 'shop');
end $function$;

CREATE OR REPLACE FUNCTION public.book_part(p_attempt payment_attempt, p_amount_minor bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_count integer;
begin
  select count(*) into v_count from ledger_entry
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no
      and account = 'provider_receivable' and kind like 'part\_refunded\_%';
  if v_count >= 9 or p_amount_minor <= 0 then return false; end if;
  -- A part that is told after the whole, or what the bank has left of it, went back says nothing new.
  if p_amount_minor > (select coalesce(sum(amount_minor), 0) from ledger_entry
      where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
        and attempt_no = p_attempt.attempt_no and account = 'provider_receivable') then
    return false;
  end if;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_attempt.player_id, p_attempt.billing_no, 'part_refunded_' || v_count + 1, p_attempt.attempt_no,
      side.account, side.minor, coalesce(p_attempt.reported_currency, p_attempt.currency)
    from (values (case when p_attempt.state = 'succeeded' then 'revenue' else 'refund_owed' end, p_amount_minor),
      ('provider_receivable', -p_amount_minor)) as side(account, minor);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.book_payment(p_order orders, p_attempt payment_attempt, p_provider_ref text, p_capture_ref text, p_exchange jsonb, p_callback jsonb, p_lease interval, p_must_notify boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  -- In review only because nobody could read what was paid: it goes on as if it had been read at once.
  v_was_unreadable boolean := p_order.state = 'review' and p_order.review_reason = 'payment_unreadable';
  v_outcome text := 'late_refused';
  v_is_going_out boolean;
  v_state text;
  v_facts jsonb;
begin
  if p_order.is_unpaid or (v_was_unreadable and p_order.closed_at is null) then
    v_outcome := 'paid';
  elsif (is_lapsed(p_order.state) or v_was_unreadable) and reserve_again(p_order.player_id, p_order.billing_no) then
    v_outcome := 'late_paid';
  end if;
  v_is_going_out := v_outcome <> 'late_refused';
  v_state := case when v_is_going_out and p_lease is null then 'paid' when v_is_going_out then 'delivering'
    when p_order.state = 'review' then 'review' else 'refund_due' end;
  if p_callback is not null then
    perform keep_callback(p_attempt.provider, p_callback, 'applied', v_outcome, p_order.player_id, p_order.billing_no);
  end if;
  -- One statement for what every payment needs: each more would have to be begun. A booking has to be one in any case
  -- (ledger_check_balance).
  with succeeded as (
    update payment_attempt set state = 'succeeded', succeeded_at = v_now,
        capture_ref = coalesce(p_capture_ref, capture_ref), reported_minor = null, reported_currency = null,
        unreadable_reason = null, provider_ref = coalesce(provider_ref, p_provider_ref), next_query_at = null,
        exchange = exchange || coalesce(p_exchange, '{}')
      where player_id = p_order.player_id and billing_no = p_order.billing_no and attempt_no = p_attempt.attempt_no
  ), booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_order.player_id, p_order.billing_no, 'paid', p_attempt.attempt_no, e.account, e.amount_minor,
        p_attempt.currency
      from (values ('provider_receivable', p_attempt.amount_minor), ('promo', p_order.discount_minor),
        ('goods_owed', -p_attempt.amount_minor - p_order.discount_minor)) as e(account, amount_minor)
      where e.amount_minor <> 0
  ), queued as (
    insert into delivery (player_id, billing_no, game_id, state, tries, next_at)
      select p_order.player_id, p_order.billing_no, p_order.game_id,
        case when p_lease is null then 'queued' else 'calling' end, case when p_lease is null then 0 else 1 end,
        v_now + coalesce(p_lease, interval '0')
      where v_is_going_out
  ), noted as (
    insert into player_change (player_id) values (p_order.player_id)
  )
  update orders set paid_at = v_now, is_late = v_outcome <> 'paid', state = v_state,
      delivering_at = case when v_is_going_out and p_lease is not null then v_now else delivering_at end,
      closed_at = case when v_is_going_out then null else closed_at end,
      review_reason = case when v_is_going_out and v_was_unreadable then null when v_is_going_out then review_reason
        else coalesce(review_reason, 'late_payment_without_stock') end
    where player_id = p_order.player_id and billing_no = p_order.billing_no;
  perform note_order_move(p_order.player_id, p_order.billing_no, p_order.state, v_state);
  if v_outcome = 'late_refused' and p_order.state <> 'review' then
    perform request_refund(p_order.player_id, p_order.billing_no, p_attempt.attempt_no, 'paid too late', 'shop');
  end if;

  if v_is_going_out and p_lease is null and p_must_notify then
    perform pg_notify('refill_delivery', p_order.game_id);
  end if;
  if v_is_going_out and p_lease is not null then
    -- As the rows are now, for recovery_facts tells them later.
    p_order.paid_at := v_now;
    p_attempt.capture_ref := coalesce(p_capture_ref, p_attempt.capture_ref);
    p_attempt.provider_ref := coalesce(p_attempt.provider_ref, p_provider_ref);
    v_facts := describe_paid_order(p_order, p_attempt);
  end if;
  return paid_answer(p_order, p_attempt.attempt_no, v_outcome, v_facts);
end $function$;

CREATE OR REPLACE FUNCTION public.book_plain_payments(p_reports jsonb)
 RETURNS jsonb[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_now constant timestamptz := now();
  v_span record := billing_no_span(p_reports);
  v_first constant text := v_span.first_no;
  v_last constant text := v_span.last_no;
  v_answers jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(p_reports)]);
  v_count integer := 0;
  v_succeeded_count integer := 0;
  v_order orders;
  v_attempt payment_attempt;
  v_facts jsonb;
  r record;
begin
  -- By itself: the statement below must see its rows as they are after the wait, and wait for none (billing_no_span).
  perform 1 from jsonb_to_recordset(p_reports) as x(billing_no text, attempt_no integer, status text)
    join order_lookup l on x.status = 'paid' and l.billing_no = x.billing_no and l.billing_no between v_first and v_last
    join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
      and o.billing_no between v_first and v_last
    join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = x.attempt_no
      and a.billing_no between v_first and v_last
    order by o.player_id, o.billing_no for update of o, a;

  for r in
    with given as (
      -- Of two words about one order the first; the second is measured by what the first has made of it.
      select distinct on (x.billing_no) x.*
        from rows from (jsonb_to_recordset(p_reports) as (billing_no text, attempt_no integer, provider text,
            status text, is_our_merchant boolean, provider_ref text, capture_ref text, amount_minor bigint,
            currency text, exchange jsonb, callback jsonb, lease_seconds double precision, must_notify boolean))
          with ordinality as x(billing_no, attempt_no, provider, status, is_our_merchant, provider_ref, capture_ref,
            amount_minor, currency, exchange, callback, lease_seconds, must_notify, place)
        where x.status = 'paid' and x.is_our_merchant and x.must_notify is not null
          and (x.callback is null or (x.callback ->> 'dedup_key' is not null and x.callback ->> 'report' is not null
            and x.callback ->> 'headers' is not null and x.callback ->> 'body' is not null))
        order by x.billing_no, x.place
    ), held as (
      select t.place, t.provider_ref, t.capture_ref, t.exchange, t.callback, t.lease_seconds, t.must_notify,
          o.player_id, o.billing_no, o.game_id, o.discount_minor, a.attempt_no, a.amount_minor, a.currency,
          a.provider, o, a
        from given t join order_lookup l on l.billing_no = t.billing_no and l.billing_no between v_first and v_last
          join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no
            and o.billing_no between v_first and v_last
          join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no
            and a.attempt_no = t.attempt_no and a.billing_no between v_first and v_last
        where o.is_unpaid and a.is_open and a.provider = t.provider
          and a.amount_minor = t.amount_minor and a.currency = t.currency
          and not exists (select from payment_attempt s
            where s.player_id = o.player_id and s.billing_no = o.billing_no and s.state = 'succeeded'
              and s.billing_no between v_first and v_last)
          and not exists (select from callback_inbox i
            where i.provider = t.provider and i.dedup_key = t.callback ->> 'dedup_key')
        order by o.player_id, o.billing_no
    ), kept as (
      insert into callback_inbox (provider, dedup_key, reference, report, headers, body, state, outcome, player_id,
          billing_no, applied_at)
        select h.provider, h.callback ->> 'dedup_key', h.callback ->> 'reference', h.callback -> 'report',
          h.callback -> 'headers', h.callback ->> 'body', 'applied', 'paid', h.player_id, h.billing_no, v_now
        from held h where h.callback is not null
    ), succeeded as (
      update payment_attempt a set state = 'succeeded', succeeded_at = v_now,
          capture_ref = coalesce(h.capture_ref, a.capture_ref), reported_minor = null, reported_currency = null,
          unreadable_reason = null, provider_ref = coalesce(a.provider_ref, h.provider_ref), next_query_at = null,
          exchange = case when h.exchange is null then a.exchange else a.exchange || h.exchange end
        from held h
        where a.player_id = h.player_id and a.billing_no = h.billing_no and a.attempt_no = h.attempt_no
          and a.billing_no between v_first and v_last
        returning a.billing_no
    ), booked as (
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
        select h.player_id, h.billing_no, 'paid', h.attempt_no, e.account, e.amount_minor, h.currency
        from held h cross join lateral (values ('provider_receivable', h.amount_minor),
            ('promo', h.discount_minor), ('goods_owed', -h.amount_minor - h.discount_minor))
          as e(account, amount_minor)
        where e.amount_minor <> 0
    ), queued as (
      insert into delivery (player_id, billing_no, game_id, state, tries, next_at)
        select h.player_id, h.billing_no, h.game_id,
          case when h.lease_seconds is null then 'queued' else 'calling' end,
          case when h.lease_seconds is null then 0 else 1 end,
          v_now + make_interval(secs => coalesce(h.lease_seconds, 0))
        from held h
    ), noted as (
      insert into player_change (player_id) select h.player_id from held h
    ), moved as (
      update orders o set paid_at = v_now, is_late = false, closed_at = null,
          state = case when h.lease_seconds is null then 'paid' else 'delivering' end,
          delivering_at = case when h.lease_seconds is null then o.delivering_at else v_now end
        from held h where o.player_id = h.player_id and o.billing_no = h.billing_no
          and o.billing_no between v_first and v_last
        returning h.*,
          case when h.lease_seconds is not null then (
            select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject)
              order by i.provider, i.subject)
            from player_identity i where i.player_id = h.player_id and i.created_at <= v_now) end as identities,
          case when h.lease_seconds is not null then (
            select jsonb_agg(jsonb_build_object('kind', v.kind, 'game_id', v.game_id, 'product_id', v.product_id,
              'subject', v.subject, 'period', v.period, 'cap', v.cap) order by v.kind)
            from reservation v where v.player_id = h.player_id and v.billing_no = h.billing_no) end as reservations
    )
    select m.*, c.succeeded_count from (select count(*) as succeeded_count from succeeded) c left join moved m on true
  loop
    v_succeeded_count := r.succeeded_count;
    continue when r.place is null;
    v_count := v_count + 1;
    delete from unpaid_order where player_id = r.player_id and billing_no = r.billing_no;
    v_order := r.o;
    v_facts := null;
    if r.lease_seconds is not null then
      -- As the rows are now, for recovery_facts tells them later.
      v_order.paid_at := v_now;
      v_attempt := r.a;
      v_attempt.capture_ref := coalesce(r.capture_ref, v_attempt.capture_ref);
      v_attempt.provider_ref := coalesce(v_attempt.provider_ref, r.provider_ref);
      v_facts := describe_order_facts(v_order, v_attempt, r.identities, r.reservations);
    end if;
    v_answers[r.place] := paid_answer(v_order, r.attempt_no, 'paid', v_facts);
    if r.lease_seconds is null and r.must_notify then perform pg_notify('refill_delivery', r.game_id); end if;
  end loop;
  if v_count <> v_succeeded_count then
    raise exception 'book_plain_payments: % orders and % attempts were found', v_count, v_succeeded_count;
  end if;
  return v_answers;
end $function$;

CREATE OR REPLACE FUNCTION public.book_refund(p_player_id uuid, p_billing_no text, p_attempt_no integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_locked record;
  v_order orders;
  v_attempt payment_attempt;
  v_amount_minor bigint;
  v_currency text;
  v_parts_minor bigint;
  v_taken_minor bigint;
begin
  v_locked := lock_payment(p_player_id, p_billing_no, p_attempt_no);
  insert into player_change (player_id) values (p_player_id);
  v_order := v_locked.locked_order;
  v_attempt := v_locked.locked_attempt;
  -- Back already, or the bank has all of it: a provider that also says "refunded" (Xsolla's order_canceled) speaks of
  -- the same money. Asked under the lock: how many rows `on conflict do nothing` left out is not told on a database that is
  -- spread over machines.
  if exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and kind in ('refunded', 'overpayment_refunded')) then
    return false;
  end if;
  v_parts_minor := refunded_parts(p_player_id, p_billing_no, p_attempt_no);
  v_taken_minor := charged_back(p_player_id, p_billing_no, p_attempt_no);
  if v_attempt.state in ('overpayment', 'mismatch') then
    select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and kind = 'overpayment'
        and attempt_no = p_attempt_no and account = 'refund_owed';
    if not found then return false; end if;
    v_amount_minor := v_amount_minor - v_parts_minor - v_taken_minor;
    if v_amount_minor <= 0 then return false; end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player_id, p_billing_no, 'overpayment_refunded', p_attempt_no,
        'refund_owed', v_amount_minor, v_currency),
      (p_player_id, p_billing_no, 'overpayment_refunded', p_attempt_no,
        'provider_receivable', -v_amount_minor, v_currency);
    if v_attempt.state = 'mismatch' then
      -- Unless another payment of the order is here: then that one waits for its decision.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now()
        where player_id = p_player_id and billing_no = p_billing_no and state in ('review', 'refund_due')
          and not exists (select from payment_attempt a
            where a.player_id = p_player_id and a.billing_no = p_billing_no and a.state = 'succeeded');
      if found then
        perform note_order_move(p_player_id, p_billing_no, v_order.state, 'refunded');
        perform release_reservations(p_player_id, p_billing_no);
      end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    if v_attempt.amount_minor - v_parts_minor - v_taken_minor <= 0 then return false; end if;
    -- Revenue is taken back whole, so what the bank took of it is no loss beside.
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player_id, p_billing_no, 'refunded', p_attempt_no, side.account, sum(side.minor), v_attempt.currency
      from (values
        (case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end,
          v_attempt.amount_minor + v_order.discount_minor),
        ('provider_receivable', v_parts_minor + v_taken_minor - v_attempt.amount_minor),
        ('promo', -v_order.discount_minor),
        ('revenue', -v_parts_minor),
        ('chargeback_loss', -v_taken_minor)
      ) as side(account, minor) group by side.account having sum(side.minor) <> 0;
    perform stop_delivery(p_player_id, p_billing_no, 'refunded');
    perform block_again(p_player_id, p_billing_no, 'refund');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now(), refunded_minor = amount_minor
      where player_id = p_player_id and billing_no = p_billing_no;
    perform note_order_move(p_player_id, p_billing_no, v_order.state, 'refunded');
    if v_order.points > 0 then perform settle_points(p_player_id, p_billing_no, 'refunded'); end if;
    if v_order.share_minor > 0 then perform settle_share(p_player_id, p_billing_no, 'refunded'); end if;
    if v_order.delivered_at is null then perform release_reservations(p_player_id, p_billing_no); end if;
  else
    return false;
  end if;
  perform refund_internal_tender(v_attempt);
  update refund set state = 'done', done_at = now(), last_error = null
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.book_refund_failure(p_attempt payment_attempt, p_reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_amount_minor bigint;
  v_currency text;
begin
  select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no
      and kind in ('refunded', 'overpayment_refunded') and account = 'provider_receivable';
  if found then
    if exists (select from ledger_entry
        where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
          and attempt_no = p_attempt.attempt_no and kind = 'refund_failed') then
      return false;
    end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_attempt.player_id, p_attempt.billing_no, 'refund_failed', p_attempt.attempt_no, 'provider_receivable',
        v_amount_minor, v_currency),
      (p_attempt.player_id, p_attempt.billing_no, 'refund_failed', p_attempt.attempt_no, 'refund_owed',
        -v_amount_minor, v_currency);
    -- A refund that was made in the provider's own pages has no row yet.
    insert into refund (player_id, billing_no, attempt_no, state, reason, requested_by, amount_minor, currency)
      values (p_attempt.player_id, p_attempt.billing_no, p_attempt.attempt_no, 'manual', 'the refund failed', 'shop',
        v_amount_minor, v_currency)
      on conflict do nothing;
  end if;
  update refund set state = 'manual', last_error = p_reason, done_at = null
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
      and attempt_no = p_attempt.attempt_no and (state <> 'done' or v_amount_minor is not null);
  insert into player_change (player_id) values (p_attempt.player_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.book_repaid(p_attempt payment_attempt)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_amount_minor bigint;
  v_currency text;
begin
  select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no
      and kind = 'refund_failed' and account = 'refund_owed';
  if not found or exists (select from ledger_entry
      where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
        and attempt_no = p_attempt.attempt_no and kind = 'refund_repaid') then
    return false;
  end if;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
    (p_attempt.player_id, p_attempt.billing_no, 'refund_repaid', p_attempt.attempt_no, 'refund_owed', v_amount_minor,
      v_currency),
    (p_attempt.player_id, p_attempt.billing_no, 'refund_repaid', p_attempt.attempt_no, 'provider_receivable',
      -v_amount_minor, v_currency);
  update refund set state = 'done', done_at = now(), last_error = null
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
      and attempt_no = p_attempt.attempt_no;
  insert into player_change (player_id) values (p_attempt.player_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.book_unreported_payment(p_player_id uuid, p_billing_no text, p_attempt_no integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_attempt payment_attempt;
  v_is_paid_already boolean;
  v_discount_minor bigint := 0;
  v_state text;
begin
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_attempt.state not in ('sent', 'redirected', 'unknown', 'failed', 'expired') then return; end if;
  v_is_paid_already := exists (select from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded');
  if not v_is_paid_already then
    select discount_minor, state into v_discount_minor, v_state from orders
      where player_id = p_player_id and billing_no = p_billing_no;
  end if;
  update payment_attempt set state = case when v_is_paid_already then 'overpayment' else 'succeeded' end,
      succeeded_at = now(), next_query_at = null
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_player_id, p_billing_no, case when v_is_paid_already then 'overpayment' else 'paid' end, p_attempt_no,
      side.account, side.minor, v_attempt.currency
    from (values
      ('provider_receivable', v_attempt.amount_minor),
      ('promo', v_discount_minor),
      (case when v_is_paid_already then 'refund_owed' else 'goods_owed' end,
        -v_attempt.amount_minor - v_discount_minor)
    ) as side(account, minor) where side.minor <> 0;
  insert into player_change (player_id) values (p_player_id);
  if not v_is_paid_already then
    -- An order without goods to come: a person decides, unless a refund closes it in the same step.
    update orders set paid_at = now(), state = case when is_unpaid or is_lapsed(state) then 'review' else state end
      where player_id = p_player_id and billing_no = p_billing_no;
    if v_state in ('created', 'pending') or is_lapsed(v_state) then
      perform note_order_move(p_player_id, p_billing_no, v_state, 'review');
    end if;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.can_have_triggers(p_table regclass)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_is_spread boolean;
begin
  if to_regclass('pg_dist_partition') is null then return true; end if;
  execute 'select exists (select from pg_dist_partition where logicalrelid = $1 '
    'and (partmethod <> ''n'' or repmodel = ''t''))' into v_is_spread using p_table;
  return not v_is_spread;
end $function$;

CREATE OR REPLACE FUNCTION public.cancel_order(p_player_id uuid, p_billing_no text, p_closed_attempts integer[])
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_state text;
begin
  if num_nulls(p_player_id, p_billing_no, p_closed_attempts) > 0 then
    raise exception 'cancel_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform lock_reservations(p_player_id, p_billing_no);
  select state into v_state from orders
    where player_id = p_player_id and billing_no = p_billing_no and delivered_at is null
      and (is_unpaid or state = 'review' and not exists (select from ledger_entry
        where player_id = p_player_id and billing_no = p_billing_no and account = 'provider_receivable'
        having sum(amount_minor) > 0))
    for update;
  if not found then return 'wrong_state'; end if;
  perform 1 from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no order by attempt_no for update;
  if exists (select from payment_attempt
      where player_id = p_player_id and billing_no = p_billing_no and is_open
        and (attempt_no <> all (p_closed_attempts) or capture_lease_until > now())) then
    return 'still_payable';
  end if;
  update payment_attempt set state = 'failed', next_query_at = null
    where player_id = p_player_id and billing_no = p_billing_no and is_open;
  update orders set state = 'cancelled', closed_at = now() where player_id = p_player_id and billing_no = p_billing_no;
  perform note_order_move(p_player_id, p_billing_no, v_state, 'cancelled');
  perform release_reservations(p_player_id, p_billing_no);
  return 'cancelled';
end $function$;

CREATE OR REPLACE FUNCTION public.cap_refusal(p_player_id uuid, p_rules jsonb, p_currency text, p_amount_minor bigint, p_at timestamp with time zone, p_billing_no text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_limit record;
begin
  if p_rules is null then return null; end if;
  if num_nulls(p_player_id, p_currency, p_amount_minor, p_at) > 0 then
    raise exception 'cap_refusal: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  -- Most players have no cap: a look by key instead of the sums over their orders.
  if not exists (select from spending_cap where player_id = p_player_id) then
    if jsonb_typeof(p_rules -> 'age_caps') is distinct from 'object' then return null; end if;
    if not exists (select from age_declaration where player_id = p_player_id) then return null; end if;
  end if;
  select l.kind, greatest(l.cap_minor - l.used_minor, 0) as left_minor into v_limit
    from spending_limits(p_player_id, p_rules, p_currency, p_at, p_billing_no) l
    where l.used_minor + p_amount_minor > l.cap_minor
    order by l.kind = 'age' desc, l.cap_minor - l.used_minor limit 1;
  if found then
    return jsonb_build_object('outcome', 'cap_reached', 'kind', v_limit.kind, 'left_minor', v_limit.left_minor);
  end if;
  if exists (select from spending_cap c
      where c.player_id = p_player_id
        and case when c.next_at <= now() then c.next_cap_minor else c.cap_minor end is not null
      having not bool_or(c.currency = p_currency)) then
    return jsonb_build_object('outcome', 'cap_other_currency');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.capture_internal_tender(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_idempotency_key text, p_provider text, p_amount_minor bigint, p_currency text, p_tender jsonb, p_must_notify boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_rest_minor bigint := (p_tender ->> 'face_minor')::bigint - p_amount_minor;
  v_free_minor bigint;
  v_paid_minor bigint;
  v_outcome text;
begin
  v_outcome := apply_report(p_player_id, p_billing_no, p_attempt_no, p_provider, 'paid', true, null,
    coalesce(p_tender ->> 'card_id', 'pay:' || p_billing_no), p_amount_minor, p_currency,
    null, null, null, null, p_must_notify) ->> 'outcome';
  -- Nobody else can have this attempt in hand; if somebody had, nothing of all this may stay.
  if v_outcome <> 'paid' then raise exception 'an order paid by an internal tender came out as %', v_outcome; end if;
  if p_tender ->> 'kind' = 'wallet' then
    select coalesce(sum(balance_minor) filter (where kind = 'free'), 0),
      coalesce(sum(balance_minor) filter (where kind = 'paid'), 0)
      into v_free_minor, v_paid_minor from wallet_account where player_id = p_player_id and currency = p_currency;
    if p_tender ->> 'spends' = 'free_first' then
      v_free_minor := least(v_free_minor, p_amount_minor);
      v_paid_minor := p_amount_minor - v_free_minor;
    else
      v_paid_minor := least(v_paid_minor, p_amount_minor);
      v_free_minor := p_amount_minor - v_paid_minor;
    end if;
    perform wallet_post(
      p_player_id => p_player_id, p_type => 'debit', p_idempotency_key => 'pay:' || p_billing_no,
      p_currency => p_currency, p_amount_minor => p_amount_minor, p_billing_no => p_billing_no,
      p_spends => p_tender ->> 'spends', p_reason => 'order', p_actor => 'player',
      p_sides => jsonb_build_object('free', -v_free_minor, 'paid', -v_paid_minor, 'sales', p_amount_minor));
  else
    update gift_card set state = 'spent', player_id = p_player_id, billing_no = p_billing_no,
        attempt_no = p_attempt_no, spent_at = now(), rest_minor = v_rest_minor
      where card_id = p_tender ->> 'card_id' and state = 'active';
    if not found then raise exception 'the card % was not reserved', p_tender ->> 'card_id'; end if;
    if v_rest_minor > 0 then
      perform wallet_post(
        p_player_id => p_player_id, p_type => 'card',
        p_idempotency_key => 'card:' || (p_tender ->> 'card_id') || ':' || p_billing_no, p_currency => p_currency,
        p_amount_minor => v_rest_minor, p_billing_no => p_billing_no, p_spends => null,
        p_reason => 'left of a prepaid card', p_actor => 'player',
        p_sides => jsonb_build_object('paid', v_rest_minor, 'cards', -v_rest_minor));
    end if;
  end if;
  update idempotency set answer = jsonb_build_object('code', 'success', 'billing_no', p_billing_no, 'url', '')
    where player_id = p_player_id and key = p_idempotency_key;
  return jsonb_build_object('outcome', 'paid', 'billing_no', p_billing_no, 'attempt_no', p_attempt_no,
    'amount_minor', p_amount_minor);
end $function$;

CREATE OR REPLACE FUNCTION public.card_payments(p_player_id uuid, p_billing_no text, p_card_id text, p_returned boolean)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_count bigint;
begin
  select count(*) into v_count from payment_attempt a
    where a.player_id = p_player_id and a.billing_no = p_billing_no and a.capture_ref = p_card_id
      and a.provider = 'card' and a.state = 'succeeded'
      and (p_returned or not exists (select from ledger_entry l where l.player_id = p_player_id
        and l.billing_no = p_billing_no and l.attempt_no = a.attempt_no and l.kind in ('refunded', 'chargeback')));
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.carried_uses(p_player_id uuid, p_game_id text, p_product_id text, p_subject text, p_period text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  return uses_before(v_account_id, p_game_id, p_product_id, p_subject, p_period);
end $function$;

CREATE OR REPLACE FUNCTION public.charged_back(p_player_id uuid, p_billing_no text, p_attempt_no integer)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (select coalesce(-sum(amount_minor), 0) from ledger_entry
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and account = 'provider_receivable' and kind = 'chargeback');
end $function$;

CREATE OR REPLACE FUNCTION public.check_card(p_player_id uuid, p_brand_key text, p_purpose text, p_card_id text, p_card_key text, p_password_hmac bytea, p_network text, p_game_id text, p_channel text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_subjects text[];
  v_is_held boolean;
  v_is_locked_out boolean;
  v_was_here boolean;
  v_found record;
  v_reason text;
begin
  if num_nulls(p_brand_key, p_purpose, p_card_id, p_card_key, p_password_hmac, p_network) > 0 then
    raise null_value_not_allowed using message = 'check_card: brand, purpose, card, password and network must be given';
  end if;
  if p_purpose <> 'login' and num_nulls(p_player_id, p_game_id, p_channel) > 0 then
    raise null_value_not_allowed using
      message = format('check_card: to %s, player, game and channel must be given', p_purpose);
  end if;
  v_subjects := array(
    select s from unnest(array['a:' || p_player_id, 'd:' || p_player_id, 'c:' || p_card_key]) s
    where s is not null order by s);
  -- Locked to the end of the transaction, in one order: attempts that come at once are counted one after the other.
  with aged as (
    select s, now() - case left(s, 1) when 'd' then interval '1 day' when 'a' then interval '15 minutes' end as oldest
    from unnest(v_subjects) s
  ), counted as (
    insert into card_failed_attempt as f (subject, attempts) select s, 0 from aged order by s
      on conflict (subject) do update set
        attempts = case
          when f.since < (select oldest from aged where s = f.subject) or f.locked_until <= now() then 0
          else f.attempts end,
        since = case when f.since < (select oldest from aged where s = f.subject) then now() else f.since end,
        locked_until = case when f.locked_until > now() then f.locked_until end
      returning subject, attempts >= max_failed_attempts(subject) as is_full
  )
  select coalesce(bool_or(is_full) filter (where left(subject, 1) <> 'c'), false),
      coalesce(bool_or(is_full) filter (where left(subject, 1) = 'c'), false)
    into v_is_held, v_is_locked_out from counted;
  select c.card_id, c.state, c.issued_to, c.password_hmac = p_password_hmac as is_right, b.batch_id, b.brand_key,
      b.channel, b.game_id, b.product_id, b.face_minor, b.currency, b.gems_number, b.extra_gems,
      b.valid_from <= now() as is_begun, greatest(b.valid_to, c.valid_to) <= now() as is_ended,
      greatest(b.valid_to, c.valid_to) as valid_to
    into v_found from gift_card c join gift_card_batch b using (batch_id) where c.card_id = p_card_id;
  -- The lockout stops strangers: a right password from whoever proved the card before is let through, by the account, or
  -- at a login, where nobody is known yet, by the network.
  v_was_here := v_is_locked_out and v_found.is_right is true and exists (
    select from card_try t where t.card_id = p_card_id and t.outcome = 'ok'
      and case when p_player_id is null then t.ip = p_network else t.player_id = p_player_id end);
  v_reason := case
    when v_is_held then 'account_locked_out'
    when v_is_locked_out and not v_was_here then 'card_locked_out'
    when v_found.card_id is null then 'unknown'
    when v_found.is_right is not true then 'wrong'
    when v_found.brand_key <> p_brand_key then 'other_brand'
    when v_found.state in ('void', 'created') then v_found.state
    when p_purpose = 'login' then case when v_found.issued_to is null then 'not_issued' end
    when v_found.state <> 'active' then v_found.state
    when not v_found.is_begun then 'not_begun'
    when v_found.is_ended then 'expired'
    when v_found.game_id <> p_game_id then 'other_game'
    when v_found.channel <> p_channel then 'other_channel'
    when p_purpose = 'confirm' and v_found.product_id is null then 'not_for_goods'
    when p_purpose = 'pay' and v_found.product_id is not null then 'for_goods'
  end;
  insert into card_try (brand_key, player_id, ip, card_key, card_id, purpose, outcome)
    values (p_brand_key, p_player_id, p_network, p_card_key, v_found.card_id, p_purpose, coalesce(v_reason, 'ok'));
  if v_reason is null then
    return jsonb_build_object('outcome', 'ok', 'card_id', v_found.card_id, 'batch_id', v_found.batch_id,
      'channel', v_found.channel, 'game_id', v_found.game_id, 'product_id', v_found.product_id,
      'face_minor', v_found.face_minor, 'face_currency', v_found.currency, 'gems_number', v_found.gems_number,
      'extra_gems', v_found.extra_gems, 'issued_to', v_found.issued_to, 'valid_to', v_found.valid_to);
  end if;
  -- An account that is locked out learns and costs nothing; whoever tries a card that is locked out goes on being
  -- counted.
  if v_reason <> 'account_locked_out' then
    -- A right password is no guess, whatever else is wrong with the card. Each lockout of a card is twice as long as
    -- the one before, from a day to thirty: its holder waits, and whoever knows only its number cannot shut it for
    -- ever.
    update card_failed_attempt set attempts = attempts + 1,
        card_id = case when left(subject, 1) = 'c' and v_reason = 'wrong' then v_found.card_id else card_id end,
        locked_until = case when left(subject, 1) = 'c' and attempts + 1 = max_failed_attempts(subject)
          then now() + least(interval '30 days', interval '1 day' * 2 ^ least(lockouts, 10)) else locked_until end,
        lockouts = lockouts
          + case when left(subject, 1) = 'c' and attempts + 1 = max_failed_attempts(subject) then 1 else 0 end
      where subject = any(v_subjects) and (left(subject, 1) <> 'c' or v_reason in ('unknown', 'wrong'));
    -- Counts older than a day go out a little at a time; those of cards that exist stay.
    delete from card_failed_attempt where subject in (
      select subject from card_failed_attempt where since < now() - interval '1 day' and card_id is null limit 10
      for update skip locked);
  end if;
  return jsonb_build_object('outcome', 'refused', 'reason', v_reason);
end $function$;

CREATE OR REPLACE FUNCTION public.check_order_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state || '>' || new.state in ('created>pending', 'pending>delivering', 'delivering>delivered') then
    return new;
  end if;
  if not exists (select from order_transition t where t.from_state = old.state and t.to_state = new.state) then
    raise exception 'order % cannot go from % to %', new.billing_no, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_level_coupon(p_player_id uuid, p_brand_key text, p_time_zone text, p_coupon jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_now record;
begin
  if num_nulls(p_player_id, p_brand_key, p_time_zone, p_coupon) > 0 then
    raise exception 'claim_level_coupon: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('claim_level_coupon, coupon', p_coupon,
    array['id', 'type', 'need_points', 'name', 'discount_rate', 'min_spend', 'games', 'products']);
  select * into v_now from level_coupons(p_player_id, p_time_zone, jsonb_build_array(p_coupon));
  if v_now.state <> 'claimable' then return v_now.state = 'claimed'; end if;
  insert into coupon (player_id, code, brand_key, name, discount_rate, min_spend, games, products, valid_from,
      valid_end, state, source, issue_key, need_points)
    values (p_player_id, v_now.code, p_brand_key, p_coupon -> 'name', (p_coupon ->> 'discount_rate')::numeric,
      p_coupon -> 'min_spend', array(select jsonb_array_elements_text(p_coupon -> 'games')),
      array(select jsonb_array_elements_text(p_coupon -> 'products')), v_now.valid_from, v_now.valid_end,
      'free', 'vip ' || (p_coupon ->> 'id'), v_now.code, (p_coupon ->> 'need_points')::bigint)
    on conflict do nothing;
  insert into player_change (player_id) values (p_player_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.claimed_before(p_account_id uuid, p_issue_key text, p_streak integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return exists (select true from reward where account_id = p_account_id and issue_key = p_issue_key
    and (basis ->> 'streak')::integer = p_streak);
end $function$;

CREATE OR REPLACE FUNCTION public.count_promo_use(p_player_id uuid, p_billing_no text, p_code text, p_step integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_brand_key text;
  v_is_first boolean;
  v_uses integer := case when p_step < 0 then 0 else promo_uses(p_player_id, p_code) end;
begin
  select brand_key into v_brand_key from orders where player_id = p_player_id and billing_no = p_billing_no;
  if p_step > 0 then
    select is_first into v_is_first from promo_code where brand_key = v_brand_key and code = p_code;
    if v_is_first then
      perform lock_first_purchase(p_player_id);
      if has_bought(p_player_id, p_billing_no) then return false; end if;
    end if;
  end if;
  update promo_code c set used = c.used + p_step
    where c.brand_key = v_brand_key and c.code = p_code
      and (p_step < 0 or ((c.total is null or c.used < c.total) and (c.per_player is null or v_uses < c.per_player)));
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.coupon_amount(p_coupon coupon, p_brand_key text, p_game_id text, p_product_id text, p_amount_minor bigint, p_currency text, p_min_charge_minor bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select v.due_minor
  from (select case when p_coupon.prices is null then round(p_amount_minor * p_coupon.discount_rate)::bigint
      else (p_coupon.prices ->> p_currency)::bigint end) as v(due_minor)
  where p_coupon.state = 'free' and p_coupon.brand_key = p_brand_key
    and p_coupon.valid_from <= now() and now() < p_coupon.valid_end
    and (p_coupon.games = '{}' or p_game_id = any (p_coupon.games))
    and (p_coupon.products = '{}' or p_product_id = any (p_coupon.products))
    and (p_coupon.min_spend = '{}' or (p_coupon.min_spend ->> p_currency)::bigint <= p_amount_minor)
    and case when p_coupon.need_points is null then true
      else p_coupon.need_points <= player_points(p_coupon.player_id) end
    and (p_coupon.prices is null or v.due_minor < p_amount_minor)
    and v.due_minor >= greatest(1, p_min_charge_minor)
$function$;

CREATE OR REPLACE FUNCTION public.coupon_price(p_coupon coupon, p_brand_key text, p_game_id text, p_product_id text, p_receiver jsonb, p_amount_minor bigint, p_currency text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_price_minor bigint;
begin
  if p_coupon.state <> 'taken' then
    return coupon_amount(p_coupon, p_brand_key, p_game_id, p_product_id, p_amount_minor, p_currency, 1);
  end if;
  -- Its order may have a promo code as well, which is not part of this price.
  select case when o.promo_code is null then o.amount_minor
      else round(p_amount_minor * p_coupon.discount_rate)::bigint end into v_price_minor
    from orders o
    where o.player_id = p_coupon.player_id and o.billing_no = p_coupon.billing_no and o.is_unpaid
      and o.brand_key = p_brand_key and o.game_id = p_game_id and o.product_id = p_product_id
      and o.currency = p_currency and o.amount_minor + o.discount_minor = p_amount_minor
      and (p_receiver is null or jsonb_build_object('client_id', o.client_id, 'server_id', o.server_id,
        'area_id', o.area_id, 'role_id', o.role_id) = p_receiver);
  return v_price_minor;
end $function$;

CREATE OR REPLACE FUNCTION public.daily_standing(p_player_id uuid, p_run text, p_time_zone text, OUT today date, OUT streak integer, OUT is_claimed boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_day date;
begin
  today := (now() at time zone p_time_zone)::date;
  select (w.basis ->> 'day')::date, (w.basis ->> 'streak')::integer into v_day, streak from reward w
    where w.account_id = v_account_id and w.state <> 'rejected'
      and w.issue_key = any (array[p_run || today::text, p_run || (today - 1)::text])
    order by 1 desc limit 1;
  streak := coalesce(streak, 0);
  is_claimed := coalesce(v_day = today, false)
    or uses_before(v_account_id, '', p_run || today::text, 'reward', 'ever') > 0;
  if is_claimed then streak := greatest(streak, 1); end if;
end $function$;

CREATE OR REPLACE FUNCTION public.declare_age(p_player_id uuid, p_birth_year integer, p_birth_month integer, p_has_consent boolean, p_by text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_birth_year, p_birth_month, p_has_consent) > 0 then
    raise exception 'declare_age: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from player where player_id = p_player_id for no key update;
  insert into age_declaration as d (player_id, birth_year, birth_month, has_consent, changed_by)
    values (p_player_id, p_birth_year, p_birth_month, p_has_consent, p_by)
    on conflict (player_id) do update set birth_year = excluded.birth_year, birth_month = excluded.birth_month,
      has_consent = excluded.has_consent, declared_at = excluded.declared_at, changed_by = excluded.changed_by
    where excluded.changed_by is not null;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.describe_order_facts(p_order orders, p_attempt payment_attempt, p_identities jsonb, p_reservations jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_coupon jsonb;
  v_replenish jsonb;
  v_tender jsonb;
begin
  if p_order.coupon_code is not null then
    select jsonb_build_object('name', c.name, 'discount_rate', c.discount_rate, 'source', c.source,
        'issue_key', c.issue_key, 'valid_end', c.valid_end)
      into v_coupon from coupon c where c.player_id = p_order.player_id and c.code = p_order.coupon_code;
  end if;
  if p_order.replenish_id is not null then
    select jsonb_build_object('reason', p.reason, 'opened_by', p.opened_by, 'reference', p.reference,
        'expires_at', p.expires_at)
      into v_replenish from replenish p where p.replenish_id = p_order.replenish_id;
  end if;
  if p_attempt.provider = 'wallet' then
    select jsonb_build_object('kind', 'wallet', 'spends', t.spends,
        'free_minor', coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0),
        'paid_minor', coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0))
      into v_tender from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
      where t.player_id = p_order.player_id and t.billing_no = p_order.billing_no and t.type = 'debit'
      group by t.spends;
  elsif p_attempt.provider = 'card' then
    select jsonb_build_object('kind', 'card', 'card_id', g.card_id, 'rest_minor', g.rest_minor)
      into v_tender from gift_card g where g.card_id = p_attempt.capture_ref and g.billing_no = p_order.billing_no;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'player_id', p_order.player_id, 'billing_no', p_order.billing_no, 'brand_key', p_order.brand_key,
    'game_id', p_order.game_id, 'client_id', p_order.client_id, 'product_id', p_order.product_id,
    'server_id', p_order.server_id, 'area_id', p_order.area_id, 'role_id', p_order.role_id, 'suid', p_order.suid,
    'product', p_order.product, 'amount_minor', p_order.amount_minor, 'discount_minor', p_order.discount_minor,
    'currency', p_order.currency, 'region', p_order.region, 'country', p_order.country,
    'language', p_order.language, 'coupon_code', p_order.coupon_code, 'promo_code', p_order.promo_code,
    'creator', p_order.creator, 'share_minor', p_order.share_minor, 'points', p_order.points,
    'replenish_id', p_order.replenish_id, 'accepted', p_order.accepted,
    'created_at', extract(epoch from p_order.created_at), 'paid_at', extract(epoch from p_order.paid_at),
    'identities', p_identities,
    'attempt', jsonb_build_object('attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider,
      'channel_key', p_attempt.channel_key, 'channel_name', p_attempt.channel_name,
      'channel_id', p_attempt.channel_id, 'method', p_attempt.method, 'provider_ref', p_attempt.provider_ref,
      'capture_ref', p_attempt.capture_ref),
    'reservations', p_reservations, 'coupon', v_coupon, 'replenish', v_replenish, 'tender', v_tender));
end $function$;

CREATE OR REPLACE FUNCTION public.describe_paid_order(p_order orders, p_attempt payment_attempt)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_identities jsonb;
  v_reservations jsonb;
begin
  select (select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject)
        order by i.provider, i.subject)
      from player_identity i where i.player_id = p_order.player_id and i.created_at <= p_order.paid_at),
      (select jsonb_agg(jsonb_build_object('kind', r.kind, 'game_id', r.game_id, 'product_id', r.product_id,
          'subject', r.subject, 'period', r.period, 'cap', r.cap) order by r.kind)
        from reservation r where r.player_id = p_order.player_id and r.billing_no = p_order.billing_no)
    into v_identities, v_reservations;
  return describe_order_facts(p_order, p_attempt, v_identities, v_reservations);
end $function$;

CREATE OR REPLACE FUNCTION public.drop_month(p_month text)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '50ms'
AS $function$
declare
  v_tables text[] := array(select list_partitioned());
  v_table text;
  v_is_held boolean;
begin
  if p_month is null then
    raise exception 'drop_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  v_is_held := exists (select from pg_locks
    where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and pid = pg_backend_pid()
      and classid = 7339458 and objid = archive_key('orders_' || p_month)::oid);
  foreach v_table in array v_tables loop
    if not v_is_held and not exists (select from pg_trigger
        where tgrelid = to_regclass(v_table || '_' || p_month) and tgname = 'archive_frozen') then
      raise exception 'the month % is not frozen: what was written of it may have changed', p_month
        using errcode = 'object_not_in_prerequisite_state';
    end if;
  end loop;
  -- Also the partition for what no month takes: what it may hold changes when a month goes.
  execute 'lock table ' || (select string_agg(format('only %I, only %I, only %I',
    t, t || '_default', t || '_' || p_month), ', ' order by t <> 'orders', t) from unnest(v_tables) as t);
  foreach v_table in array v_tables loop
    execute format('alter table %I detach partition %I', v_table, v_table || '_' || p_month);
    execute format('drop table %I', v_table || '_' || p_month);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.end_callbacks(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_before timestamptz := over_before(p_days);
  v_from timestamptz := '-infinity';
  v_provider text := '';
  v_key text := '';
  v_brand_key text;
  v_looked integer;
  v_count integer := 0;
begin
  loop
    v_looked := 0;
    for r in select provider, dedup_key, player_id, billing_no, received_at from callback_inbox
      where received_at < v_before and (received_at, provider, dedup_key) > (v_from, v_provider, v_key)
        and state in ('applied', 'ignored')
      order by received_at, provider, dedup_key limit 1000
    loop
      v_looked := v_looked + 1;
      v_from := r.received_at;
      v_provider := r.provider;
      v_key := r.dedup_key;
      v_brand_key := null;
      if r.player_id is not null then
        select brand_key into v_brand_key from orders where player_id = r.player_id and billing_no = r.billing_no;
      end if;
      continue when (r.received_at < now() - make_interval(days => kept_days(p_days, v_brand_key))) is not true;
      perform 1 from callback_inbox where provider = r.provider and dedup_key = r.dedup_key for update skip locked;
      continue when not found;
      delete from callback_inbox where provider = r.provider and dedup_key = r.dedup_key;
      v_count := v_count + 1;
      if v_count >= p_limit then return v_count; end if;
    end loop;
    if v_looked < 1000 then return v_count; end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.end_calls(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select key_id, call_id from admin_call where at < now() - make_interval(days => kept_days(p_days, '*'))
    order by at limit p_limit for update skip locked
  ), gone as (delete from admin_call where (key_id, call_id) in (select key_id, call_id from old) returning 1)
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.end_card_tries(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select id from card_try
    where at < over_before(p_days) and at < now() - make_interval(days => kept_days(p_days, brand_key))
    order by at limit p_limit for update skip locked
  ), gone as (delete from card_try where id in (select id from old) returning 1)
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.end_devices(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select account_hash, device_hash from known_device
    where seen_at < now() - make_interval(days => kept_days(p_days, '*'))
    order by seen_at limit p_limit for update skip locked
  ), gone as (
    delete from known_device where (account_hash, device_hash) in (select account_hash, device_hash from old)
    returning 1
  )
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.end_exchanges(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_reached jsonb;
  v_frozen oid[] := array(select tgrelid from pg_trigger where tgname = 'archive_frozen');
  v_held integer[] := array(select objid::bigint::integer from pg_locks
    where locktype = 'advisory' and mode = 'ExclusiveLock' and classid = 7339458
      and database = (select oid from pg_database where datname = current_database()));
  v_span integer;
  v_looked integer := 0;
  v_last text;
  v_brand_key text;
  r record;
begin
  select case when days = p_days then reached else '{}' end into v_reached from retention_end
    where what = 'exchanges' for update skip locked;
  if v_reached is null then return 0; end if;
  for v_span in select distinct value::integer from jsonb_each_text(p_days) loop
    v_last := null;
    for r in select l.player_id, l.billing_no from order_lookup l
      where l.billing_no > coalesce(v_reached ->> v_span::text, '')
        and l.billing_no < billing_no_at(now() - make_interval(days => v_span))
      order by l.billing_no limit p_limit - v_looked
    loop
      -- Asked apart: on a spread database no month is held or frozen, and tableoid cannot be asked for (decision 64).
      if cardinality(v_held) > 0 then
        exit when exists (select from payment_attempt where player_id = r.player_id and billing_no = r.billing_no
          and archive_key(tableoid::regclass::text) = any (v_held));
      end if;
      v_last := r.billing_no;
      v_looked := v_looked + 1;
      select brand_key into v_brand_key from orders where player_id = r.player_id and billing_no = r.billing_no;
      continue when not found or kept_days(p_days, v_brand_key) is distinct from v_span;
      if cardinality(v_frozen) > 0 then
        continue when exists (select from payment_attempt
          where player_id = r.player_id and billing_no = r.billing_no and tableoid = any (v_frozen));
      end if;
      update payment_attempt set exchange = '{}', pay_url = null
        where player_id = r.player_id and billing_no = r.billing_no and (exchange <> '{}' or pay_url is not null);
    end loop;
    if v_last is not null then v_reached := v_reached || jsonb_build_object(v_span, v_last); end if;
    exit when v_looked >= p_limit;
  end loop;
  update retention_end set days = p_days, reached = v_reached where what = 'exchanges';
  return v_looked;
end $function$;

CREATE OR REPLACE FUNCTION public.end_idempotency(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_before timestamptz := now() - make_interval(days => kept_days(p_days, '*'));
  v_count integer := 0;
begin
  for r in select player_id, key from idempotency where created_at < v_before order by created_at limit p_limit loop
    perform 1 from idempotency where player_id = r.player_id and key = r.key and created_at < v_before
      for update skip locked;
    continue when not found;
    delete from idempotency where player_id = r.player_id and key = r.key;
    v_count := v_count + 1;
  end loop;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.end_logins(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with over as (select now() - make_interval(days => kept_days(p_days, '*')) as before), attempts as (
    delete from login_attempt where state_hash in (
      select state_hash from login_attempt, over where expires_at < before order by expires_at limit p_limit
      for update of login_attempt skip locked) returning 1
  ), links as (
    delete from login_link where link_hash in (
      select link_hash from login_link, over where expires_at < before order by expires_at limit p_limit
      for update of login_link skip locked) returning 1
  ), tokens as (
    delete from backup_token where token_hash in (
      select token_hash from backup_token, over where expires_at < before order by expires_at limit p_limit
      for update of backup_token skip locked) returning 1
  ), guards as (
    delete from login_guard where account_hash in (
      select account_hash from login_guard, over where forget_at < before order by forget_at limit p_limit
      for update of login_guard skip locked) returning 1
  )
  select ((select count(*) from attempts) + (select count(*) from links) + (select count(*) from tokens)
    + (select count(*) from guards))::integer
$function$;

CREATE OR REPLACE FUNCTION public.end_refused_callbacks(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select provider, day, reason from callback_refused
    where day < (now() - make_interval(days => kept_days(p_days, '*')))::date
    limit p_limit for update skip locked
  ), gone as (
    delete from callback_refused where (provider, day, reason) in (select provider, day, reason from old) returning 1
  )
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.end_reports(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select brand_key, reference from error_report
    where received_at < over_before(p_days)
      and received_at < now() - make_interval(days => kept_days(p_days, brand_key))
    order by received_at limit p_limit for update skip locked
  ), gone as (
    delete from error_report where (brand_key, reference) in (select brand_key, reference from old) returning 1
  )
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.end_sessions(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select token_hash from session
    where (absolute_until < over_before(p_days) or revoked_at < over_before(p_days))
      and least(revoked_at, absolute_until) < now() - make_interval(days => kept_days(p_days, brand_key))
    limit p_limit for update skip locked
  ), gone as (delete from session where token_hash in (select token_hash from old) returning 1)
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.end_visits(p_days jsonb, p_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with old as (
    select call_no from track_call
    where received_at < over_before(p_days)
      and received_at < now() - make_interval(days => kept_days(p_days, brand_key))
    order by received_at limit p_limit for update skip locked
  ), gone as (delete from track_call where call_no in (select call_no from old) returning 1)
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.ensure_player(p_player_id uuid, p_brand_key text, p_provider text, p_subject text, p_suid text, p_username text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_player_id uuid;
  v_founder_id uuid;
  v_disabled_at timestamptz;
  v_game_account_id uuid;
begin
  if num_nulls(p_player_id, p_brand_key, p_provider, p_subject, p_suid, p_username) > 0 then
    raise exception 'ensure_player: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  select player_id into v_player_id from player_identity
    where brand_key = p_brand_key and provider = p_provider and subject = p_subject;
  if not found then
    if p_suid = p_provider || '-' || p_subject then
      v_founder_id := founder_of_identity(p_brand_key, p_provider, p_subject);
      -- Whoever is being erased is awaited: the link of an erased player would lead nowhere.
      if v_founder_id is not null then
        perform 1 from player where player_id = v_founder_id and erased_at is null for share;
        if not found then v_founder_id := null; end if;
      end if;
    end if;
    insert into player_identity (brand_key, provider, subject, player_id)
      values (p_brand_key, p_provider, p_subject, coalesce(v_founder_id, p_player_id))
      on conflict (brand_key, provider, subject) do update set subject = excluded.subject
      returning player_id into v_player_id;
    if v_player_id is distinct from v_founder_id then
      v_game_account_id := hash_game_account(p_provider, p_subject);
      insert into player (player_id, brand_key, suid, username, game_account_id)
        values (v_player_id, p_brand_key, p_suid, p_username, v_game_account_id)
        on conflict (player_id) do update set username = excluded.username;
    end if;
    perform take_over_guards(v_player_id, p_brand_key, p_provider, p_subject);
  end if;
  select disabled_at into v_disabled_at from player where player_id = v_player_id;
  if not found then return null; end if;
  return jsonb_build_object('player_id', v_player_id, 'is_disabled', v_disabled_at is not null);
end $function$;

CREATE OR REPLACE FUNCTION public.erase_audit(p_player_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_player player;
  v_is_only boolean;
begin
  select * into v_player from player where player_id = p_player_id;
  -- A line without a brand is taken for this player's only where nobody else is called so.
  perform 1 from player p where p.player_id <> p_player_id
    and (p.suid in (v_player.suid, v_player.username) or lower(p.username) = lower(v_player.username)) limit 1;
  v_is_only := not found;
  perform set_config('refill.erases', p_player_id::text, true);
  update audit_entry a set details = audit_without(a.details, v_player)
    where (a.details ->> 'brand' = v_player.brand_key or (a.details ->> 'brand' is null and v_is_only))
      and a.details is distinct from audit_without(a.details, v_player);
  perform set_config('refill.erases', '', true);
end $function$;

CREATE OR REPLACE FUNCTION public.erase_person(p_player_id uuid, p_plan jsonb, p_gives_up_balance boolean, p_actor text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_erased_at timestamptz;
  v_refusals jsonb;
  v_orders text[];
  v_sessions bytea[];
  v_accounts bytea[];
  v_salt bytea := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
  v_entry jsonb;
  v_rows jsonb := '{}';
begin
  if num_nulls(p_player_id, p_plan, p_gives_up_balance, p_actor) > 0 then
    raise exception 'erase_person: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if jsonb_typeof(p_plan) <> 'array' or jsonb_array_length(p_plan) = 0 then
    raise exception 'erase_person: there is no plan' using errcode = 'invalid_parameter_value';
  end if;
  -- No order is placed and nothing is credited while this lock is held.
  select erased_at into v_erased_at from player where player_id = p_player_id for update;
  if not found then return jsonb_build_object('outcome', 'no_player'); end if;
  if v_erased_at is not null then
    return jsonb_build_object('outcome', 'erased_before', 'erased_at', v_erased_at);
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'billing_no', r.billing_no)), '[]') into v_refusals
    from erasure_refusals(p_player_id, p_gives_up_balance) r;
  if v_refusals <> '[]' then return jsonb_build_object('outcome', 'refused', 'refusals', v_refusals); end if;

  perform keep_guards(p_player_id);
  perform leave_account(p_player_id);
  if p_gives_up_balance then perform forfeit_balance(p_player_id, p_actor); end if;
  v_orders := array(select billing_no from orders where player_id = p_player_id);
  v_sessions := array(select token_hash from session where player_id = p_player_id);
  -- As server/platform/limits/login-limits.ts names an account: by brand and login name.
  v_accounts := array(
    select sha256(convert_to(i.brand_key || '/' || i.subject, 'UTF8')) from player_identity i
      where i.player_id = p_player_id
    union
    select sha256(convert_to(p.brand_key || '/' || lower(p.username), 'UTF8')) from player p
      where p.player_id = p_player_id);
  perform erase_subjects(p_player_id, v_salt);
  perform erase_audit(p_player_id);
  for v_entry in select * from jsonb_array_elements(p_plan) loop
    v_rows := v_rows || jsonb_build_object(v_entry ->> 'table',
      erase_rows(v_entry, p_player_id, v_orders, v_sessions, v_accounts, v_salt));
  end loop;
  update player set erased_at = v_now, disabled_at = coalesce(disabled_at, v_now) where player_id = p_player_id;
  update erasure set state = 'done', ended_at = v_now, refusals = '[]'
    where player_id = p_player_id and state = 'waiting';
  insert into audit_entry (actor, act, details)
    values (p_actor, 'person-erase', jsonb_build_object('player', p_player_id));
  return jsonb_build_object('outcome', 'erased', 'rows', v_rows);
end $function$;

CREATE OR REPLACE FUNCTION public.erase_rows(p_entry jsonb, p_player_id uuid, p_orders text[], p_sessions bytea[], p_accounts bytea[], p_salt bytea)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  v_where text;
  v_set text;
  v_is_known boolean;
  v_count bigint;
begin
  select string_agg(format(w.pattern, w.column), ' or '), bool_and(w.pattern is not null) into v_where, v_is_known
  from (select case x.by when 'player' then '%I = $1' when 'order' then '%I = any ($2)'
      when 'session' then '%I = any ($3)' when 'account' then '%I = any ($4)' end as pattern, x.column
    from jsonb_to_recordset(p_entry -> 'ways') as x(by text, "column" text)) w;
  -- A way that is not known would reach too many rows, or too few.
  if v_is_known is not true then
    raise exception 'erase_rows: no way to the rows of %', p_entry ->> 'table'
      using errcode = 'invalid_parameter_value';
  end if;
  if (p_entry ->> 'deletes')::boolean then
    execute format('delete from %I where %s', p_entry ->> 'table', v_where)
      using p_player_id, p_orders, p_sessions, p_accounts;
  else
    select string_agg(case
        when s.how = 'pseudonym' then format('%1$I = pseudonym_of($5, %1$I)', s.col)
        when s.how = 'empty' and not a.attnotnull then format('%I = null', s.col)
        when s.how = 'empty' and a.atttypid = 'jsonb'::regtype then format('%I = ''{}''', s.col)
        when s.how = 'empty' and a.atttypid = 'text'::regtype then format('%I = ''''', s.col) end, ', '),
      bool_and(a.attname is not null and s.how in ('empty', 'pseudonym')) into v_set, v_is_known
    from jsonb_each_text(p_entry -> 'sets') as s(col, how)
      left join pg_attribute a on a.attrelid = to_regclass(quote_ident(p_entry ->> 'table')) and a.attname = s.col;
    if v_is_known is not true then
      raise exception 'erase_rows: a column of % is not known', p_entry ->> 'table'
        using errcode = 'invalid_parameter_value';
    end if;
    execute format('update %I set %s where %s', p_entry ->> 'table', v_set, v_where)
      using p_player_id, p_orders, p_sessions, p_accounts, p_salt;
  end if;
  get diagnostics v_count = row_count;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.erase_subjects(p_player_id uuid, p_salt bytea)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into player_change (player_id) values (p_player_id);
  update limit_counter set subject = pseudonym_of(p_salt, subject)
    where account_id = p_player_id and starts_with(subject, 'role:');
  update reservation set subject = pseudonym_of(p_salt, subject)
    where player_id = p_player_id and kind = 'limit' and starts_with(subject, 'role:');
end $function$;

CREATE OR REPLACE FUNCTION public.erasure_refusals(p_player_id uuid, p_gives_up_balance boolean)
 RETURNS TABLE(reason text, billing_no text)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if num_nulls(p_player_id, p_gives_up_balance) > 0 then
    raise exception 'erasure_refusals: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  return query
  with own as materialized (
    select o.billing_no, o.state, o.is_unpaid, o.delivered_at, o.review_reason from orders o
      where o.player_id = p_player_id
  )
  select case when o.is_unpaid then 'open_order' when o.state in ('review', 'refund_due') then o.state
      else 'goods_under_way' end, o.billing_no
    from own o where o.is_unpaid or o.state in ('paid', 'delivering', 'review', 'refund_due')
  union
  select 'money_under_way', a.billing_no from payment_attempt a join own o on o.billing_no = a.billing_no
    where a.player_id = p_player_id and a.is_open and not o.is_unpaid
      and (a.payable_until > now() or a.next_query_at is not null)
  union
  select 'money_under_way', c.billing_no from callback_inbox c
    where c.billing_no in (select o.billing_no from own o) and c.state = 'stored'
  union
  select 'refund_due', r.billing_no from refund r where r.player_id = p_player_id and r.state <> 'done'
  union
  select 'refund_due', l.billing_no from ledger_entry l
    where l.player_id = p_player_id and l.account = 'refund_owed'
    group by l.billing_no, l.currency having sum(l.amount_minor) <> 0
  union
  select case w.state when 'dead' then 'review' else 'goods_under_way' end, w.reward_no from reward w
    where w.player_id = p_player_id and w.state in ('queued', 'calling', 'unknown', 'dead')
  union
  select 'dispute', l.billing_no from ledger_entry l join own o on o.billing_no = l.billing_no
    where l.player_id = p_player_id and l.kind = 'chargeback' and l.created_at > now() - interval '120 days'
      and o.delivered_at is not null and not exists (select from revocation v
        where v.player_id = p_player_id and v.billing_no = l.billing_no and v.state in ('done', 'declined'))
  union
  select 'makeup_open', p.replenish_id from replenish p
    where p.player_id = p_player_id and p.state = 'open' and p.expires_at > now()
  union
  select 'balance', a.currency from wallet_account a
    where not p_gives_up_balance and a.player_id = p_player_id and a.kind in ('paid', 'free') and a.balance_minor > 0
  order by 1, 2;
end $function$;

CREATE OR REPLACE FUNCTION public.event_days(p_player_id uuid, p_brand_key text, p_game_id text, p_basis jsonb, p_delivered_by timestamp with time zone)
 RETURNS TABLE(day date, currency text, amount_minor bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_players constant uuid[] := account_players(p_player_id);
begin
  return query select (o.paid_at at time zone (p_basis ->> 'time_zone'))::date, o.currency,
    sum(o.amount_minor - case when p_delivered_by is null then coalesce(o.refunded_minor, 0) else 0 end)::bigint
  from orders o
  where o.player_id = any (v_players) and o.game_id = p_game_id
    and (o.brand_key = p_brand_key or (o.player_id <> p_player_id
      and (p_basis -> 'brands' = '[]' or p_basis -> 'brands' ? o.brand_key)))
    -- An order that makes up for a chargeback is no top-up.
    and o.replenish_id is null
    and o.paid_at >= (p_basis ->> 'from')::timestamptz and o.paid_at < (p_basis ->> 'until')::timestamptz
    and (jsonb_array_length(p_basis -> 'regions') = 0 or p_basis -> 'regions' ? o.region)
    and case when p_delivered_by is null then o.state = 'delivered' and not exists (
        select from ledger_entry l where l.player_id = o.player_id and l.billing_no = o.billing_no
          and l.kind = 'chargeback' and l.account = 'chargeback_loss')
      -- An order that a recovery took in was delivered in a time of which its payment is all that is known.
      else case when o.adopted_at is null then o.delivered_at else o.paid_at end <= p_delivered_by end
  group by 1, 2;
end $function$;

CREATE OR REPLACE FUNCTION public.event_reached(p_player_id uuid, p_brand_key text, p_game_id text, p_basis jsonb, p_delivered_by timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select case p_basis ->> 'kind'
    when 'cumulative' then exists (
      select from event_days(p_player_id, p_brand_key, p_game_id, p_basis, p_delivered_by) d
      group by d.currency having sum(d.amount_minor) >= (p_basis -> 'total' ->> d.currency)::bigint)
    when 'continuous' then coalesce((
      select max(r.length) >= (p_basis ->> 'days')::integer from (
        select count(*) as length from (
          -- Days of one run are as far from their number as its first day.
          select q.day - (row_number() over (order by q.day))::integer as run from (
            select distinct d.day from event_days(p_player_id, p_brand_key, p_game_id, p_basis, p_delivered_by) d
            where p_basis -> 'least' = '{}' or d.amount_minor >= (p_basis -> 'least' ->> d.currency)::bigint
          ) q
        ) n group by n.run
      ) r), false)
    when 'daily' then p_basis ? 'day' and p_basis ? 'streak'
    else false end
$function$;

CREATE OR REPLACE FUNCTION public.finish_reward(p_player_id uuid, p_reward_no text, p_tries integer, p_kind text, p_receipt_id text, p_reason text, p_retry_in_seconds double precision)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_next_at timestamptz := v_now + make_interval(secs => coalesce(p_retry_in_seconds, 0));
  v_state text;
  v_account_id uuid;
  v_issue_key text;
begin
  if num_nulls(p_player_id, p_reward_no, p_tries, p_kind) > 0 then
    raise exception 'finish_reward: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_kind = 'done' then
    update reward set state = 'done', done_at = v_now, receipt_id = p_receipt_id, last_error = null
      where player_id = p_player_id and reward_no = p_reward_no and state not in ('done', 'rejected')
      returning state into v_state;
  else
    update reward set
        state = case
          when p_kind = 'declined' then 'rejected' when p_retry_in_seconds is null then 'dead' else 'unknown' end,
        last_error = p_reason, next_at = case when p_kind = 'unknown' then v_next_at else next_at end
      where player_id = p_player_id and reward_no = p_reward_no and state = 'calling' and tries = p_tries
      returning state, account_id, issue_key into v_state, v_account_id, v_issue_key;
    if v_state = 'rejected' then
      update limit_counter set used = used - 1 where account_id = v_account_id and game_id = ''
        and product_id = v_issue_key and subject = 'reward' and period = 'ever';
      if v_account_id <> p_player_id then insert into player_change (player_id) values (v_account_id); end if;
    end if;
  end if;
  if v_state is not null then insert into player_change (player_id) values (p_player_id); end if;
  return coalesce(v_state, (select state from reward where player_id = p_player_id and reward_no = p_reward_no));
end $function$;

CREATE OR REPLACE FUNCTION public.finish_webhook_message(p_player_id uuid, p_message_id text, p_tries integer, p_is_done boolean, p_is_gone boolean, p_status integer, p_error text, p_retry_in_seconds double precision, p_patience interval)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_message webhook_message;
begin
  if num_nulls(p_player_id, p_message_id, p_tries, p_is_done, p_is_gone, p_patience) > 0 then
    raise exception 'finish_webhook_message: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  update webhook_message set
      state = case when p_is_done then 'done' when p_retry_in_seconds is null then 'dead' else 'queued' end,
      done_at = case when p_is_done then v_now end, last_status = p_status, last_error = p_error,
      next_at = v_now + make_interval(secs => coalesce(p_retry_in_seconds, 0))
    where player_id = p_player_id and message_id = p_message_id
      and (case when p_is_done then state <> 'done' else state = 'calling' and tries = p_tries end)
    returning * into v_message;
  if not found then return null; end if;
  if p_is_done then
    update webhook_endpoint set failing_since = null
      where endpoint_id = v_message.endpoint_id and failing_since is not null;
    return 'done';
  end if;
  update webhook_endpoint set failing_since = v_now
    where endpoint_id = v_message.endpoint_id and failing_since is null;
  update webhook_endpoint set disabled_at = v_now
    where endpoint_id = v_message.endpoint_id and disabled_at is null
      and (p_is_gone or failing_since < v_now - p_patience);
  if not found then return v_message.state; end if;
  update webhook_message set state = 'queued', next_at = 'infinity'
    where endpoint_id = v_message.endpoint_id and state in ('queued', 'calling');
  return 'disabled';
end $function$;

CREATE OR REPLACE FUNCTION public.forfeit_balance(p_player_id uuid, p_actor text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_count integer := 0;
begin
  perform 1 from wallet_account where player_id = p_player_id order by currency, kind for update;
  for r in
    select currency, sum(balance_minor)::bigint as total,
      coalesce(sum(balance_minor) filter (where kind = 'paid'), 0) as paid,
      coalesce(sum(balance_minor) filter (where kind = 'free'), 0) as free
    from wallet_account where player_id = p_player_id and kind in ('paid', 'free')
    group by currency having sum(balance_minor) > 0 order by currency
  loop
    perform wallet_post(p_player_id, 'forfeit', 'forfeit-' || gen_random_uuid(), r.currency, r.total, null, null,
      'given up with the account', p_actor,
      jsonb_build_object('paid', -r.paid, 'free', -r.free, 'forfeited', r.total));
    v_count := v_count + 1;
  end loop;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_webhook_messages(p_days integer, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_endpoint_id text;
  v_before timestamptz;
  v_count integer := 0;
begin
  loop
    select min(endpoint_id) into v_endpoint_id from webhook_message
      where v_endpoint_id is null or endpoint_id > v_endpoint_id;
    exit when v_endpoint_id is null;
    v_before := case when exists (select from webhook_endpoint where endpoint_id = v_endpoint_id)
      then now() - make_interval(days => p_days) else now() end;
    for r in select player_id, message_id from webhook_message
      where endpoint_id = v_endpoint_id and created_at < v_before limit p_limit - v_count
    loop
      perform 1 from webhook_message where player_id = r.player_id and message_id = r.message_id
        for update skip locked;
      continue when not found;
      delete from webhook_message where player_id = r.player_id and message_id = r.message_id;
      v_count := v_count + 1;
    end loop;
    exit when v_count >= p_limit;
  end loop;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.founder_of_identity(p_brand_key text, p_provider text, p_subject text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_player_ids uuid[];
begin
  if num_nulls(p_brand_key, p_provider, p_subject) > 0 then
    raise exception 'founder_of_identity: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  v_player_ids := array(
    select player_id from player
      where suid = p_provider || '-' || p_subject and brand_key = p_brand_key and erased_at is null
      order by created_at, player_id);
  return (
    select x.player_id from unnest(v_player_ids) with ordinality as x(player_id, place)
      where not exists (select from player_identity i where i.player_id = x.player_id
        and i.provider = any ('{builtin,builtin~beta,game,game~beta}'::text[]))
      order by x.place limit 1);
end $function$;

CREATE OR REPLACE FUNCTION public.freeze_month(p_month text, p_is_frozen boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '50ms'
AS $function$
declare
  v_partition text;
  -- Looked at first: also a trigger that is not there is dropped under the lock of its table.
  v_partitions text[] := array(select t || '_' || p_month from list_partitioned() as t
    where exists (select from pg_trigger
      where tgrelid = to_regclass(t || '_' || p_month) and tgname = 'archive_frozen') <> p_is_frozen
    order by t <> 'orders', t);
begin
  if num_nulls(p_month, p_is_frozen) > 0 then
    raise exception 'freeze_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if cardinality(v_partitions) = 0 then return; end if;
  execute format('lock table %s in %s mode', (select string_agg(quote_ident(p), ', ' order by n)
    from unnest(v_partitions) with ordinality as u(p, n)),
    case when p_is_frozen then 'share row exclusive' else 'access exclusive' end);
  foreach v_partition in array v_partitions loop
    if p_is_frozen then
      execute format('create trigger archive_frozen before insert or update or delete on %I '
        'for each row execute function archive_refuse_change()', v_partition);
    else
      execute format('drop trigger archive_frozen on %I', v_partition);
      -- Exchanges that ended meanwhile were passed over here (end_exchanges).
      update retention_end set reached = '{}' where what = 'exchanges' and reached <> '{}';
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_account_hash(p_brand_key text, p_provider text, p_subject text)
 RETURNS text
 LANGUAGE sql
 STABLE STRICT
AS $function$
  select guard_hash(concat_ws('/', p_brand_key, replace(p_provider, '~gone', ''), p_subject))
$function$;

CREATE OR REPLACE FUNCTION public.guard_hash(p_text text)
 RETURNS text
 LANGUAGE sql
 STABLE STRICT
AS $function$
  select encode(sha256(k.key || sha256(k.key || convert_to(p_text, 'UTF8'))), 'hex') from guard_key k
$function$;

CREATE OR REPLACE FUNCTION public.guard_month(p_month text)
 RETURNS integer
 LANGUAGE plpgsql
 SET lock_timeout TO '50ms'
AS $function$
declare
  v_partition text;
  v_partitions text[] := array(select t || '_' || p_month from list_partitioned() as t
    where to_regclass(t || '_' || p_month) is not null and not exists (select from pg_trigger
      where tgrelid = to_regclass(t || '_' || p_month) and tgname = 'archive_guard')
    order by t <> 'orders', t);
begin
  if p_month is null then
    raise exception 'guard_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if cardinality(v_partitions) = 0 then return 0; end if;
  execute format('lock table %s in share row exclusive mode', (select string_agg(quote_ident(p), ', ' order by n)
    from unnest(v_partitions) with ordinality as u(p, n)));
  foreach v_partition in array v_partitions loop
    execute format('create trigger archive_guard before insert or update or delete on %I '
      'for each row execute function archive_guard_month()', v_partition);
  end loop;
  return cardinality(v_partitions);
end $function$;

CREATE OR REPLACE FUNCTION public.has_bought(p_player_id uuid, p_except text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_players constant uuid[] := account_players(p_player_id);
  v_account_id constant uuid := account_of(p_player_id);
begin
  if exists (select true from archived_buyer b where b.player_id = any (v_players)) then return true; end if;
  if uses_before(v_account_id, '', '', 'purchase', 'ever') > 0 then return true; end if;
  return exists (select true from orders o where o.player_id = any (v_players)
    and o.billing_no is distinct from p_except
    and (o.delivered_at is not null or is_deliverable(o.state) or (o.is_unpaid and o.promo_code is not null)));
end $function$;

CREATE OR REPLACE FUNCTION public.has_carried_uses(p_player_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  return exists (select from carried_use where account_id = v_account_id);
end $function$;

CREATE OR REPLACE FUNCTION public.has_come_back(p_erasure erasure)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from session s
    where s.player_id = p_erasure.player_id and s.kind = 'web' and s.created_at > p_erasure.asked_at)
$function$;

CREATE OR REPLACE FUNCTION public.hash_game_account(p_provider text, p_subject text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select case when p_provider in ('game', 'game~beta')
    then left(guard_hash('game account/' || p_subject), 32)::uuid end
$function$;

CREATE OR REPLACE FUNCTION public.held_bonuses(p_player_id uuid, p_game_id text, p_receiver jsonb)
 RETURNS TABLE(product_id text, season text)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query select u.product_id, r.period from unpaid_order u
    join orders o on o.player_id = u.player_id and o.billing_no = u.billing_no
    join reservation r on r.player_id = o.player_id and r.billing_no = o.billing_no
      and r.kind = 'bonus' and r.state = 'held'
    where u.player_id = p_player_id and o.game_id = p_game_id
      and jsonb_build_object('client_id', o.client_id, 'server_id', o.server_id,
        'area_id', o.area_id, 'role_id', o.role_id) = p_receiver;
end $function$;

CREATE OR REPLACE FUNCTION public.held_coupons(p_player_id uuid)
 RETURNS TABLE(c coupon, is_used boolean, used_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query select k, coalesce(r.state = 'used', false), o.delivered_at from coupon k
    left join reservation r
      on r.player_id = p_player_id and r.player_id = k.player_id and r.billing_no = k.billing_no and r.kind = 'coupon'
    left join orders o on o.player_id = p_player_id and o.player_id = k.player_id and o.billing_no = k.billing_no
    where k.player_id = p_player_id;
end $function$;

CREATE OR REPLACE FUNCTION public.hold_month(p_month text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_table text;
begin
  if p_month is null then
    raise exception 'hold_month: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  for v_table in select list_partitioned() loop
    if not exists (select from pg_trigger
        where tgrelid = to_regclass(v_table || '_' || p_month) and tgname = 'archive_guard') then
      raise exception 'the month % is not guarded: nobody would be kept from changing it', p_month
        using errcode = 'object_not_in_prerequisite_state';
    end if;
  end loop;
  perform pg_advisory_xact_lock(7339458, archive_key('orders_' || p_month));
end $function$;

CREATE OR REPLACE FUNCTION public.hold_shards(p_shards bigint[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  -- 5: ShareLock. Citus 13.2, resource_lock.c
  perform lock_shard_metadata(5, p_shards);
  return array(select l.shardid from pg_dist_placement l join pg_dist_local_group g using (groupid)
    where l.shardid = any (p_shards) and l.shardstate = 1);
end $function$;

CREATE OR REPLACE FUNCTION public.insert_attempt(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_channel_key text, p_channel_name jsonb, p_channel_id text, p_method text, p_amount_minor bigint, p_currency text, p_payable_for interval)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
      method, amount_minor, currency, state, payable_until, next_query_at)
    values (p_player_id, p_billing_no, p_attempt_no, p_provider, p_channel_key, p_channel_name, p_channel_id,
      p_method, p_amount_minor, p_currency, 'sent', now() + p_payable_for, now() + interval '30 seconds');
end $function$;

CREATE OR REPLACE FUNCTION public.is_deliverable(p_state text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ select p_state = any ('{paid,delivering,review}'::text[]) $function$;

CREATE OR REPLACE FUNCTION public.is_lapsed(p_state text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ select p_state = any ('{failed,expired,cancelled}'::text[]) $function$;

CREATE OR REPLACE FUNCTION public.is_mismatch_booked(p_attempt payment_attempt)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return p_attempt.state = 'mismatch' and exists (select from ledger_entry e
    where e.player_id = p_attempt.player_id and e.billing_no = p_attempt.billing_no
      and e.attempt_no = p_attempt.attempt_no and e.kind = 'overpayment');
end $function$;

CREATE OR REPLACE FUNCTION public.is_money_report(p_report jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_report ->> 'status' in ('paid', 'paid_unreadable', 'refunded', 'chargeback')
    and (p_report ->> 'isOurMerchant')::boolean is true
$function$;

CREATE OR REPLACE FUNCTION public.is_price_in_force(p_holds jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select now() >= coalesce(to_timestamp((p_holds ->> 'from')::double precision / 1000), '-infinity')
    and now() < coalesce(to_timestamp((p_holds ->> 'until')::double precision / 1000), 'infinity')
$function$;

CREATE OR REPLACE FUNCTION public.is_same_call(p_known text, p_given text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p_known = p_given
    or substring(p_known from '^([0-9]+):') is distinct from substring(p_given from '^([0-9]+):')
$function$;

CREATE OR REPLACE FUNCTION public.is_sold_out(p_player_id uuid, p_idempotency_key text, p_game_id text, p_product_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  -- Stable: all three see the moment of the call.
  if exists (select from product_stock where game_id = p_game_id and product_id = p_product_id and used < total) then
    return false;
  end if;
  if exists (select from idempotency where player_id = p_player_id and key = p_idempotency_key) then
    return false;
  end if;
  return not exists (select from unpaid_order where player_id = p_player_id and product_id = p_product_id);
end $function$;

CREATE OR REPLACE FUNCTION public.keep_callback(p_provider text, p_callback jsonb, p_state text, p_outcome text, p_player_id uuid, p_billing_no text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into callback_inbox (provider, dedup_key, reference, report, headers, body, state, outcome, player_id,
      billing_no, applied_at, next_try_at)
    values (p_provider, p_callback ->> 'dedup_key', p_callback ->> 'reference', p_callback -> 'report',
      p_callback -> 'headers', p_callback ->> 'body', p_state, p_outcome, p_player_id, p_billing_no, now(), null)
    on conflict (provider, dedup_key) do update set state = excluded.state, outcome = excluded.outcome,
      player_id = excluded.player_id, billing_no = excluded.billing_no, applied_at = excluded.applied_at,
      next_try_at = null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_guards(p_player_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_used jsonb;
  v_brand_key text;
  v_suid text;
  v_cap constant text := guard_hash('cap');
begin
  select jsonb_agg(jsonb_build_object('game_id', game_id, 'product_id', product_id, 'subject', subject,
    'subject_hash', subject_hash, 'period', period, 'used', used)) into v_used
  from (
    select game_id, product_id, subject, null as subject_hash, period, used from limit_counter
      where account_id = p_player_id and used > 0
    union all
    select '', subject, 'code', null, 'ever', 1 from reservation
      where player_id = p_player_id and kind = 'code' and state <> 'released'
    union all
    select '', '', 'purchase', null, 'ever', 1 where exists (
      select from orders where player_id = p_player_id and delivered_at is not null
      union all select from archived_buyer where player_id = p_player_id)
    union all
    select '', '', 'age', null, 'ever', birth_year * 12 + birth_month - 1 from age_declaration
      where player_id = p_player_id and birth_year > extract(year from now()) - 21
    union all
    select '', o.currency, 'spent', null, (o.created_at at time zone 'UTC')::date::text,
      o.amount_minor - coalesce(o.refunded_minor, 0) from orders o
      where o.player_id = p_player_id and o.created_at > now() - interval '32 days'
        and o.state <> all ('{failed,expired,cancelled,refund_due,refunded}'::text[])
        and (exists (select from age_declaration d where d.player_id = p_player_id
            and d.birth_year > extract(year from now()) - 21)
          or exists (select from spending_cap c where c.player_id = p_player_id))
    union all
    -- A higher cap that was still to come is asked for again.
    select '', c.currency, 'cap', null, c.period, c.cap_minor from (
      select currency, period, case when next_at <= now() then next_cap_minor else cap_minor end as cap_minor
      from spending_cap where player_id = p_player_id) c
    where c.cap_minor is not null
    union all
    select '', '', 'pause', null, 'ever', extract(epoch from paused_until)::bigint from spending_pause
      where player_id = p_player_id and paused_until > now()
    union all
    select game_id, product_id, null, subject_hash, period, used from carried_use where account_id = p_player_id
  ) each;
  select brand_key, suid into v_brand_key, v_suid from player where player_id = p_player_id;
  -- A link that was set aside or taken away counts: its identity comes back as the same user of the game.
  insert into account_guard as g (account_hash, game_id, product_id, subject_hash, period, used)
  select a.hash, u.game_id, u.product_id, u.subject_hash, u.period, u.used
  from (
    select guard_account_hash(i.brand_key, regexp_replace(i.provider, '~gone$', ''), i.subject) as hash
      from player_identity i where i.player_id = p_player_id
    union
    select guard_account_hash(v_brand_key, split_part(v_suid, '-', 1), substr(v_suid, strpos(v_suid, '-') + 1))
      where v_suid like '%-%' and not exists (select from player_identity i where i.player_id = p_player_id
        and i.provider = any ('{builtin,builtin~beta,game,game~beta}'::text[]))
  ) a
  cross join (
    select x.game_id, x.product_id, coalesce(x.subject_hash, guard_hash(x.subject)) as subject_hash, x.period,
      sum(x.used)::bigint as used
    from jsonb_to_recordset(v_used)
      as x(game_id text, product_id text, subject text, subject_hash text, period text, used bigint)
    group by 1, 2, 3, 4
  ) u
  on conflict (account_hash, game_id, product_id, subject_hash, period)
    -- Of two caps the lower one.
    do update set used = case when excluded.subject_hash = v_cap then least(g.used, excluded.used)
        else greatest(g.used, excluded.used) end, erased_at = now();
end $function$;

CREATE OR REPLACE FUNCTION public.kept_days(p_days jsonb, p_brand_key text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce((p_days ->> p_brand_key)::integer, (p_days ->> '*')::integer)
$function$;

CREATE OR REPLACE FUNCTION public.kept_payer_rules(p_rules jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return p_rules - '{real_name,asks_age}'::text[]
    - case when jsonb_typeof(p_rules -> 'age_caps') = 'null' then '{age_caps}' else '{}' end::text[];
end $function$;

CREATE OR REPLACE FUNCTION public.lease_deliveries(p_limit integer, p_lease interval, p_busy text[])
 RETURNS TABLE(player_id uuid, billing_no text, game_id text, tries integer, client_id text, suid text, server_id text, area_id text, role_id text, product_id text, product jsonb, amount_minor bigint, currency text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  v_now constant timestamptz := now();
  r record;
  v_order orders;
  v_tries integer;
  v_count integer := 0;
begin
  for r in select d.player_id, d.billing_no from delivery d
    where d.state in ('queued', 'calling', 'unknown') and d.next_at <= v_now and d.game_id <> all (p_busy)
    order by d.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from delivery d where d.player_id = r.player_id and d.billing_no = r.billing_no
      and d.state in ('queued', 'calling', 'unknown') and d.next_at <= v_now for update skip locked;
    continue when not found;
    update delivery d set state = 'calling', tries = d.tries + 1, next_at = v_now + p_lease
      where d.player_id = r.player_id and d.billing_no = r.billing_no returning d.tries into v_tries;
    update orders o set state = 'delivering', delivering_at = coalesce(o.delivering_at, v_now)
      where o.player_id = r.player_id and o.billing_no = r.billing_no and o.state = 'paid';
    select * into v_order from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no;
    continue when not found;
    return query select v_order.player_id, v_order.billing_no, v_order.game_id, v_tries, v_order.client_id,
      v_order.suid, v_order.server_id, v_order.area_id, v_order.role_id, v_order.product_id, v_order.product,
      v_order.amount_minor, v_order.currency;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_due_attempts(p_limit integer, p_lease interval, p_every interval, p_margin interval, p_busy text[])
 RETURNS TABLE(player_id uuid, billing_no text, attempt_no integer, provider text, amount_minor bigint, currency text, provider_ref text, capture_ref text, approval text, channel_id text, created_at timestamp with time zone, query_count integer, age_seconds double precision, is_past_payable boolean, brand_key text, game_id text, client_id text, suid text, server_id text, area_id text, role_id text, product_id text, channel_name jsonb, order_state text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  r record;
  v_attempt payment_attempt;
  v_order orders;
  v_count integer := 0;
begin
  for r in select a.player_id, a.billing_no, a.attempt_no from payment_attempt a
    where a.is_open and a.next_query_at > '-infinity' and a.next_query_at <= now() and a.provider <> all (p_busy)
      and (a.queried_at is null or a.queried_at < now() - p_every or a.queried_at < a.approved_at)
      and (a.capture_lease_until is null or a.capture_lease_until <= now())
    order by a.next_query_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from payment_attempt a
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no
        and a.is_open and a.next_query_at <= now()
        and (a.queried_at is null or a.queried_at < now() - p_every or a.queried_at < a.approved_at)
        and (a.capture_lease_until is null or a.capture_lease_until <= now()) for update skip locked;
    continue when not found;
    update payment_attempt a set next_query_at = now() + p_lease, queried_at = now(), query_count = a.query_count + 1
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no
      returning * into v_attempt;
    select * into v_order from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no;
    continue when not found;
    return query select v_attempt.player_id, v_attempt.billing_no, v_attempt.attempt_no, v_attempt.provider,
      v_attempt.amount_minor, v_attempt.currency, v_attempt.provider_ref, v_attempt.capture_ref, v_attempt.approval,
      v_attempt.channel_id, v_attempt.created_at, v_attempt.query_count,
      extract(epoch from now() - v_attempt.created_at)::double precision,
      v_attempt.payable_until < now() - p_margin, v_order.brand_key, v_order.game_id, v_order.client_id, v_order.suid,
      v_order.server_id, v_order.area_id, v_order.role_id, v_order.product_id, v_attempt.channel_name, v_order.state;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_erasures(p_limit integer, p_lease interval)
 RETURNS SETOF erasure
 LANGUAGE sql
AS $function$
  with due as (
    select e.player_id, e.erasure_no from erasure e where e.state = 'waiting' and e.next_at <= now()
    order by e.next_at limit p_limit for update skip locked
  ), held as (
    update erasure e set next_at = now() + p_lease,
        state = case when has_come_back(e) then 'withdrawn' else 'waiting' end,
        ended_at = case when has_come_back(e) then now() end
    from due where e.player_id = due.player_id and e.erasure_no = due.erasure_no
    returning e.*
  )
  select * from held where state = 'waiting'
$function$;

CREATE OR REPLACE FUNCTION public.lease_expired_orders(p_limit integer, p_lease interval)
 RETURNS TABLE(player_id uuid, billing_no text, attempts integer[])
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_sort TO 'off'
AS $function$
#variable_conflict use_column
declare
  r record;
  v_attempts integer[];
  v_count integer := 0;
begin
  for r in select o.player_id, o.billing_no from orders o
    where o.is_unpaid and o.expires_at > '-infinity' and greatest(o.expires_at, o.expiry_lease_until) <= now()
    order by greatest(o.expires_at, o.expiry_lease_until) limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from orders o where o.player_id = r.player_id and o.billing_no = r.billing_no
      and o.is_unpaid and greatest(o.expires_at, o.expiry_lease_until) <= now() for update skip locked;
    continue when not found;
    update orders o set expiry_lease_until = now() + p_lease
      where o.player_id = r.player_id and o.billing_no = r.billing_no;
    select coalesce(array_agg(a.attempt_no order by a.attempt_no), '{}') into v_attempts from payment_attempt a
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.is_open;
    return query select r.player_id, r.billing_no, v_attempts;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_query(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_every interval, p_margin interval)
 RETURNS TABLE(a payment_attempt, o orders, is_past_payable boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_order orders;
  v_attempt payment_attempt;
begin
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  if not found then return; end if;
  update payment_attempt set queried_at = now()
    where player_id = p_player_id and billing_no = p_billing_no
      and attempt_no = coalesce(p_attempt_no, v_order.current_attempt) and is_open
      and (queried_at is null or queried_at < now() - p_every)
      and (capture_lease_until is null or capture_lease_until <= now())
    returning * into v_attempt;
  if not found then return; end if;
  return query select v_attempt, v_order, v_attempt.payable_until < now() - p_margin;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_refunds(p_limit integer, p_lease interval)
 RETURNS TABLE(player_id uuid, billing_no text, attempt_no integer, tries integer, provider text, provider_ref text, capture_ref text, channel_id text, amount_minor bigint, currency text, created_at timestamp with time zone, age_seconds double precision)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  r record;
  v_refund refund;
  v_attempt payment_attempt;
  v_count integer := 0;
begin
  for r in select d.player_id, d.billing_no, d.attempt_no from refund d
    where d.state in ('due', 'calling', 'pending') and d.next_at <= now() order by d.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from refund d
      where d.player_id = r.player_id and d.billing_no = r.billing_no and d.attempt_no = r.attempt_no
        and d.state in ('due', 'calling', 'pending') and d.next_at <= now() for update skip locked;
    continue when not found;
    update refund d set state = case when d.state = 'pending' then 'pending' else 'calling' end,
        tries = d.tries + 1, next_at = now() + p_lease
      where d.player_id = r.player_id and d.billing_no = r.billing_no and d.attempt_no = r.attempt_no
      returning * into v_refund;
    select * into v_attempt from payment_attempt a
      where a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no;
    continue when not found;
    return query select v_refund.player_id, v_refund.billing_no, v_refund.attempt_no, v_refund.tries,
      v_attempt.provider, v_attempt.provider_ref, v_attempt.capture_ref, v_attempt.channel_id, v_refund.amount_minor,
      v_refund.currency, v_attempt.created_at, extract(epoch from now() - v_refund.created_at)::double precision;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_revocations(p_limit integer, p_lease interval)
 RETURNS TABLE(player_id uuid, billing_no text, game_id text, tries integer, reason text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  r record;
  v_count integer := 0;
begin
  for r in select d.player_id, d.billing_no from revocation d
    where d.state in ('queued', 'calling') and d.next_at <= now() order by d.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from revocation d where d.player_id = r.player_id and d.billing_no = r.billing_no
      and d.state in ('queued', 'calling') and d.next_at <= now() for update skip locked;
    continue when not found;
    return query update revocation d set state = 'calling', tries = d.tries + 1, next_at = now() + p_lease
      where d.player_id = r.player_id and d.billing_no = r.billing_no
      returning d.player_id, d.billing_no, d.game_id, d.tries, d.reason;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_rewards(p_limit integer, p_lease interval, p_busy_games text[])
 RETURNS SETOF reward
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_reward reward;
  v_count integer := 0;
begin
  for r in select w.player_id, w.reward_no from reward w where w.state in ('queued', 'calling', 'unknown')
    and w.next_at <= now() and w.game_id <> all (p_busy_games) order by w.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from reward w where w.player_id = r.player_id and w.reward_no = r.reward_no
      and w.state in ('queued', 'calling', 'unknown') and w.next_at <= now() for update skip locked;
    continue when not found;
    update reward w set state = 'calling', tries = w.tries + 1, next_at = now() + p_lease
      where w.player_id = r.player_id and w.reward_no = r.reward_no returning * into v_reward;
    return next v_reward;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_waiting_callbacks(p_limit integer, p_lease interval, p_unmatched_after interval)
 RETURNS TABLE(provider text, dedup_key text, reference text, report jsonb)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  r record;
  v_count integer := 0;
begin
  for r in select c.provider, c.dedup_key from callback_inbox c
    where c.state = 'stored' and (c.lease_until is null or c.lease_until <= now())
      and (c.next_try_at <= now() or (c.unmatched_at is null
        and c.received_at <= now() - p_unmatched_after and is_money_report(c.report)))
    order by c.next_try_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from callback_inbox c where c.provider = r.provider and c.dedup_key = r.dedup_key
      and c.state = 'stored' and (c.lease_until is null or c.lease_until <= now()) for update skip locked;
    continue when not found;
    return query update callback_inbox c set lease_until = now() + p_lease
      where c.provider = r.provider and c.dedup_key = r.dedup_key
      returning c.provider, c.dedup_key, c.reference, c.report;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.lease_webhook_messages(p_endpoint_id text, p_limit integer, p_lease interval)
 RETURNS SETOF webhook_message
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_message webhook_message;
  v_count integer := 0;
begin
  for r in select m.player_id, m.message_id from webhook_message m
    where m.endpoint_id = p_endpoint_id and m.state in ('queued', 'calling') and m.next_at <= now()
    order by m.next_at limit p_limit * 4
  loop
    exit when v_count >= p_limit;
    perform 1 from webhook_message m where m.player_id = r.player_id and m.message_id = r.message_id
      and m.state in ('queued', 'calling') and m.next_at <= now() for update skip locked;
    continue when not found;
    update webhook_message m set state = 'calling', tries = m.tries + 1, next_at = now() + p_lease
      where m.player_id = r.player_id and m.message_id = r.message_id returning * into v_message;
    return next v_message;
    v_count := v_count + 1;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.leave_account(p_player_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_purchase constant text := guard_hash('purchase');
  v_hash text;
  r record;
begin
  if v_account_id = p_player_id then return; end if;
  -- Locked in the order of reserve_goods.
  for r in
    select u.game_id, u.product_id, u.subject, u.period, count(*)::integer as used from (
      select game_id, product_id, subject, period from reservation
        where player_id = p_player_id and account_id = v_account_id and state <> 'released'
      union all
      select '', issue_key, 'reward', 'ever' from reward
        where player_id = p_player_id and account_id = v_account_id and state <> 'rejected') u
    group by 1, 2, 3, 4 order by coalesce(array_position(array['first', 'offer', 'reward'], u.subject), 0), 1, 2, 3, 4
  loop
    v_hash := guard_hash(r.subject);
    update limit_counter set used = used - r.used where account_id = v_account_id and game_id = r.game_id
      and product_id = r.product_id and subject = r.subject and period = r.period;
    insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
      values (p_player_id, r.game_id, r.product_id, r.subject, r.period, r.used, r.used);
    insert into carried_use as c (account_id, game_id, product_id, subject_hash, period, used)
      values (v_account_id, r.game_id, r.product_id, v_hash, r.period, r.used)
      on conflict (account_id, game_id, product_id, subject_hash, period) do update set used = c.used + excluded.used;
  end loop;
  if exists (select from orders where player_id = p_player_id and delivered_at is not null
      union all select from archived_buyer where player_id = p_player_id) then
    insert into carried_use (account_id, game_id, product_id, subject_hash, period, used)
      values (v_account_id, '', '', v_purchase, 'ever', 1) on conflict do nothing;
  end if;
  update reservation set account_id = p_player_id where player_id = p_player_id and account_id = v_account_id;
  update reward set account_id = p_player_id where player_id = p_player_id;
  update reward set basis = basis || '{"is_partly_erased": true}' where account_id = v_account_id;
  -- The last one: nobody counts there now, and the counters name characters.
  if not exists (select true from player where game_account_id = v_account_id and player_id <> p_player_id) then
    delete from limit_counter where account_id = v_account_id;
  end if;
  update player set game_account_id = null where player_id = p_player_id;
  insert into player_change (player_id) values (p_player_id), (v_account_id);
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_check_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from added
      group by player_id, billing_no, kind, attempt_no, currency having sum(amount_minor) <> 0) then
    raise exception 'a booking does not sum to zero';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.lessen_refund(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_amount_minor bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_amount_minor) > 0 then
    raise exception 'lessen_refund: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  update refund set amount_minor = amount_minor - p_amount_minor
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and (state = 'manual' or (state = 'due' and tries = 0));
end $function$;

CREATE OR REPLACE FUNCTION public.level_coupons(p_player_id uuid, p_time_zone text, p_coupons jsonb)
 RETURNS TABLE(id text, code text, state text, valid_from timestamp with time zone, valid_end timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query select l.id, l.code, case
      when c.state = 'void' or (c.state = 'free' and l.need_points > p.points) then 'locked'
      when c.code is not null then 'claimed'
      when l.need_points > p.points then 'locked'
      else 'claimable' end,
    coalesce(c.valid_from, l.begins_at, now()), coalesce(c.valid_end, l.ends_at, now() + make_interval(days => l.days))
  from (select player_points(p_player_id) as points offset 0) p
    cross join (select x.*, t.begins_at, t.ends_at, concat_ws('.', x.id, nullif(t.period_key, '')) as code
      from jsonb_to_recordset(p_coupons) as x(id text, type text, need_points bigint, days integer)
        cross join lateral level_period(x.type, p_time_zone, now()) t) l
    left join coupon c on c.player_id = p_player_id and c.code = l.code;
end $function$;

CREATE OR REPLACE FUNCTION public.level_period(p_type text, p_time_zone text, p_at timestamp with time zone)
 RETURNS TABLE(period_key text, begins_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_first date;
  v_next date;
begin
  if p_type = 'permanent' then
    return query select ''::text, null::timestamptz, null::timestamptz;
    return;
  end if;
  if p_type not in ('week', 'month') or num_nulls(p_type, p_time_zone, p_at) > 0 then
    raise exception 'level_period: type, time zone and time must be given' using errcode = 'null_value_not_allowed';
  end if;
  v_first := date_trunc(p_type, p_at at time zone p_time_zone)::date;
  v_next := (v_first + ('1 ' || p_type)::interval)::date;
  -- Midnights of the zone itself, so that a week with a change of the clock has 167 or 169 hours.
  return query select case p_type when 'week' then to_char(v_first, 'YYYY-MM-DD') else to_char(v_first, 'YYYY-MM') end,
    start_of_day(v_first, p_time_zone), start_of_day(v_next, p_time_zone);
end $function$;

CREATE OR REPLACE FUNCTION public.limit_period(days integer, zone text, at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when days is null then 'ever'
    else 'd' || days || ':' || (((at at time zone zone)::date - date '2024-01-01') / days) end
$function$;

CREATE OR REPLACE FUNCTION public.limit_period_end(days integer, zone text, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when days is null then null
    else start_of_day(
      date '2024-01-01' + ((((at at time zone zone)::date - date '2024-01-01') / days) + 1) * days, zone) end
$function$;

CREATE OR REPLACE FUNCTION public.list_partitioned()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  select c.relname::text from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  where c.relnamespace = 'public'::regnamespace and p.partstrat = 'r' and a.attname = 'billing_no'
  order by 1
$function$;

CREATE OR REPLACE FUNCTION public.lock_balance(p_player_id uuid, p_currency text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into wallet_account (player_id, currency, kind) values (p_player_id, p_currency, 'paid')
    on conflict do nothing;
  perform 1 from wallet_account where player_id = p_player_id and currency = p_currency order by kind for update;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_first_bonus(p_account_id uuid, p_game_id text, p_product_id text, p_bonus jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_used integer;
begin
  insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
    values (p_account_id, p_game_id, p_product_id, 'first', p_bonus ->> 'season', 0, 1) on conflict do nothing;
  select used into v_used from limit_counter
    where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id and subject = 'first'
      and period = p_bonus ->> 'season'
    for update;
  return v_used = 0 and uses_before(p_account_id, p_game_id, p_product_id, 'first', p_bonus ->> 'season') = 0;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_first_purchase(p_player_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  if v_account_id = p_player_id then return; end if;
  insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
    values (v_account_id, '', '', 'purchase', 'ever', 0, 0) on conflict do nothing;
  perform 1 from limit_counter where account_id = v_account_id and game_id = '' and product_id = ''
    and subject = 'purchase' and period = 'ever' for update;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_payment(p_player_id uuid, p_billing_no text, p_attempt_no integer, OUT locked_order orders, OUT locked_attempt payment_attempt)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no) > 0 then
    raise exception 'lock_payment: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform lock_reservations(p_player_id, p_billing_no);
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into locked_order from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into locked_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_promo_code(p_player_id uuid, p_brand_key text, p_promo jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  insert into promo_code (brand_key, code) values (p_brand_key, p_promo ->> 'code') on conflict do nothing;
  perform 1 from promo_code where brand_key = p_brand_key and code = p_promo ->> 'code' for update;
  if (p_promo ->> 'is_first')::boolean then perform lock_first_purchase(p_player_id); end if;
  return promo_refusal(p_player_id, p_brand_key, p_promo);
end $function$;

CREATE OR REPLACE FUNCTION public.lock_reservations(p_player_id uuid, p_billing_no text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  r reservation;
  v_brand_key text;
begin
  -- One row after the other: what is locked lies with the player, or in one place for all players.
  for r in select * from reservation where player_id = p_player_id and billing_no = p_billing_no
    order by array_position(array['limit', 'bonus', 'offer', 'stock', 'coupon', 'code', 'replenish'], kind)
  loop
    if r.kind in ('limit', 'bonus', 'offer') then
      perform 1 from limit_counter
        where account_id = r.account_id and game_id = r.game_id and product_id = r.product_id
          and subject = r.subject and period = r.period for update;
    elsif r.kind = 'stock' then
      perform 1 from product_stock where game_id = r.game_id and product_id = r.product_id for update;
    elsif r.kind = 'coupon' then
      perform 1 from coupon where player_id = p_player_id and code = r.subject for update;
    elsif r.kind = 'code' then
      select brand_key into v_brand_key from orders where player_id = p_player_id and billing_no = p_billing_no;
      perform 1 from promo_code where brand_key = v_brand_key and code = r.subject for update;
    elsif r.kind = 'replenish' then
      perform 1 from replenish where replenish_id = r.subject for update;
    end if;
  end loop;
  perform 1 from gift_card where billing_no = p_billing_no order by card_id for update;
  if exists (select from payment_attempt where player_id = p_player_id and billing_no = p_billing_no
      and provider in ('card', 'wallet') and state = 'succeeded') then
    perform 1 from wallet_account where player_id = p_player_id order by currency, kind for update;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.look_at_replenish(p_player_id uuid, p_sold jsonb, p_amount_minor bigint, p_currency text, p_limit jsonb, p_has_stock boolean, p_coupon jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_replenish replenish;
begin
  if num_nulls(p_player_id, p_sold ->> 'replenish_id', p_amount_minor, p_currency, p_has_stock) > 0 then
    raise exception 'look_at_replenish: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_limit is not null or p_has_stock or p_coupon is not null or nullif(p_sold -> 'promo', 'null') is not null
     or nullif(p_sold -> 'first_bonus', 'null') is not null then
    raise exception 'a make-up payment has no limit, stock or coupon' using errcode = 'invalid_parameter_value';
  end if;
  select * into v_replenish from replenish where replenish_id = p_sold ->> 'replenish_id' for update;
  if not found or v_replenish.brand_key <> p_sold ->> 'brand_key' or v_replenish.game_id <> p_sold ->> 'game_id'
     or v_replenish.client_id <> p_sold ->> 'client_id' or v_replenish.state <> 'open'
     or v_replenish.expires_at <= now() then
    return 'replenish_gone';
  end if;
  if v_replenish.player_id <> p_player_id then return 'replenish_foreign'; end if;
  if v_replenish.amount_minor <> p_amount_minor or v_replenish.currency <> p_currency then
    return 'price_changed';
  end if;
  return 'ok';
end $function$;

CREATE OR REPLACE FUNCTION public.make_order(p_player_id uuid, p_billing_no text, p_idempotency_key text, p_sold jsonb, p_amount_minor bigint, p_currency text, p_provider text, p_channel_key text, p_channel_name jsonb, p_channel_id text, p_expires_in interval, p_payable_for interval, p_time_zone text, p_limit jsonb, p_has_stock boolean, p_coupon jsonb, p_tender jsonb, p_must_be_new boolean, p_must_notify boolean, p_max_per_minute integer, p_max_open integer)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_account_id uuid;
  v_server_name text;
  v_role_name text;
  v_open_count integer;
  v_recent_count integer;
  v_open_billing_no text;
  v_tender jsonb := p_tender;
  v_reserved jsonb;
  v_amount_minor bigint;
  v_replenish text;
  v_rules jsonb := nullif(p_sold -> 'payer_rules', 'null'::jsonb);
  v_kept_rules constant jsonb := kept_payer_rules(v_rules);
  v_refusal jsonb;
  v_stale_count integer;
  v_since constant text := billing_no_at(now() - interval '1 day');
  v_until constant text := billing_no_at(now() + interval '1 day');
begin
  select coalesce(game_account_id, player_id) into v_account_id from player
    where player_id = p_player_id and erased_at is null for no key update;
  if not found then raise exception 'there is no player %', p_player_id; end if;
  v_refusal := jsonb_build_object('outcome', payer_refusal(p_player_id, p_sold ->> 'brand_key', v_rules));
  if v_refusal ->> 'outcome' is not null then return v_refusal; end if;
  if not is_price_in_force(p_sold -> 'price_holds') then return jsonb_build_object('outcome', 'price_changed'); end if;

  select coalesce(r.server_name, ''), coalesce(r.name, ''),
      (select count(*) from unpaid_order u where u.player_id = p_player_id),
      -- Of the partitions of today alone: a number is as old as its order, but for the clocks.
      (select count(*) from (select created_at from orders o
          where o.player_id = p_player_id and o.billing_no between v_since and v_until
          order by o.billing_no desc limit p_max_per_minute) o
        where o.created_at > now() - interval '1 minute')
    into v_server_name, v_role_name, v_open_count, v_recent_count
    from (values (p_sold ->> 'replenish_id')) as s(replenish_id) left join player_role r
      on r.player_id = p_player_id and r.client_id = p_sold ->> 'client_id' and r.server_id = p_sold ->> 'server_id'
        and r.area_id = p_sold ->> 'area_id' and r.role_id = p_sold ->> 'role_id'
        and r.seen_at > now() - interval '7 days'
    -- A make-up payment is for the account: no character receives it.
    where r.player_id is not null or s.replenish_id is not null;
  if not found then return jsonb_build_object('outcome', 'role_unknown'); end if;

  if v_tender ->> 'kind' = 'card' then
    v_tender := v_tender || check_card(
      p_player_id => p_player_id, p_brand_key => p_sold ->> 'brand_key', p_purpose => v_tender ->> 'purpose',
      p_card_id => v_tender ->> 'card_id', p_card_key => v_tender ->> 'card_key',
      p_password_hmac => decode(v_tender ->> 'password_hmac', 'hex'), p_network => v_tender ->> 'network',
      p_game_id => p_sold ->> 'game_id', p_channel => v_tender ->> 'channel');
    if v_tender ->> 'outcome' <> 'ok' then
      return jsonb_build_object('outcome', 'card_refused', 'reason', v_tender ->> 'reason');
    end if;
  end if;

  if v_open_count > 0 then
    -- A hand that moved an order past the functions (update orders set state = ...) left its row here: whoever has
    -- one could not buy the product again.
    delete from unpaid_order u where u.player_id = p_player_id and not exists (select from orders o
      where o.player_id = p_player_id and o.billing_no = u.billing_no and o.is_unpaid);
    get diagnostics v_stale_count = row_count;
    v_open_count := v_open_count - v_stale_count;
    select billing_no into v_open_billing_no from unpaid_order
      where player_id = p_player_id and client_id = p_sold ->> 'client_id' and server_id = p_sold ->> 'server_id'
        and area_id = p_sold ->> 'area_id' and role_id = p_sold ->> 'role_id' and product_id = p_sold ->> 'product_id';
    if found then
      return add_attempt(p_player_id, v_open_billing_no, p_idempotency_key, p_amount_minor, p_currency,
        p_coupon ->> 'code', p_sold #>> '{promo,code}', p_provider, p_channel_key, p_channel_name, p_channel_id,
        coalesce(p_sold ->> 'method', ''), p_expires_in, p_payable_for, v_rules, v_tender, p_must_be_new,
        p_must_notify);
    end if;
  end if;
  if v_recent_count >= p_max_per_minute then return jsonb_build_object('outcome', 'too_fast'); end if;
  if v_open_count >= p_max_open then
    -- An order whose provider cannot close its page stays open for hours; past its own time it counts no more.
    select count(*) into v_open_count from unpaid_order u join orders o
      on o.player_id = p_player_id and o.billing_no = u.billing_no
      where u.player_id = p_player_id and o.expires_at > now();
    if v_open_count >= p_max_open then return jsonb_build_object('outcome', 'too_many_orders'); end if;
  end if;

  if p_sold ->> 'replenish_id' is not null then
    v_replenish := look_at_replenish(p_player_id, p_sold, p_amount_minor, p_currency, p_limit, p_has_stock, p_coupon);
    if v_replenish <> 'ok' then return jsonb_build_object('outcome', v_replenish); end if;
  end if;
  v_reserved := reserve_goods(p_player_id, v_account_id, p_billing_no, p_sold ->> 'brand_key',
    p_sold ->> 'game_id', p_sold ->> 'product_id', p_amount_minor, p_currency, p_time_zone, p_limit, p_has_stock,
    p_coupon, v_tender, nullif(p_sold -> 'promo', 'null'::jsonb),
    nullif(p_sold -> 'first_bonus', 'null'::jsonb), v_rules);
  if v_reserved ->> 'outcome' <> 'reserved' then return v_reserved; end if;
  v_amount_minor := (v_reserved ->> 'amount_minor')::bigint;
  if v_replenish is not null then perform take_replenish(p_player_id, p_billing_no, p_sold); end if;

  with made as (
    insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
        area_id, role_id, role_name, suid, username, product, amount_minor, discount_minor, coupon_code, currency,
        region, country, language, state, expires_at, origin, payer_rules, accepted, points, promo_code, creator,
        share_minor, replenish_id)
      values (p_player_id, p_billing_no, p_sold ->> 'brand_key', p_sold ->> 'game_id', p_sold ->> 'client_id',
        p_sold ->> 'product_id', p_sold ->> 'server_id', v_server_name, p_sold ->> 'area_id', p_sold ->> 'role_id',
        v_role_name, p_sold ->> 'suid', p_sold ->> 'username',
        sold_product(p_sold, (v_reserved ->> 'has_bonus')::boolean), v_amount_minor, p_amount_minor - v_amount_minor,
        p_coupon ->> 'code', p_currency, p_sold ->> 'region', p_sold ->> 'country', p_sold ->> 'language', 'created',
        now() + p_expires_in, nullif(p_sold -> 'origin', 'null'::jsonb), v_kept_rules,
        nullif(p_sold -> 'accepted', 'null'::jsonb),
        -- Of what is to pay, rounded down as pointsFor (pricing/rules.ts) does; no rate, no points.
        div(v_amount_minor * (p_sold -> 'points_rate' ->> 'points')::numeric,
          (p_sold -> 'points_rate' ->> 'per_minor')::numeric)::bigint,
        p_sold #>> '{promo,code}', p_sold #>> '{promo,creator}',
        -- Basis points of what is to pay, rounded down.
        div(v_amount_minor * (p_sold #>> '{promo,share_bp}')::numeric, 10000)::bigint, p_sold ->> 'replenish_id')
  ), unpaid as (
    -- The second one of a character for a product is refused by its key.
    insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
      values (p_player_id, p_sold ->> 'client_id', p_sold ->> 'server_id', p_sold ->> 'area_id', p_sold ->> 'role_id',
        p_sold ->> 'product_id', p_billing_no)
  ), known as (
    insert into order_lookup (billing_no, player_id) values (p_billing_no, p_player_id)
  ), noted as (
    insert into player_change (player_id) values (p_player_id)
  ), sent as (
    insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
        method, amount_minor, currency, state, payable_until, next_query_at)
      values (p_player_id, p_billing_no, 1, p_provider, p_channel_key, p_channel_name, p_channel_id,
        coalesce(p_sold ->> 'method', ''), v_amount_minor, p_currency, 'sent',
        now() + p_payable_for, now() + interval '30 seconds')
  )
  update idempotency set billing_no = p_billing_no, attempt_no = 1
    where player_id = p_player_id and key = p_idempotency_key;
  if v_tender is not null then
    return capture_internal_tender(p_player_id, p_billing_no, 1, p_idempotency_key, p_provider, v_amount_minor,
      p_currency, v_tender, p_must_notify);
  end if;
  return jsonb_build_object('outcome', 'placed', 'billing_no', p_billing_no, 'attempt_no', 1,
    'amount_minor', v_amount_minor, 'server_name', v_server_name, 'role_name', v_role_name);
end $function$;

CREATE OR REPLACE FUNCTION public.make_partitions(p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
declare
  c_quiet_rows constant integer := 200000;
  v_month timestamptz;
  v_from text;
  v_to text;
  v_table text;
  v_name text;
  v_options text;
  v_is_taken boolean;
  v_unguarded text;
begin
  -- Two workers at once: the second finds all made.
  perform pg_advisory_xact_lock(7339457);
  for i in 0 .. 1 loop
    v_month := date_trunc('month', date_trunc('month', p_now, 'UTC') + i * interval '31 days', 'UTC');
    v_from := billing_no_at(v_month);
    v_to := billing_no_at(date_trunc('month', v_month + interval '32 days', 'UTC'));
    for v_table in select list_partitioned() loop
      v_name := format('%s_%s', v_table, to_char(v_month at time zone 'UTC', 'YYYY_MM'));
      continue when to_regclass(v_name) is not null;
      -- The first partition of an older database reaches to the end of the month of its upgrade.
      continue when v_from < (select substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')
        from pg_class c where c.oid = to_regclass(v_table || '_before'));
      -- A column, though nobody reads it: over all shards Citus refuses a list of none.
      execute format('select exists (select 1 from %I where billing_no >= %L and billing_no < %L)',
        v_table || '_default', v_from, v_to) into v_is_taken;
      continue when v_is_taken;
      select array_to_string(reloptions || array[
          'autovacuum_analyze_threshold=' || c_quiet_rows,
          'autovacuum_vacuum_threshold=' || c_quiet_rows,
          'autovacuum_vacuum_insert_threshold=' || c_quiet_rows
        ], ', ') into v_options
        from pg_class where oid = (v_table || '_default')::regclass;
      execute format('create table %I (like %I including all) with (%s)', v_name, v_table, v_options);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_table, v_name, v_from, v_to);
      return next v_name;
    end loop;
  end loop;
  -- The oldest month without the guard of the archive, one at a time: each makes connections plan anew.
  if can_have_triggers('orders') then
    select substring(c.relname from '^orders_(.*)$') into v_unguarded
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
        cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as text) b
      where i.inhparent = 'orders'::regclass and b.text <> 'DEFAULT'
        and substring(b.text from 'TO \(''([^'']+)''\)') <= billing_no_at(p_now - interval '90 days')
        and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'archive_guard')
      order by substring(b.text from 'TO \(''([^'']+)''\)') limit 1;
    if found then
      begin
        perform guard_month(v_unguarded);
      exception when lock_not_available then
        null;  -- It is written; the next call comes in an hour.
      end;
    end if;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.max_failed_attempts(p_subject text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$ select case left(p_subject, 1) when 'c' then 10 when 'd' then 20 else 5 end $function$;

CREATE OR REPLACE FUNCTION public.note_order_move(p_player_id uuid, p_billing_no text, p_from text, p_to text, p_is_chargeback boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_type text := case when p_is_chargeback then 'order.chargeback' else 'order.' || p_to end;
begin
  if num_nulls(p_player_id, p_billing_no, p_from, p_to, p_is_chargeback) > 0 then
    raise exception 'note_order_move: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_from <> p_to then
    if not exists (select from order_transition t where t.from_state = p_from and t.to_state = p_to) then
      raise exception 'order % cannot go from % to %', p_billing_no, p_from, p_to using errcode = 'check_violation';
    end if;
    if (p_from = 'created' or p_from = 'pending') and p_to <> 'created' and p_to <> 'pending' then
      delete from unpaid_order where player_id = p_player_id and billing_no = p_billing_no;
    end if;
  end if;
  if not p_is_chargeback and (p_from = p_to or (p_to <> 'delivered' and p_to <> 'refunded' and p_to <> 'review')) then
    return;
  end if;
  -- Without an endpoint it is one look at an empty table.
  if not exists (select from webhook_endpoint) then return; end if;
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data, next_at)
  select p_player_id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), e.endpoint_id, v_type, p_billing_no,
    order_event_data(v_order), case when e.disabled_at is null then v_now else 'infinity' end
  from webhook_endpoint e
  where v_type = any (e.types) and (e.brand_key is null or e.brand_key = v_order.brand_key);
end $function$;

CREATE OR REPLACE FUNCTION public.notify_configuration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('refill_configuration', new.revision::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.open_offers(p_player_id uuid, p_brand_key text, p_offers jsonb)
 RETURNS SETOF coupon
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
declare
  x record;
  v_account_id constant uuid := account_of(p_player_id);
  v_used integer;
  v_carried integer;
  v_row coupon;
  v_from timestamptz;
  v_end timestamptz;
begin
  for x in select * from jsonb_to_recordset(p_offers) as o(run text, times integer, game_id text, product_id text,
      name jsonb, prices jsonb, valid_from timestamptz, valid_end timestamptz, after jsonb)
  loop
    v_from := x.valid_from;
    v_end := x.valid_end;
    if x.after is not null then
      select max(o.delivered_at) into v_from from orders o
        where o.player_id = p_player_id and o.brand_key = p_brand_key and o.game_id = x.game_id
          and o.state = 'delivered' and o.delivered_at >= x.valid_from
          and (jsonb_array_length(x.after -> 'products') = 0 or x.after -> 'products' ? o.product_id)
          -- An order bought by the offer does not open it again.
          and (o.coupon_code is null or not starts_with(o.coupon_code, 'offer:' || x.run || ':'));
      v_end := least(v_end, v_from + make_interval(mins => (x.after ->> 'minutes')::integer));
    end if;
    continue when v_from is null or v_from > now() or v_end <= now();
    -- As often as it was had before an account's person was erased, it is not to be had again.
    v_carried := uses_before(v_account_id, '', x.run, 'offer', 'ever');
    select used into v_used from limit_counter where account_id = v_account_id and game_id = '' and product_id = x.run
      and subject = 'offer' and period = 'ever';
    for n in 1 + v_carried .. x.times loop
      select * into v_row from coupon where player_id = p_player_id and code = 'offer:' || x.run || ':' || n;
      continue when found and v_row.state <> 'free' and not exists (select from orders o
        where o.player_id = p_player_id and o.billing_no = v_row.billing_no and o.is_unpaid);
      if v_row.state is distinct from 'taken' then
        -- Another player of the account, at another brand, has taken what is left.
        exit when coalesce(v_used, 0) + v_carried >= x.times;
        -- As the files say now, also where an order had it before and gave it back.
        v_row := jsonb_populate_record(null::coupon, jsonb_build_object('player_id', p_player_id,
          'code', 'offer:' || x.run || ':' || n, 'brand_key', p_brand_key, 'name', x.name, 'prices', x.prices,
          'min_spend', '{}'::jsonb, 'games', jsonb_build_array(x.game_id),
          'products', jsonb_build_array(x.product_id), 'valid_from', v_from, 'valid_end', v_end, 'state', 'free',
          'source', 'file ' || x.run, 'created_at', now()));
      end if;
      return next v_row;
      exit;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.operate_points(p_player_id uuid, p_points bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  v_points bigint;
begin
  if num_nulls(p_player_id, p_points) > 0 or p_points = 0 then
    raise exception 'operate_points: a player and a number other than 0 must be given'
      using errcode = 'null_value_not_allowed';
  end if;
  -- Two operators at once number their entries one after the other.
  perform 1 from player where player_id = p_player_id for no key update;
  if not found then raise exception 'there is no player %', p_player_id; end if;
  v_points := player_points(p_player_id) + p_points;
  if v_points < 0 and p_points < 0 then return null; end if;
  insert into points_entry (player_id, billing_no, kind, entry_no, points)
    select p_player_id, '', 'operator', count(*)::integer + 1, p_points from points_entry
      where player_id = p_player_id and billing_no = '';
  insert into player_change (player_id) values (p_player_id);
  return v_points;
end $function$;

CREATE OR REPLACE FUNCTION public.operator_confirm_payment(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_capture_ref text)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_attempt payment_attempt;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_capture_ref) > 0 then
    raise exception 'operator_confirm_payment: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  if v_attempt.unreadable_reason is null then return 'wrong_state'; end if;
  return apply_report(p_player_id, p_billing_no, p_attempt_no, v_attempt.provider, 'paid', true,
    v_attempt.provider_ref, p_capture_ref, v_attempt.amount_minor, v_attempt.currency,
    null, null, null, null, true) ->> 'outcome';
end $function$;

CREATE OR REPLACE FUNCTION public.operator_deliver(p_player_id uuid, p_billing_no text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_attempt_no integer;
begin
  if num_nulls(p_player_id, p_billing_no) > 0 then
    raise exception 'operator_deliver: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  -- The player's spending may be counted again (reserve_again).
  perform 1 from player where player_id = p_player_id for no key update;
  perform lock_reservations(p_player_id, p_billing_no);
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  if is_deliverable(v_order.state) is not true then return 'wrong_state'; end if;
  select attempt_no into v_attempt_no from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if v_attempt_no is null then return 'not_paid'; end if;
  if exists (select from refund
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_attempt_no) then
    return 'refunding';
  end if;
  if exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = v_attempt_no
        and kind = 'chargeback') then
    return 'charged_back';
  end if;
  if not exists (select from delivery where player_id = p_player_id and billing_no = p_billing_no) then
    if not reserve_again(p_player_id, p_billing_no) then return 'nothing_left'; end if;
    insert into delivery (player_id, billing_no, game_id) values (p_player_id, p_billing_no, v_order.game_id);
    update orders set state = 'delivering', delivering_at = coalesce(delivering_at, v_now),
        review_reason = null, closed_at = null
      where player_id = p_player_id and billing_no = p_billing_no;
    insert into player_change (player_id) values (p_player_id);
  elsif redeliver_order(p_player_id, p_billing_no) <> 'queued' then
    return 'wrong_state';
  end if;
  perform pg_notify('refill_delivery', v_order.game_id);
  return 'queued';
end $function$;

CREATE OR REPLACE FUNCTION public.operator_refund(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_reason text, p_requested_by text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_asked text;
  v_is_order_payment boolean;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by) > 0 then
    raise exception 'operator_refund: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  perform 1 from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  v_is_order_payment := exists (select from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no and state = 'succeeded');
  if v_is_order_payment and exists (select from delivery
      where player_id = p_player_id and billing_no = p_billing_no and state = 'calling' and next_at > now()) then
    return 'delivering_now';
  end if;
  v_asked := request_refund(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by);
  -- Undelivered and stopped for good: the order says so, and is not taken for a forgotten one.
  if v_asked = 'due' and v_is_order_payment then
    update delivery set state = 'rejected', last_error = 'refund requested'
      where player_id = p_player_id and billing_no = p_billing_no and state = 'calling';
    update orders set state = 'refund_due'
      where player_id = p_player_id and billing_no = p_billing_no and state in ('paid', 'delivering');
  end if;
  return v_asked;
end $function$;

CREATE OR REPLACE FUNCTION public.operator_refund_done(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_reason text, p_requested_by text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_refund refund;
  v_attempt payment_attempt;
  v_asked text;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by) > 0 then
    raise exception 'operator_refund_done: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  perform lock_reservations(p_player_id, p_billing_no);
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  perform 1 from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_attempt.provider in ('card', 'wallet') then return 'own_money'; end if;
  select * into v_refund from refund
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_refund.state = 'done' then return 'was_done'; end if;
  if v_refund.state = 'calling' and v_refund.next_at > now() then return 'refunding_now'; end if;
  if v_refund.state is null then
    v_asked := operator_refund(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by);
    if v_asked <> 'due' then return v_asked; end if;
  end if;
  if not book_repaid(v_attempt) and not book_refund(p_player_id, p_billing_no, p_attempt_no) then
    return 'nothing_to_refund';
  end if;
  return 'done';
end $function$;

CREATE OR REPLACE FUNCTION public.order_event_data(p_order orders)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'billing_no', p_order.billing_no, 'player_id', p_order.player_id, 'brand', p_order.brand_key,
    'game', p_order.game_id, 'product_id', p_order.product_id, 'country', p_order.country,
    'amount_minor', p_order.amount_minor, 'currency', p_order.currency, 'refunded_minor', p_order.refunded_minor,
    'state', p_order.state, 'review_reason', split_part(p_order.review_reason, ':', 1),
    'created_at', p_order.created_at, 'paid_at', p_order.paid_at, 'delivered_at', p_order.delivered_at,
    'refunded_at', p_order.refunded_at)
$function$;

CREATE OR REPLACE FUNCTION public.order_standing(p_player_id uuid, p_billing_no text)
 RETURNS TABLE(state text, review_reason text, paid_at timestamp with time zone, delivered_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 1
AS $function$
#variable_conflict use_column
begin
  if p_billing_no is null then return; end if;
  return query select o.state, o.review_reason, o.paid_at, o.delivered_at from orders o
    where o.player_id = p_player_id and o.billing_no = p_billing_no;
end $function$;

CREATE OR REPLACE FUNCTION public.over_before(p_days jsonb)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select now() - make_interval(days => (select min(value::integer) from jsonb_each_text(p_days)))
$function$;

CREATE OR REPLACE FUNCTION public.paid_answer(p_order orders, p_attempt_no integer, p_outcome text, p_facts jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
begin
  if p_facts is null then
    return jsonb_build_object('outcome', p_outcome, 'player_id', p_order.player_id,
      'billing_no', p_order.billing_no, 'attempt_no', p_attempt_no, 'game_id', p_order.game_id);
  end if;
  return jsonb_build_object('outcome', p_outcome, 'player_id', p_order.player_id,
    'billing_no', p_order.billing_no, 'attempt_no', p_attempt_no, 'game_id', p_order.game_id,
    'delivery', jsonb_build_object('player_id', p_order.player_id,
      'billing_no', p_order.billing_no, 'game_id', p_order.game_id, 'tries', 1, 'client_id', p_order.client_id,
      'suid', p_order.suid, 'server_id', p_order.server_id, 'area_id', p_order.area_id, 'role_id', p_order.role_id,
      'product_id', p_order.product_id, 'product', p_order.product, 'amount_minor', p_order.amount_minor,
      'currency', p_order.currency, 'facts', p_facts));
end $function$;

CREATE OR REPLACE FUNCTION public.pause_spending(p_player_id uuid, p_days integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_soon timestamptz := now() + interval '24 hours';
  v_now constant timestamptz := now();
begin
  if num_nulls(p_player_id, p_days) > 0 then
    raise exception 'pause_spending: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from player where player_id = p_player_id for no key update;
  if p_days = 0 then
    update spending_pause set paused_until = least(paused_until, v_soon) where player_id = p_player_id;
    return;
  end if;
  insert into spending_pause as s (player_id, paused_until) values (p_player_id, v_now + make_interval(days => p_days))
    on conflict (player_id) do update set paused_until = greatest(s.paused_until, excluded.paused_until);
end $function$;

CREATE OR REPLACE FUNCTION public.payer_refusal(p_player_id uuid, p_brand_key text, p_rules jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  if p_rules is not null then
    perform require_keys('payer_refusal, rules', p_rules, '{real_name,time_zone}');
    if coalesce(jsonb_typeof(p_rules -> 'age_caps'), '') not in ('object', 'null') then
      raise exception 'payer_refusal, rules: age_caps is missing' using errcode = 'null_value_not_allowed';
    end if;
  elsif exists (select from configuration_file where kind = 'brand' and key = p_brand_key
      and (body::jsonb ? 'realName' or jsonb_path_exists(body::jsonb, '$.areas.*.ageCaps'))) then
    raise exception 'payer_refusal: the rules of the brand % are missing', p_brand_key
      using errcode = 'null_value_not_allowed';
  end if;
  -- One statement a question, and only where it is asked: most orders are placed where neither is.
  if (p_rules ->> 'real_name')::boolean then
    if not exists (select from real_name where player_id = p_player_id and state = 'verified') then
      return 'real_name_missing';
    end if;
  end if;
  -- asks_age: servers from before do not send it, and asked wherever there are caps.
  if jsonb_typeof(p_rules -> 'age_caps') = 'object' and coalesce((p_rules ->> 'asks_age')::boolean, true) then
    if not exists (select from age_declaration where player_id = p_player_id) then
      return 'age_unknown';
    end if;
  end if;
  if exists (select from spending_pause where player_id = p_player_id and paused_until > now()) then
    return 'spending_paused';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.place_order(p_player_id uuid, p_billing_no text, p_idempotency_key text, p_fingerprint text, p_sold jsonb, p_amount_minor bigint, p_currency text, p_provider text, p_channel_key text, p_channel_name jsonb, p_channel_id text, p_expires_in interval, p_payable_for interval, p_time_zone text, p_limit jsonb, p_has_stock boolean, p_coupon jsonb, p_tender jsonb, p_must_be_new boolean, p_must_notify boolean, p_max_per_minute integer, p_max_open integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_answer jsonb;
begin
  if num_nulls(p_player_id, p_billing_no, p_fingerprint, p_sold, p_amount_minor, p_currency, p_provider,
      p_channel_key, p_channel_name, p_channel_id, p_expires_in, p_payable_for, p_time_zone, p_has_stock,
      p_must_be_new, p_must_notify, p_max_per_minute, p_max_open) > 0
  then
    raise exception 'place_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('place_order, sold', p_sold, array['brand_key', 'game_id', 'client_id', 'product_id',
    'server_id', 'area_id', 'role_id', 'suid', 'username', 'product', 'region', 'country', 'language']);
  if p_limit is not null then perform require_keys('place_order, limit', p_limit, '{times,subject}'); end if;
  if p_coupon is not null then perform require_keys('place_order, coupon', p_coupon, '{code,min_charge_minor}'); end if;
  if coalesce(p_sold -> 'promo', 'null') <> 'null' then
    perform require_keys('place_order, promo', p_sold -> 'promo', '{code,min_charge_minor}');
  end if;
  if coalesce(p_sold -> 'first_bonus', 'null') <> 'null' then
    perform require_keys('place_order, first bonus', p_sold -> 'first_bonus', '{season,gifts,is_told}');
  end if;
  if p_tender is not null then perform require_tender(p_tender); end if;

  if p_idempotency_key is not null then
    v_answer := take_idempotency_key(p_player_id, p_idempotency_key, p_fingerprint);
    if v_answer is not null then return v_answer; end if;
  end if;
  v_answer := make_order(p_player_id, p_billing_no, p_idempotency_key, p_sold, p_amount_minor, p_currency,
    p_provider, p_channel_key, p_channel_name, p_channel_id, p_expires_in, p_payable_for, p_time_zone, p_limit,
    p_has_stock, p_coupon, p_tender, p_must_be_new, p_must_notify, p_max_per_minute, p_max_open);
  if v_answer ->> 'outcome' <> all ('{placed,paid,repeat}'::text[]) then
    delete from idempotency where player_id = p_player_id and key = p_idempotency_key;
  end if;
  return v_answer;
end $function$;

CREATE OR REPLACE FUNCTION public.place_plain_orders(p_orders jsonb)
 RETURNS jsonb[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_since constant text := billing_no_at(now() - interval '1 day');
  v_until constant text := billing_no_at(now() + interval '1 day');
  v_answers jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(p_orders)]);
  r record;
begin
  -- By itself: what is counted below has to be seen after the lock.
  perform 1 from (select distinct on (x.player_id) x.player_id
      from jsonb_to_recordset(p_orders) as x(player_id uuid) order by x.player_id) t
    join player p on p.player_id = t.player_id
    order by p.player_id for no key update of p;

  for r in
    with given as (
      -- Of two orders of one player the first; the second counts it.
      select distinct on (x.player_id) x.*, x.sold ->> 'client_id' as client_id, x.sold ->> 'server_id' as server_id,
          x.sold ->> 'area_id' as area_id, x.sold ->> 'role_id' as role_id, x.sold ->> 'product_id' as product_id
        from rows from (jsonb_to_recordset(p_orders) as (player_id uuid, billing_no text, idempotency_key text,
            fingerprint text, sold jsonb, amount_minor bigint, currency text, provider text, channel_key text,
            channel_name jsonb, channel_id text, expires_in interval, payable_for interval, time_zone text,
            "limit" jsonb, has_stock boolean, coupon jsonb, tender jsonb, must_be_new boolean, must_notify boolean,
            max_per_minute integer, max_open integer))
          with ordinality as x(player_id, billing_no, idempotency_key, fingerprint, sold, amount_minor, currency,
            provider, channel_key, channel_name, channel_id, expires_in, payable_for, time_zone, "limit", has_stock,
            coupon, tender, must_be_new, must_notify, max_per_minute, max_open, place)
        where num_nulls(x.player_id, x.billing_no, x.fingerprint, x.sold, x.amount_minor, x.currency, x.provider,
            x.channel_key, x.channel_name, x.channel_id, x.expires_in, x.payable_for, x.time_zone, x.must_be_new,
            x.must_notify, x.max_per_minute, x.max_open) = 0
          and x.idempotency_key is not null and x."limit" is null and not x.has_stock and x.coupon is null
          and x.tender is null
          and (x.sold - '{brand_key,game_id,client_id,product_id,server_id,area_id,role_id,suid,username,product,region,
            country,language,origin,method,points_rate,payer_rules,promo,first_bonus,accepted}'::text[]) = '{}'
          and coalesce(x.sold -> 'promo', 'null') = 'null' and coalesce(x.sold -> 'first_bonus', 'null') = 'null'
          and x.sold #> '{payer_rules,real_name}' = 'false' and x.sold #> '{payer_rules,age_caps}' = 'null'
          and x.sold #>> '{payer_rules,time_zone}' is not null
          and num_nulls(x.sold ->> 'brand_key', x.sold ->> 'game_id', x.sold ->> 'client_id', x.sold ->> 'product_id',
            x.sold ->> 'server_id', x.sold ->> 'area_id', x.sold ->> 'role_id', x.sold ->> 'suid',
            x.sold ->> 'username', x.sold ->> 'product', x.sold ->> 'region', x.sold ->> 'country',
            x.sold ->> 'language') = 0
        order by x.player_id, x.place
    ), free as materialized (
      select t.*, c.server_name, c.name as role_name
        from given t
          join player p on p.player_id = t.player_id and p.erased_at is null
          join player_role c on c.player_id = t.player_id and c.client_id = t.client_id
            and c.server_id = t.server_id and c.area_id = t.area_id and c.role_id = t.role_id
            and c.seen_at > now() - interval '7 days'
          -- Aggregates and limits: each is a look by key, whatever statistics say of the table.
          cross join lateral (select count(*) as open_count, coalesce(bool_or(u.client_id = t.client_id
              and u.server_id = t.server_id and u.area_id = t.area_id and u.role_id = t.role_id
              and u.product_id = t.product_id), false) as has_same
            from unpaid_order u where u.player_id = t.player_id) u
        where u.open_count < t.max_open and not u.has_same
          and (select true from spending_pause s where s.player_id = t.player_id and s.paused_until > now() limit 1)
            is null
          and (select true from spending_cap s where s.player_id = t.player_id limit 1) is null
          and (select true from idempotency i where i.player_id = t.player_id and i.key = t.idempotency_key limit 1)
            is null
          -- Of the partitions of today alone: a number is as old as its order, but for the clocks.
          and (select count(*) from (select created_at from orders o
              where o.player_id = t.player_id and o.billing_no between v_since and v_until
              order by o.billing_no desc limit t.max_per_minute) o
            where o.created_at > now() - interval '1 minute') < t.max_per_minute
    ), keyed as (
      insert into idempotency (player_id, key, fingerprint, billing_no, attempt_no)
        select player_id, idempotency_key, fingerprint, billing_no, 1 from free
    ), unpaid as (
      insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
        select player_id, client_id, server_id, area_id, role_id, product_id, billing_no from free
    ), known as (
      insert into order_lookup (billing_no, player_id) select billing_no, player_id from free
    ), noted as (
      insert into player_change (player_id) select player_id from free
    ), sent as (
      insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id,
          method, amount_minor, currency, state, payable_until, next_query_at)
        select player_id, billing_no, 1, provider, channel_key, channel_name, channel_id,
          coalesce(sold ->> 'method', ''), amount_minor, currency, 'sent', now() + payable_for,
          now() + interval '30 seconds' from free
    ), made as (
      insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
          area_id, role_id, role_name, suid, username, product, amount_minor, currency, region, country, language,
          state, expires_at, origin, payer_rules, accepted, points)
        select player_id, billing_no, sold ->> 'brand_key', sold ->> 'game_id', client_id, product_id, server_id,
          server_name, area_id, role_id, role_name, sold ->> 'suid', sold ->> 'username', sold -> 'product',
          amount_minor, currency, sold ->> 'region', sold ->> 'country', sold ->> 'language', 'created',
          now() + expires_in, nullif(sold -> 'origin', 'null'::jsonb),
          kept_payer_rules(sold -> 'payer_rules'),
          nullif(sold -> 'accepted', 'null'::jsonb),
          div(amount_minor * (sold #>> '{points_rate,points}')::numeric,
            (sold #>> '{points_rate,per_minor}')::numeric)::bigint
        from free
    )
    select place, billing_no, amount_minor, server_name, role_name from free
  loop
    v_answers[r.place] := jsonb_build_object('outcome', 'placed', 'billing_no', r.billing_no, 'attempt_no', 1,
      'amount_minor', r.amount_minor, 'server_name', r.server_name, 'role_name', r.role_name);
  end loop;
  return v_answers;
end $function$;

CREATE OR REPLACE FUNCTION public.player_counters(p_player_id uuid, p_game_id text)
 RETURNS SETOF limit_counter
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  return query select * from limit_counter where account_id = v_account_id and game_id = p_game_id;
end $function$;

CREATE OR REPLACE FUNCTION public.player_names(p_player_id uuid, p_brand_key text)
 RETURNS TABLE(suid text, username text, disabled_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 1
AS $function$
#variable_conflict use_column
begin
  return query select p.suid, p.username, p.disabled_at from player p
    where p.player_id = p_player_id and p.brand_key = p_brand_key;
end $function$;

CREATE OR REPLACE FUNCTION public.player_points(p_player_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (select coalesce(sum(points), 0)::bigint from points_entry where player_id = p_player_id);
end $function$;

CREATE OR REPLACE FUNCTION public.points_kept(p_points bigint, p_amount_minor bigint, p_refunded_minor bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_points is null then 0 when p_refunded_minor is null then p_points
    else div(p_points::numeric * (p_amount_minor - p_refunded_minor), p_amount_minor)::bigint end
$function$;

CREATE OR REPLACE FUNCTION public.promo_amount(p_promo jsonb, p_amount_minor bigint, p_min_charge_minor bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select d.due from (select case when p_promo ->> 'rate' is not null
      then round(p_amount_minor * (p_promo ->> 'rate')::numeric)::bigint
    else p_amount_minor - coalesce((p_promo ->> 'off_minor')::bigint, 0) end as due) d
  where d.due >= greatest(1, p_min_charge_minor)
    and coalesce((p_promo ->> 'min_spend_minor')::bigint, 0) <= p_amount_minor
$function$;

CREATE OR REPLACE FUNCTION public.promo_price(p_player_id uuid, p_brand_key text, p_promo jsonb, p_game_id text, p_product_id text, p_receiver jsonb, p_coupon_code text, p_full_minor bigint, p_due_minor bigint, p_currency text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_amount_minor bigint;
  v_reason text;
begin
  select o.amount_minor into v_amount_minor from unpaid_order u
    join orders o on o.player_id = u.player_id and o.billing_no = u.billing_no
    where u.player_id = p_player_id and o.promo_code = p_promo ->> 'code'
      and o.coupon_code is not distinct from p_coupon_code
      and o.brand_key = p_brand_key and o.game_id = p_game_id and o.product_id = p_product_id
      and o.currency = p_currency and o.amount_minor + o.discount_minor = p_full_minor
      and (p_receiver is null or jsonb_build_object('client_id', o.client_id, 'server_id', o.server_id,
        'area_id', o.area_id, 'role_id', o.role_id) = p_receiver)
    limit 1;
  if v_amount_minor is null then
    v_reason := promo_refusal(p_player_id, p_brand_key, p_promo);
    if v_reason is not null then return jsonb_build_object('reason', v_reason); end if;
    v_amount_minor := promo_amount(p_promo, p_due_minor, 1);
    if v_amount_minor is null then return jsonb_build_object('reason', 'too_small'); end if;
  end if;
  return jsonb_build_object('amount_minor', v_amount_minor);
end $function$;

CREATE OR REPLACE FUNCTION public.promo_refusal(p_player_id uuid, p_brand_key text, p_promo jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if now() < (p_promo ->> 'valid_from')::timestamptz then return 'not_begun'; end if;
  if now() >= (p_promo ->> 'valid_end')::timestamptz then return 'over'; end if;
  if p_promo ->> 'per_player' is not null
    and (p_promo ->> 'per_player')::integer <= promo_uses(p_player_id, p_promo ->> 'code') then
    return 'used_by_player';
  end if;
  if (p_promo ->> 'total')::integer <= coalesce((select c.used from promo_code c
      where c.brand_key = p_brand_key and c.code = p_promo ->> 'code'), 0) then
    return 'used_up';
  end if;
  if (p_promo ->> 'is_first')::boolean is not true then return null; end if;
  if has_bought(p_player_id, null) then return 'not_first'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.promo_uses(p_player_id uuid, p_code text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_players uuid[] := account_players(p_player_id);
  v_player_id uuid;
  v_brand_key text;
  v_count integer;
begin
  if cardinality(v_players) > 1 then
    select brand_key into v_brand_key from player where player_id = p_player_id;
    v_players := array(select player_id from player where player_id = any (v_players) and brand_key = v_brand_key);
  end if;
  select count(*)::integer into v_count from reservation
    where player_id = any (v_players) and kind = 'code' and subject = p_code and state <> 'released';
  foreach v_player_id in array v_players loop
    v_count := v_count + uses_before(v_player_id, '', p_code, 'code', 'ever')::integer;
  end loop;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.pseudonym_of(p_salt bytea, p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when coalesce(p_text, '') = '' then p_text
    else 'erased-' || left(encode(sha256(p_salt || convert_to(p_text, 'UTF8')), 'hex'), 16) end
$function$;

CREATE OR REPLACE FUNCTION public.receive_daily(p_player_id uuid, p_receiver jsonb, p_run text, p_reward jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now record;
begin
  if num_nulls(p_player_id, p_receiver, p_run, p_reward) > 0 then
    raise exception 'receive_daily: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('receive_daily, basis', p_reward -> 'basis',
    array['kind', 'day', 'streak', 'time_zone', 'from', 'until']);
  perform 1 from player where player_id = p_player_id for no key update;
  select * into v_now from daily_standing(p_player_id, p_run, p_reward -> 'basis' ->> 'time_zone');
  if not v_now.is_claimed and (v_now.today::text <> p_reward -> 'basis' ->> 'day'
    or v_now.streak + 1 <> (p_reward -> 'basis' ->> 'streak')::integer
    or now() < (p_reward -> 'basis' ->> 'from')::timestamptz
    or now() >= (p_reward -> 'basis' ->> 'until')::timestamptz)
  then
    return jsonb_build_array(jsonb_build_object('issue_key', p_reward ->> 'issue_key', 'outcome', 'locked'));
  end if;
  return receive_rewards(p_player_id, p_receiver, jsonb_build_array(p_reward));
end $function$;

CREATE OR REPLACE FUNCTION public.receive_report(p_billing_no text, p_attempt_no integer, p_provider text, p_status text, p_is_our_merchant boolean, p_provider_ref text, p_capture_ref text, p_amount_minor bigint, p_currency text, p_reason text, p_exchange jsonb, p_callback jsonb, p_lease_seconds double precision, p_must_notify boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_now constant timestamptz := now();
  v_player_id uuid;
  v_billing_no text := p_billing_no;
  v_attempt_no integer := p_attempt_no;
  v_answer jsonb;
  v_state text;
  v_known callback_inbox;
  v_next_try_at timestamptz;
  v_amount_minor bigint := p_amount_minor;
  v_currency text := p_currency;
begin
  if num_nulls(p_provider, p_status, p_must_notify) > 0 then
    raise exception 'receive_report: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_callback is not null then
    perform require_keys('receive_report, callback', p_callback, '{dedup_key,report,headers,body}');
  end if;
  if v_billing_no is null and p_provider_ref is not null then
    select billing_no, attempt_no into v_billing_no, v_attempt_no from provider_reference
      where provider = p_provider and provider_ref = p_provider_ref;
  end if;
  if v_billing_no is not null and v_attempt_no is not null then
    select player_id into v_player_id from order_lookup where billing_no = v_billing_no;
  end if;
  if v_player_id is not null then
    if p_status = 'refunded' then
      v_amount_minor := believed_refund(v_player_id, v_billing_no, v_attempt_no, p_amount_minor,
        p_callback -> 'report' ->> 'amountDoubt');
      if v_amount_minor is null then v_currency := null; end if;
    end if;
    v_answer := apply_report(v_player_id, v_billing_no, v_attempt_no, p_provider, p_status, p_is_our_merchant,
      p_provider_ref, p_capture_ref, v_amount_minor, v_currency, p_reason, p_exchange, p_callback,
      make_interval(secs => p_lease_seconds), p_must_notify);
    if v_answer ->> 'outcome' <> 'unknown_order' then return v_answer; end if;
  end if;
  if p_callback is null then return jsonb_build_object('outcome', 'unknown_order'); end if;
  insert into callback_inbox (provider, dedup_key, reference, report, headers, body, tries, outcome, next_try_at)
    values (p_provider, p_callback ->> 'dedup_key', p_callback ->> 'reference', p_callback -> 'report',
      p_callback -> 'headers', p_callback ->> 'body', 1, 'unknown_order', v_now + interval '2 seconds')
    on conflict do nothing;
  if found then return jsonb_build_object('outcome', 'unknown_order'); end if;
  select * into v_known from callback_inbox
    where provider = p_provider and dedup_key = p_callback ->> 'dedup_key' and state = 'stored' for update;
  if not found then return jsonb_build_object('outcome', 'duplicate'); end if;
  v_next_try_at := v_now + make_interval(secs => least(3600, 2 * power(2, v_known.tries)));
  v_state := case when v_known.received_at < v_now - interval '24 hours' then 'dead' else 'stored' end;
  update callback_inbox set tries = v_known.tries + 1, lease_until = null, next_try_at = v_next_try_at,
      state = v_state, outcome = 'unknown_order'
    where provider = p_provider and dedup_key = p_callback ->> 'dedup_key';
  return jsonb_build_object('outcome', 'unknown_order');
end $function$;

CREATE OR REPLACE FUNCTION public.receive_rewards(p_player_id uuid, p_receiver jsonb, p_rewards jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_to reward := jsonb_populate_record(null::reward, p_receiver);
  v_account_id constant uuid := account_of(p_player_id);
  v_used integer;
  r record;
  v_outcome text;
  v_outcomes jsonb := '[]';
begin
  if num_nulls(p_player_id, p_receiver, p_rewards) > 0 then
    raise exception 'receive_rewards: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  select name into v_to.role_name from player_role
    where player_id = p_player_id and client_id = v_to.client_id and server_id = v_to.server_id
      and area_id = v_to.area_id and role_id = v_to.role_id and seen_at > now() - interval '7 days';
  if not found then return null; end if;
  -- In one order, so that two calls which share rewards cannot meet crosswise.
  for r in select * from jsonb_to_recordset(p_rewards) as x(
      reward_no text, issue_key text, product_id text, gifts jsonb, title jsonb, basis jsonb) order by x.issue_key
  loop
    select used into v_used from limit_counter where account_id = v_account_id and game_id = ''
      and product_id = r.issue_key and subject = 'reward' and period = 'ever';
    v_used := coalesce(v_used, 0) + uses_before(v_account_id, '', r.issue_key, 'reward', 'ever');
    v_outcome := case when v_used > 0 then 'had' else 'locked' end;
    if v_outcome = 'locked' and event_reached(p_player_id, v_to.brand_key, v_to.game_id, r.basis, null) then
      -- Two brands of one game account meet here: the second waits, and finds it had.
      insert into limit_counter as c (account_id, game_id, product_id, subject, period, used, cap)
        values (v_account_id, '', r.issue_key, 'reward', 'ever', 1, 1)
        on conflict (account_id, game_id, product_id, subject, period) do update set used = 1 where c.used = 0;
      v_outcome := case when found then 'received' else 'had' end;
    end if;
    if v_outcome = 'received' then
      insert into reward (player_id, account_id, reward_no, issue_key, brand_key, game_id, client_id, server_id,
          area_id, role_id, role_name, suid, product_id, gifts, title, basis)
        values (p_player_id, v_account_id, r.reward_no, r.issue_key, v_to.brand_key, v_to.game_id, v_to.client_id,
          v_to.server_id, v_to.area_id, v_to.role_id, v_to.role_name, v_to.suid, r.product_id, r.gifts, r.title,
          r.basis);
      insert into player_change (player_id) values (p_player_id);
      if v_account_id <> p_player_id then insert into player_change (player_id) values (v_account_id); end if;
    end if;
    v_outcomes := v_outcomes || jsonb_build_object('issue_key', r.issue_key, 'outcome', v_outcome);
  end loop;
  return v_outcomes;
end $function$;

CREATE OR REPLACE FUNCTION public.record_create_apart(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_state text, p_provider_ref text, p_url text, p_exchange jsonb, p_idempotency_key text, p_answer jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_state text;
begin
  select state into v_state from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  if not found then return; end if;
  update payment_attempt a set
      state = case
        when a.state = 'sent' or a.state = 'unknown' and p_state = 'redirected' then p_state else a.state end,
      provider_ref = coalesce(p_provider_ref, a.provider_ref), pay_url = coalesce(p_url, a.pay_url),
      exchange = a.exchange || coalesce(p_exchange, '{}')
    where a.player_id = p_player_id and a.billing_no = p_billing_no and a.attempt_no = p_attempt_no;
  if p_provider_ref is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (p_provider, p_provider_ref, p_player_id, p_billing_no, p_attempt_no) on conflict do nothing;
  end if;
  if p_answer is not null then
    update idempotency set answer = p_answer where player_id = p_player_id and key = p_idempotency_key;
  end if;
  if p_state <> 'failed' and v_state = 'created' then
    update orders set state = 'pending' where player_id = p_player_id and billing_no = p_billing_no;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.record_create_result(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_provider text, p_state text, p_provider_ref text, p_url text, p_exchange jsonb, p_idempotency_key text, p_answer jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_state text;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_provider, p_state) > 0 then
    raise exception 'record_create_result: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_state not in ('redirected', 'unknown', 'failed') then
    raise exception 'record_create_result: there is no state %', p_state using errcode = 'invalid_parameter_value';
  end if;
  if p_state = 'failed' then perform lock_reservations(p_player_id, p_billing_no); end if;
  -- The same in parts where the database is spread: a change here belongs there too.
  if to_regclass('pg_dist_partition') is not null then
    perform record_create_apart(p_player_id, p_billing_no, p_attempt_no, p_provider, p_state, p_provider_ref, p_url,
      p_exchange, p_idempotency_key, p_answer);
  else
    with held as (
      select player_id, billing_no, state from orders
        where player_id = p_player_id and billing_no = p_billing_no for update
    ), answered as (
      update payment_attempt a set
          state = case
            when a.state = 'sent' or a.state = 'unknown' and p_state = 'redirected' then p_state else a.state end,
          provider_ref = coalesce(p_provider_ref, a.provider_ref), pay_url = coalesce(p_url, a.pay_url),
          exchange = a.exchange || coalesce(p_exchange, '{}')
        from held where a.player_id = p_player_id and a.billing_no = p_billing_no and a.attempt_no = p_attempt_no
    ), referred as (
      insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
        select p_provider, p_provider_ref, player_id, billing_no, p_attempt_no from held
          where p_provider_ref is not null
        on conflict do nothing
    ), kept as (
      update idempotency i set answer = p_answer from held
        where i.player_id = p_player_id and i.key = p_idempotency_key and p_answer is not null
    )
    update orders o set state = 'pending' from held
      where p_state <> 'failed' and held.state = 'created'
        and o.player_id = p_player_id and o.billing_no = p_billing_no;
  end if;
  if p_state = 'failed' then
    select state into v_state from orders
      where player_id = p_player_id and billing_no = p_billing_no and is_unpaid and current_attempt = p_attempt_no;
    if found then
      update orders set state = 'failed', closed_at = now()
        where player_id = p_player_id and billing_no = p_billing_no;
      perform note_order_move(p_player_id, p_billing_no, v_state, 'failed');
      perform release_reservations(p_player_id, p_billing_no);
    end if;
  end if;
  if p_idempotency_key is not null and p_answer is null then
    delete from idempotency where player_id = p_player_id and key = p_idempotency_key;
  end if;
  return 'recorded';
end $function$;

CREATE OR REPLACE FUNCTION public.record_create_results(p_results jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_span record := billing_no_span(p_results);
  v_first constant text := v_span.first_no;
  v_last constant text := v_span.last_no;
begin
  if p_results @? '$[*] ? (!exists(@.player_id) || !exists(@.billing_no) || !exists(@.attempt_no)
      || !exists(@.provider) || !(@.state == "redirected" || @.state == "unknown"))' then
    raise exception 'record_create_results: a result lacks player_id, billing_no, attempt_no, provider or state'
      using errcode = 'null_value_not_allowed';
  end if;
  -- By itself: the statement below must see its rows as they are after the wait, and wait for none (billing_no_span).
  perform 1 from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, attempt_no integer, state text)
    join orders o on x.state in ('redirected', 'unknown') and o.player_id = x.player_id and o.billing_no = x.billing_no
      and o.billing_no between v_first and v_last
    join payment_attempt a on a.player_id = o.player_id and a.billing_no = o.billing_no and a.attempt_no = x.attempt_no
      and a.billing_no between v_first and v_last
    order by o.player_id, o.billing_no for update of o, a;

  with given as (
    select * from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, attempt_no integer, provider text,
      state text, provider_ref text, url text, exchange jsonb, idempotency_key text, answer jsonb)
      -- All of them, as was seen above. The planner takes a batch for a hundred rows where nothing is asked of it, and
      -- would read all numbers of the span rather than look each up.
      where x.state in ('redirected', 'unknown')
  ), held as (
    select t.*, o.state as order_state from given t
      join orders o on o.player_id = t.player_id and o.billing_no = t.billing_no
        and o.billing_no between v_first and v_last
      order by o.player_id, o.billing_no
  ), answered as (
    update payment_attempt a set
        state = case
          when a.state = 'sent' or a.state = 'unknown' and h.state = 'redirected' then h.state else a.state end,
        provider_ref = coalesce(h.provider_ref, a.provider_ref), pay_url = coalesce(h.url, a.pay_url),
        exchange = case when h.exchange is null then a.exchange else a.exchange || h.exchange end
      from held h
      where a.player_id = h.player_id and a.billing_no = h.billing_no and a.attempt_no = h.attempt_no
        and a.billing_no between v_first and v_last
  ), referred as (
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      select h.provider, h.provider_ref, h.player_id, h.billing_no, h.attempt_no from held h
        where h.provider_ref is not null
      on conflict do nothing
  ), kept as (
    update idempotency i set answer = h.answer from held h
      where i.player_id = h.player_id and i.key = h.idempotency_key and h.answer is not null
  ), freed as (
    delete from idempotency i using given t
      where i.player_id = t.player_id and i.key = t.idempotency_key and t.answer is null
  )
  update orders o set state = 'pending' from held h
    where h.order_state = 'created' and o.player_id = h.player_id and o.billing_no = h.billing_no
      and o.billing_no between v_first and v_last;
end $function$;

CREATE OR REPLACE FUNCTION public.record_delivery(p_player_id uuid, p_billing_no text, p_result jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_now constant timestamptz := now();
  v_order orders;
  v_state text;
  v_worth_minor bigint;
  v_points bigint;
  v_share_minor bigint;
begin
  if num_nulls(p_player_id, p_billing_no, p_result, p_result ->> 'kind', p_result ->> 'tries') > 0 then
    raise exception 'record_delivery: a result lacks player_id, billing_no, tries or kind'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_result ->> 'kind' <> 'done' then
    perform record_failed_delivery(p_player_id, p_billing_no, p_result);
    return 0;
  end if;
  update delivery set state = 'done', done_at = v_now, receipt_id = p_result ->> 'receipt_id', last_error = null
    where player_id = p_player_id and billing_no = p_billing_no and state <> 'done';
  if not found then return 0; end if;
  -- As it is after the lock: money that went back a moment ago earns nothing.
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  v_state := case when is_deliverable(v_order.state) then 'delivered' else v_order.state end;
  v_worth_minor := v_order.amount_minor + v_order.discount_minor;
  v_points := points_kept(v_order.points, v_order.amount_minor, v_order.refunded_minor);
  v_share_minor := points_kept(v_order.share_minor, v_order.amount_minor, v_order.refunded_minor);
  if v_share_minor > 0 then
    insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
      values (p_player_id, p_billing_no, 'delivered', 1, v_order.brand_key, v_order.creator, v_share_minor,
        v_order.currency);
  end if;
  -- One statement for what every order needs: each more would have to be begun.
  with booked as (
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player_id, p_billing_no, 'delivered', a.attempt_no, e.account, e.amount_minor, v_order.currency
      from payment_attempt a,
        (values ('goods_owed', v_worth_minor), ('revenue', -v_worth_minor)) as e(account, amount_minor)
      where a.player_id = p_player_id and a.billing_no = p_billing_no and a.state = 'succeeded'
        and v_order.refunded_at is null
  ), credited as (
    insert into points_entry (player_id, billing_no, kind, entry_no, points)
      select p_player_id, p_billing_no, 'delivered', 1, v_points where v_points > 0
  ), noted as (
    insert into player_change (player_id) values (p_player_id)
  ), used as (
    update reservation set state = 'used'
      where player_id = p_player_id and billing_no = p_billing_no and state = 'held'
  )
  update orders set state = v_state, delivered_at = v_now, closed_at = v_now
    where player_id = p_player_id and billing_no = p_billing_no;
  perform note_order_move(p_player_id, p_billing_no, v_order.state, v_state);
  return 1;
end $function$;

CREATE OR REPLACE FUNCTION public.record_delivery_results(p_results jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_now constant timestamptz := now();
  v_span record;
  v_first text;
  v_last text;
  r record;
  v_done_count integer := 0;
  v_handed_count integer := 0;
  v_is_told constant boolean := exists (select from webhook_endpoint);
begin
  if p_results is null or jsonb_typeof(p_results) <> 'array'
    or p_results @? '$[*] ? (!exists(@.player_id) || !exists(@.billing_no)
      || !exists(@.tries) || !(@.kind == "done" || @.kind == "declined" || @.kind == "unknown"))' then
    raise exception 'record_delivery_results: a result lacks player_id, billing_no, tries or kind'
      using errcode = 'null_value_not_allowed';
  end if;
  if to_regclass('pg_dist_partition') is not null and current_setting('refill.at_shard', true) is distinct from 'on'
  then
    -- Of a database that is spread over machines a statement touches one player (decision 64).
    for r in select (e ->> 'player_id')::uuid as player_id, e ->> 'billing_no' as billing_no, e as result
      from jsonb_array_elements(p_results) e order by 1, 2
    loop
      v_done_count := v_done_count + record_delivery(r.player_id, r.billing_no, r.result);
    end loop;
    return v_done_count;
  end if;
  v_span := billing_no_span(p_results);
  v_first := v_span.first_no;
  v_last := v_span.last_no;
  -- In one order, and all deliveries before the first order, so that two batches cannot meet crosswise. By themselves:
  -- the statement below must see its rows as they are after the wait, and wait for none (billing_no_span). Asked for
  -- its kind, a batch is no hundred rows to the planner: then each is looked up by its key.
  perform 1 from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text)
    join delivery d on x.kind in ('done', 'declined', 'unknown')
      and d.player_id = x.player_id and d.billing_no = x.billing_no and d.billing_no between v_first and v_last
    order by d.player_id, d.billing_no for update of d;
  perform 1 from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text)
    join orders o on x.kind = 'done' and o.player_id = x.player_id and o.billing_no = x.billing_no
      and o.billing_no between v_first and v_last
    order by o.player_id, o.billing_no for update of o;

  for r in
    with done as (
      update delivery d set state = 'done', done_at = v_now, receipt_id = x.receipt_id, last_error = null
        from jsonb_to_recordset(p_results) as x(player_id uuid, billing_no text, kind text, receipt_id text)
        where x.kind = 'done' and d.player_id = x.player_id and d.billing_no = x.billing_no and d.state <> 'done'
          and d.billing_no between v_first and v_last
        returning d.player_id, d.billing_no
    ), held as (
      -- Money that went back a moment ago earns nothing.
      select o.player_id, o.billing_no, o.state, o.brand_key, o.creator, o.currency, o.refunded_at,
          o.amount_minor + o.discount_minor as worth_minor,
          points_kept(o.points, o.amount_minor, o.refunded_minor) as points,
          points_kept(o.share_minor, o.amount_minor, o.refunded_minor) as share_minor
        from done join orders o on o.player_id = done.player_id and o.billing_no = done.billing_no
          and o.billing_no between v_first and v_last
        order by o.player_id, o.billing_no
    ), moved as (
      update orders o set state = case when is_deliverable(held.state) then 'delivered' else held.state end,
          delivered_at = v_now, closed_at = v_now
        from held where o.player_id = held.player_id and o.billing_no = held.billing_no
          and o.billing_no between v_first and v_last
        returning o.player_id, o.billing_no, held.state as from_state, o.state as to_state
    ), booked as (
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
        select held.player_id, held.billing_no, 'delivered', a.attempt_no, side.account, side.sign * held.worth_minor,
          held.currency
        from held join payment_attempt a
          on a.player_id = held.player_id and a.billing_no = held.billing_no and a.state = 'succeeded'
            and a.billing_no between v_first and v_last
          cross join (values ('goods_owed', 1), ('revenue', -1)) as side(account, sign)
        where held.refunded_at is null
    ), credited as (
      insert into points_entry (player_id, billing_no, kind, entry_no, points)
        select player_id, billing_no, 'delivered', 1, points from held where points > 0
    ), shared as (
      insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
        select player_id, billing_no, 'delivered', 1, brand_key, creator, share_minor, currency from held
          where share_minor > 0
    ), noted as (
      insert into player_change (player_id) select player_id from held
    ), used as (
      update reservation v set state = 'used' from held
        where v.player_id = held.player_id and v.billing_no = held.billing_no and v.state = 'held'
    )
    select m.*, c.done_count from (select count(*) as done_count from done) c left join moved m on true
  loop
    v_handed_count := r.done_count;
    continue when r.billing_no is null;
    v_done_count := v_done_count + 1;
    -- Its trigger has measured the move, and nothing of an order that is delivered is unpaid: what is left to note are
    -- endpoints that want to hear of it.
    if v_is_told then perform note_order_move(r.player_id, r.billing_no, r.from_state, r.to_state); end if;
  end loop;

  if v_done_count <> v_handed_count then
    raise exception 'record_delivery_results: % deliveries and % orders were found', v_handed_count, v_done_count;
  end if;

  -- Goods that a game refused or did not confirm are rare, so they are handled one by one.
  if p_results @? '$[*] ? (@.kind != "done")' then
    for r in select (e ->> 'player_id')::uuid as player_id, e ->> 'billing_no' as billing_no, e as result
      from jsonb_array_elements(p_results) e where e ->> 'kind' <> 'done' order by 1, 2
    loop
      perform record_failed_delivery(r.player_id, r.billing_no, r.result);
    end loop;
  end if;
  return v_done_count;
end $function$;

CREATE OR REPLACE FUNCTION public.record_failed_delivery(p_player_id uuid, p_billing_no text, p_result jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
  v_next_at timestamptz := v_now
    + make_interval(secs => coalesce((p_result ->> 'retry_in_seconds')::double precision, 0));
  v_state text;
  v_from text;
  v_attempt_no integer;
begin
  update delivery set
      state = case when p_result ->> 'kind' = 'declined' then 'rejected'
        when p_result ->> 'retry_in_seconds' is null then 'dead' else 'unknown' end,
      last_error = p_result ->> 'reason',
      next_at = case when p_result ->> 'kind' = 'unknown' then v_next_at else next_at end
    where player_id = p_player_id and billing_no = p_billing_no and state = 'calling'
      and tries = (p_result ->> 'tries')::integer
    returning state into v_state;
  if not found then return; end if;
  insert into player_change (player_id) values (p_player_id);
  if v_state not in ('rejected', 'dead') then return; end if;
  select state into v_from from orders
    where player_id = p_player_id and billing_no = p_billing_no and state in ('paid', 'delivering') for update;
  if not found then return; end if;
  update orders set state = 'review',
      review_reason = case when v_state = 'rejected' then 'game_declined: ' else 'delivery_gave_up: ' end
        || coalesce(p_result ->> 'reason', '')
    where player_id = p_player_id and billing_no = p_billing_no;
  perform note_order_move(p_player_id, p_billing_no, v_from, 'review');
  if v_state <> 'rejected' or p_result ->> 'on_declined' is distinct from 'refund' then return; end if;
  select attempt_no into v_attempt_no from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if found then perform request_refund(p_player_id, p_billing_no, v_attempt_no, 'the game declined', 'shop'); end if;
end $function$;

CREATE OR REPLACE FUNCTION public.record_refund_result(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_tries integer, p_kind text, p_provider_refund_ref text, p_error text, p_retry_seconds double precision)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_state text := case p_kind when 'pending' then 'pending' when 'manual' then 'manual' else 'due' end;
  v_left_minor bigint;
  v_next_at timestamptz := now() + make_interval(secs => coalesce(p_retry_seconds, 0));
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_tries, p_kind) > 0 then
    raise exception 'record_refund_result: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_kind = 'done' then
    perform book_refund(p_player_id, p_billing_no, p_attempt_no);
    update refund set provider_refund_ref = coalesce(p_provider_refund_ref, provider_refund_ref)
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
    return 'done';
  end if;
  -- Parts that went back while the provider was asked have left the books, not the amount that it was asked for: a
  -- person is to pay what is left.
  if v_state = 'manual' then
    perform 1 from payment_attempt
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
    select sum(amount_minor) into v_left_minor from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and account = 'provider_receivable';
  end if;
  update refund set state = v_state,
      amount_minor = case when v_left_minor > 0 then least(amount_minor, v_left_minor) else amount_minor end,
      provider_refund_ref = coalesce(p_provider_refund_ref, provider_refund_ref),
      last_error = p_error, next_at = v_next_at
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and state <> 'done' and tries = p_tries;
  return p_kind;
end $function$;

CREATE OR REPLACE FUNCTION public.recovery_facts(p_player_id uuid, p_billing_no text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  v_order orders;
  v_attempt payment_attempt;
begin
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if not found then return null; end if;
  return describe_paid_order(v_order, v_attempt);
end $function$;

CREATE OR REPLACE FUNCTION public.redeliver_order(p_player_id uuid, p_billing_no text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := now();
begin
  if num_nulls(p_player_id, p_billing_no) > 0 then
    raise exception 'redeliver_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from delivery where player_id = p_player_id and billing_no = p_billing_no for update;
  perform 1 from orders
    where player_id = p_player_id and billing_no = p_billing_no and is_deliverable(state) for update;
  if not found then return 'wrong_state'; end if;
  if exists (select from refund r join payment_attempt a
      on a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.attempt_no
      where r.player_id = p_player_id and r.billing_no = p_billing_no and a.state = 'succeeded') then
    return 'wrong_state';
  end if;
  update delivery set state = 'queued', next_at = v_now, tries = 0, last_error = null
    where player_id = p_player_id and billing_no = p_billing_no and state in ('queued', 'unknown', 'rejected', 'dead');
  if not found then return 'wrong_state'; end if;
  update orders set state = 'delivering', delivering_at = coalesce(delivering_at, v_now), review_reason = null
    where player_id = p_player_id and billing_no = p_billing_no and state = 'review';
  insert into player_change (player_id) values (p_player_id);
  return 'queued';
end $function$;

CREATE OR REPLACE FUNCTION public.refund_internal_tender(p_attempt payment_attempt)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_key text := 'refund:' || p_attempt.billing_no || '-' || p_attempt.attempt_no;
  v_done text;
begin
  if p_attempt.provider = 'wallet' then
    v_done := wallet_refund(p_attempt.player_id, p_attempt.billing_no, p_attempt.amount_minor, v_key, 'refund', 'shop');
    if v_done not in ('done', 'exists') then
      raise exception 'the balance that paid % cannot be given back: %', p_attempt.billing_no, v_done;
    end if;
  elsif p_attempt.provider = 'card' then
    update gift_card set state = 'active', valid_to = greatest(valid_to, now() + interval '30 days'),
        player_id = null, billing_no = null, attempt_no = null, spent_at = null
      where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no
        and attempt_no = p_attempt.attempt_no and rest_minor = 0;
    if not found and exists (select from gift_card
        where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no and rest_minor > 0) then
      perform wallet_post(
        p_player_id => p_attempt.player_id, p_type => 'refund', p_idempotency_key => v_key,
        p_currency => p_attempt.currency, p_amount_minor => p_attempt.amount_minor,
        p_billing_no => p_attempt.billing_no, p_spends => null, p_reason => 'refund of a prepaid card',
        p_actor => 'shop',
        p_sides => jsonb_build_object('paid', p_attempt.amount_minor, 'cards', -p_attempt.amount_minor));
    end if;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.refunded_parts(p_player_id uuid, p_billing_no text, p_attempt_no integer)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (select coalesce(-sum(amount_minor), 0) from ledger_entry
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and account = 'provider_receivable' and kind like 'part\_refunded\_%');
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_adoption(p_reason text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '%', p_reason using errcode = 'RF061';
end $function$;

CREATE OR REPLACE FUNCTION public.release_reservations(p_player_id uuid, p_billing_no text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_is_paid boolean;
begin
  insert into player_change (player_id) values (p_player_id);
  for r in update reservation set state = 'released'
    where player_id = p_player_id and billing_no = p_billing_no and state = 'held' returning *
  loop
    if r.kind in ('limit', 'bonus', 'offer') then
      update limit_counter set used = used - 1
        where account_id = r.account_id and game_id = r.game_id and product_id = r.product_id
          and subject = r.subject and period = r.period;
      if r.account_id <> p_player_id then insert into player_change (player_id) values (r.account_id); end if;
    elsif r.kind = 'stock' then
      update product_stock set used = used - 1 where game_id = r.game_id and product_id = r.product_id;
    elsif r.kind = 'code' then
      perform count_promo_use(p_player_id, p_billing_no, r.subject, -1);
    elsif r.kind = 'replenish' then
      -- Unpaid, it may be paid by another order. Paid once, it stays with its order: what the game was told under its
      -- number must not be told again for another one.
      v_is_paid := exists (select from orders o
        where o.player_id = p_player_id and o.billing_no = p_billing_no and o.paid_at is not null);
      update replenish set state = 'open', billing_no = null
        where replenish_id = r.subject and billing_no = p_billing_no and not v_is_paid;
    else
      update coupon set state = 'free', billing_no = null, taken_at = null
        where player_id = p_player_id and code = r.subject and billing_no = p_billing_no;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.replenish_orders(p_player_id uuid, p_replenish_id text)
 RETURNS TABLE(billing_no text, state text, amount_minor bigint, discount_minor bigint, currency text)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query select o.billing_no, o.state, o.amount_minor, o.discount_minor, o.currency from orders o
    where o.player_id = p_player_id and o.replenish_id = p_replenish_id;
end $function$;

CREATE OR REPLACE FUNCTION public.request_refund(p_player_id uuid, p_billing_no text, p_attempt_no integer, p_reason text, p_requested_by text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_attempt payment_attempt;
  v_amount_minor bigint;
  v_currency text;
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by) > 0 then
    raise exception 'request_refund: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from delivery d
    where d.player_id = p_player_id and d.billing_no = p_billing_no and exists (select from payment_attempt a
      where a.player_id = p_player_id and a.billing_no = p_billing_no and a.attempt_no = p_attempt_no
        and a.state = 'succeeded')
    for update of d;
  perform 1 from orders where player_id = p_player_id and billing_no = p_billing_no for update;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no for update;
  if v_attempt.state = 'succeeded' then
    v_amount_minor := v_attempt.amount_minor;
    v_currency := v_attempt.currency;
  else
    select -amount_minor, currency into v_amount_minor, v_currency from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and kind = 'overpayment'
        and attempt_no = p_attempt_no and account = 'refund_owed';
  end if;
  if v_amount_minor is null or exists (select from ledger_entry
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and kind in ('refunded', 'overpayment_refunded')) then
    return 'nothing_to_refund';
  end if;
  -- Part refunds and what the bank took have left it already; parts that reached the whole are a refund
  -- (apply_report).
  v_amount_minor := v_amount_minor - refunded_parts(p_player_id, p_billing_no, p_attempt_no)
    - charged_back(p_player_id, p_billing_no, p_attempt_no);
  if v_amount_minor <= 0 then return 'nothing_to_refund'; end if;
  insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
    values (p_player_id, p_billing_no, p_attempt_no, p_reason, p_requested_by, v_amount_minor, v_currency)
    on conflict do nothing;
  if not found then return 'exists'; end if;
  insert into player_change (player_id) values (p_player_id);
  -- Nothing may be delivered for money that is on its way back.
  update orders set state = 'refund_due'
    where player_id = p_player_id and billing_no = p_billing_no and state = 'review'
      and v_attempt.state <> 'overpayment';
  if v_attempt.state = 'succeeded' then perform stop_delivery(p_player_id, p_billing_no, 'refund requested'); end if;
  return 'due';
end $function$;

CREATE OR REPLACE FUNCTION public.require_keys(p_place text, p_value jsonb, p_keys text[])
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  v_key text;
begin
  if p_value is null or not p_value ?& p_keys then
    raise exception '%: one of % is missing', p_place, p_keys using errcode = 'null_value_not_allowed';
  end if;
  foreach v_key in array p_keys loop
    if p_value -> v_key = 'null' then
      raise exception '%: % is null', p_place, v_key using errcode = 'null_value_not_allowed';
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.require_tender(p_tender jsonb)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if p_tender ->> 'kind' = 'wallet' then
    perform require_keys('tender', p_tender, '{spends}');
  elsif p_tender ->> 'kind' = 'card' then
    perform require_keys('tender', p_tender, '{purpose,channel,card_id,card_key,password_hmac,network,keeps_rest}');
  else
    raise exception 'tender: the kind % is neither wallet nor card',
      p_tender ->> 'kind' using errcode = 'null_value_not_allowed';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_again(p_player_id uuid, p_billing_no text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_order orders;
  v_carried bigint;
  v_price jsonb;
  v_is_had boolean;
begin
  -- Whoever was erased has no character that goods could go to: the money goes back.
  if exists (select from player where player_id = p_player_id and erased_at is not null) then return false; end if;
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  if cap_refusal(p_player_id, v_order.payer_rules, v_order.currency, v_order.amount_minor,
      v_order.created_at, p_billing_no) is not null then
    return false;
  end if;
  for r in select * from reservation where player_id = p_player_id and billing_no = p_billing_no and state = 'released'
    order by array_position(array['limit', 'bonus', 'offer', 'stock', 'coupon', 'code', 'replenish'], kind)
  loop
    if r.kind in ('limit', 'bonus', 'offer') then
      v_carried := uses_before(r.account_id, r.game_id, r.product_id, r.subject, r.period);
      update limit_counter set used = used + 1
        where account_id = r.account_id and game_id = r.game_id and product_id = r.product_id
          and subject = r.subject and period = r.period and used + v_carried < cap;
    elsif r.kind = 'stock' then
      update product_stock set used = used + 1 where game_id = r.game_id and product_id = r.product_id and used < total;
    elsif r.kind = 'replenish' then
      -- Also after its last day: the money is here, and the account is still blocked.
      update replenish set state = 'taken', billing_no = p_billing_no
        where replenish_id = r.subject and player_id = p_player_id and state = 'open';
    elsif r.kind = 'coupon' then
      v_price := jsonb_build_object(v_order.currency, v_order.amount_minor);
      -- An offer's row may have got other terms since; this order's are those that the player agreed to.
      update coupon c set state = 'taken', billing_no = p_billing_no, taken_at = now(),
          prices = case when c.prices is not null then v_price end,
          products = case when c.prices is not null then array[v_order.product_id] else c.products end,
          games = case when c.prices is not null then array[v_order.game_id] else c.games end
        where c.player_id = p_player_id and c.code = r.subject and c.state = 'free';
    end if;
    v_is_had := found;
    if v_is_had and r.account_id <> p_player_id then
      insert into player_change (player_id) values (r.account_id);
    end if;
    if r.kind = 'code' then v_is_had := count_promo_use(p_player_id, p_billing_no, r.subject, 1); end if;
    if not v_is_had then
      perform release_reservations(p_player_id, p_billing_no);
      return false;
    end if;
    update reservation set state = 'held' where player_id = p_player_id and billing_no = p_billing_no and kind = r.kind;
  end loop;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_goods(p_player_id uuid, p_account_id uuid, p_billing_no text, p_brand_key text, p_game_id text, p_product_id text, p_amount_minor bigint, p_currency text, p_time_zone text, p_limit jsonb, p_has_stock boolean, p_coupon jsonb, p_tender jsonb, p_promo jsonb, p_bonus jsonb, p_payer_rules jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_subject text := p_limit ->> 'subject';
  v_cap integer := (p_limit ->> 'times')::integer;
  v_period text;
  v_used integer;
  v_offer_run text := substring(p_coupon ->> 'code' from '^offer:([^:@]+):[0-9]+$');
  v_offer_cap integer;
  v_coupon coupon;
  v_amount_minor bigint := p_amount_minor;
  v_has_bonus boolean := false;
  v_reason text;
  v_outcome text;
  v_refusal jsonb;
begin
  if p_limit is not null then
    v_period := limit_period((p_limit ->> 'days')::integer, p_time_zone, now());
    insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
      values (p_account_id, p_game_id, p_product_id, v_subject, v_period, 0, v_cap) on conflict do nothing;
    select used into v_used from limit_counter
      where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id
        and subject = v_subject and period = v_period
      for update;
    v_used := v_used + uses_before(p_account_id, p_game_id, p_product_id, v_subject, v_period);
    if v_used >= v_cap then return jsonb_build_object('outcome', 'limit_reached'); end if;
  end if;
  if p_bonus is not null then
    v_has_bonus := lock_first_bonus(p_account_id, p_game_id, p_product_id, p_bonus);
    -- The player was told of it: another order has it since, and they decide anew.
    if not v_has_bonus and (p_bonus ->> 'is_told')::boolean then
      return jsonb_build_object('outcome', 'bonus_gone');
    end if;
  end if;
  if v_offer_run is not null then
    -- take_offer has made the row, with as many uses as the files allow.
    select used, cap into v_used, v_offer_cap from limit_counter
      where account_id = p_account_id and game_id = '' and product_id = v_offer_run and subject = 'offer'
        and period = 'ever'
      for update;
    v_used := v_used + uses_before(p_account_id, '', v_offer_run, 'offer', 'ever');
    if v_used is null or v_used >= v_offer_cap then return jsonb_build_object('outcome', 'coupon_refused'); end if;
  end if;
  if p_has_stock then
    perform 1 from product_stock where game_id = p_game_id and product_id = p_product_id and used < total for update;
    if not found then return jsonb_build_object('outcome', 'sold_out'); end if;
  end if;
  if p_coupon is not null then
    select * into v_coupon from coupon where player_id = p_player_id and code = p_coupon ->> 'code' for update;
    v_amount_minor := coupon_amount(v_coupon, p_brand_key, p_game_id, p_product_id, p_amount_minor, p_currency,
      (p_coupon ->> 'min_charge_minor')::bigint);
    if v_amount_minor is null then return jsonb_build_object('outcome', 'coupon_refused'); end if;
  end if;
  if p_promo is not null then
    v_reason := lock_promo_code(p_player_id, p_brand_key, p_promo);
    if v_reason is null then
      v_amount_minor := promo_amount(p_promo, v_amount_minor, (p_promo ->> 'min_charge_minor')::bigint);
      if v_amount_minor is null then v_reason := 'too_small'; end if;
    end if;
    if v_reason is not null then return jsonb_build_object('outcome', 'promo_refused', 'reason', v_reason); end if;
  end if;
  if v_amount_minor <> coalesce(p_promo ->> 'quoted_minor', p_coupon ->> 'quoted_minor')::bigint then
    return jsonb_build_object('outcome', 'price_changed');
  end if;
  if p_tender is not null then
    v_outcome := reserve_internal_tender(p_player_id, p_tender, v_amount_minor, p_currency);
    if v_outcome <> 'reserved' then return jsonb_build_object('outcome', v_outcome); end if;
  end if;

  v_refusal := cap_refusal(p_player_id, p_payer_rules, p_currency, v_amount_minor, now(), p_billing_no);
  if v_refusal is not null then return v_refusal; end if;

  if p_limit is not null then
    update limit_counter set used = used + 1, cap = greatest(v_cap, used + 1)
      where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id
        and subject = v_subject and period = v_period;
    insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
      values (p_player_id, p_billing_no, 'limit', p_game_id, p_product_id, v_subject, v_period, v_cap, p_account_id);
  end if;
  if p_has_stock then
    update product_stock set used = used + 1 where game_id = p_game_id and product_id = p_product_id;
    insert into reservation (player_id, billing_no, kind, game_id, product_id)
      values (p_player_id, p_billing_no, 'stock', p_game_id, p_product_id);
  end if;
  if p_coupon is not null then
    update coupon set state = 'taken', billing_no = p_billing_no, taken_at = now()
      where player_id = p_player_id and code = p_coupon ->> 'code';
    insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
      values (p_player_id, p_billing_no, 'coupon', p_game_id, p_product_id, p_coupon ->> 'code');
  end if;
  if v_has_bonus then
    perform take_first_bonus(p_player_id, p_account_id, p_billing_no, p_game_id, p_product_id, p_bonus);
  end if;
  if v_offer_run is not null then
    update limit_counter set used = used + 1
      where account_id = p_account_id and game_id = '' and product_id = v_offer_run and subject = 'offer'
        and period = 'ever';
    insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
      values (p_player_id, p_billing_no, 'offer', '', v_offer_run, 'offer', 'ever', v_offer_cap, p_account_id);
  end if;
  if p_account_id <> p_player_id and (p_limit is not null or v_has_bonus or v_offer_run is not null) then
    insert into player_change (player_id) values (p_account_id);
  end if;
  if p_promo is not null then
    perform take_promo_code(p_player_id, p_billing_no, p_brand_key, p_game_id, p_product_id, p_promo);
  end if;
  return jsonb_build_object('outcome', 'reserved', 'amount_minor', v_amount_minor, 'has_bonus', v_has_bonus);
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_internal_tender(p_player_id uuid, p_tender jsonb, p_amount_minor bigint, p_currency text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_rest_minor bigint;
begin
  if num_nulls(p_player_id, p_tender, p_amount_minor, p_currency) > 0 then
    raise exception 'reserve_internal_tender: a parameter that decides is missing'
      using errcode = 'null_value_not_allowed';
  end if;
  if p_tender ->> 'kind' = 'card' then
    perform require_keys('reserve_internal_tender, card', p_tender, '{card_id,face_minor,face_currency,keeps_rest}');
    v_rest_minor := (p_tender ->> 'face_minor')::bigint - p_amount_minor;
    if v_rest_minor < 0 or p_tender ->> 'face_currency' <> p_currency
       or (v_rest_minor > 0 and not (p_tender ->> 'keeps_rest')::boolean) then
      return 'card_not_enough';
    end if;
    perform 1 from gift_card where card_id = p_tender ->> 'card_id' and state = 'active' for update;
    if not found then return 'card_refused'; end if;
    if v_rest_minor > 0 then perform lock_balance(p_player_id, p_currency); end if;
    return 'reserved';
  end if;
  perform lock_balance(p_player_id, p_currency);
  if (select coalesce(sum(balance_minor), 0) from wallet_account
      where player_id = p_player_id and currency = p_currency and kind in ('free', 'paid')) < p_amount_minor then
    return 'balance_too_low';
  end if;
  return 'reserved';
end $function$;

CREATE OR REPLACE FUNCTION public.reward_facts(p_player_id uuid, p_reward_no text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  w reward;
  v_identities jsonb;
begin
  select * into w from reward where player_id = p_player_id and reward_no = p_reward_no;
  if not found then return null; end if;
  select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject) order by i.provider, i.subject)
    into v_identities from player_identity i where i.player_id = p_player_id and i.created_at <= w.created_at;
  return jsonb_strip_nulls(jsonb_build_object(
    'player_id', w.player_id, 'reward_no', w.reward_no, 'issue_key', w.issue_key, 'brand_key', w.brand_key,
    'game_id', w.game_id, 'client_id', w.client_id, 'server_id', w.server_id, 'area_id', w.area_id,
    'role_id', w.role_id, 'suid', w.suid, 'product_id', w.product_id, 'gifts', w.gifts, 'title', w.title,
    'basis', w.basis - 'is_partly_erased', 'created_at', extract(epoch from w.created_at), 'identities', v_identities));
end $function$;

CREATE OR REPLACE FUNCTION public.run_plain_steps(p_steps jsonb)
 RETURNS jsonb[]
 LANGUAGE plpgsql
AS $function$
declare
  v_count constant integer := jsonb_array_length(p_steps);
  v_answers jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_name text;
  v_inputs jsonb;
  v_input jsonb;
  v_places integer[];
  v_some jsonb[];
begin
  foreach v_name in array '{place_order,record_delivery,record_create_result,receive_report}'::text[] loop
    v_inputs := '[]';
    v_places := '{}';
    for i in 1 .. v_count loop
      continue when p_steps #>> array[(i - 1)::text, 'name'] <> v_name;
      -- A no of the game, or none at all, may touch more than the player's rows.
      continue when v_name = 'record_delivery' and p_steps #>> array[(i - 1)::text, 'input,result,kind'] <> 'done';
      -- A result of a delivery stands by itself in a step, and among its order's keys in a batch.
      v_input := p_steps #> array[(i - 1)::text, 'input'];
      v_inputs := v_inputs || jsonb_build_array(v_input - 'result' || coalesce(v_input -> 'result', '{}'));
      v_places := v_places || i;
    end loop;
    continue when cardinality(v_places) = 0;
    v_some := array_fill('"recorded"'::jsonb, array[cardinality(v_places)]);
    case v_name
      when 'place_order' then v_some := place_plain_orders(v_inputs);
      when 'record_delivery' then perform record_delivery_results(v_inputs);
      when 'record_create_result' then perform record_create_results(v_inputs);
      when 'receive_report' then v_some := book_plain_payments(v_inputs);
    end case;
    for i in 1 .. cardinality(v_places) loop
      v_answers[v_places[i]] := v_some[i];
    end loop;
  end loop;
  return v_answers;
end $function$;

CREATE OR REPLACE FUNCTION public.run_steps(p_steps jsonb)
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SET lock_timeout TO '100ms'
AS $function$
declare
  v jsonb;
  v_placed jsonb[];
  v_order_count integer := 0;
  v_are_recorded boolean := false;
  v_paid jsonb[];
  v_report_count integer := 0;
  v_are_handed_over boolean := false;
begin
  for i in 0 .. jsonb_array_length(p_steps) - 1 loop
    v := p_steps #> array[i::text, 'input'];
    case p_steps #>> array[i::text, 'name']
      when 'place_order' then
        if v_placed is null then
          v_placed := place_plain_orders(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "place_order").input'));
        end if;
        v_order_count := v_order_count + 1;
        return next coalesce(v_placed[v_order_count], place_order(
          p_player_id => (v ->> 'player_id')::uuid, p_billing_no => v ->> 'billing_no',
          p_idempotency_key => v ->> 'idempotency_key', p_fingerprint => v ->> 'fingerprint', p_sold => v -> 'sold',
          p_amount_minor => (v ->> 'amount_minor')::bigint, p_currency => v ->> 'currency',
          p_provider => v ->> 'provider', p_channel_key => v ->> 'channel_key',
          p_channel_name => nullif(v -> 'channel_name', 'null'), p_channel_id => v ->> 'channel_id',
          p_expires_in => (v ->> 'expires_in')::interval, p_payable_for => (v ->> 'payable_for')::interval,
          p_time_zone => v ->> 'time_zone', p_limit => nullif(v -> 'limit', 'null'),
          p_has_stock => (v ->> 'has_stock')::boolean, p_coupon => nullif(v -> 'coupon', 'null'),
          p_tender => nullif(v -> 'tender', 'null'), p_must_be_new => (v ->> 'must_be_new')::boolean,
          p_must_notify => (v ->> 'must_notify')::boolean, p_max_per_minute => (v ->> 'max_per_minute')::integer,
          p_max_open => (v ->> 'max_open')::integer));
      when 'record_create_result' then
        if not v_are_recorded then
          perform record_create_results(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "record_create_result").input'));
          v_are_recorded := true;
        end if;
        return next to_jsonb('recorded'::text);
      when 'receive_report' then
        if v_paid is null then
          v_paid := book_plain_payments(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "receive_report").input'));
        end if;
        v_report_count := v_report_count + 1;
        return next coalesce(v_paid[v_report_count], receive_report(
          p_billing_no => v ->> 'billing_no', p_attempt_no => (v ->> 'attempt_no')::integer,
          p_provider => v ->> 'provider', p_status => v ->> 'status',
          p_is_our_merchant => (v ->> 'is_our_merchant')::boolean, p_provider_ref => v ->> 'provider_ref',
          p_capture_ref => v ->> 'capture_ref', p_amount_minor => (v ->> 'amount_minor')::bigint,
          p_currency => v ->> 'currency', p_reason => v ->> 'reason', p_exchange => nullif(v -> 'exchange', 'null'),
          p_callback => nullif(v -> 'callback', 'null'),
          p_lease_seconds => (v ->> 'lease_seconds')::double precision,
          p_must_notify => (v ->> 'must_notify')::boolean));
      when 'record_delivery_results' then
        if not v_are_handed_over then
          perform record_delivery_results(
            jsonb_path_query_array(p_steps, '$[*] ? (@.name == "record_delivery_results").input.results[*]'));
          v_are_handed_over := true;
        end if;
        return next to_jsonb('recorded'::text);
    end case;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.run_steps_at_node(p_steps jsonb, p_stamp text)
 RETURNS jsonb[]
 LANGUAGE plpgsql
 SET lock_timeout TO '100ms'
AS $function$
declare
  v_count constant integer := jsonb_array_length(p_steps);
  v_answers jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_players uuid[];
  v_shards bigint[];
  v_of bigint[];
  v_shard bigint;
  v_places integer[];
  v_some jsonb[];
begin
  v_players := array(select (s #>> '{input,player_id}')::uuid
    from jsonb_array_elements(p_steps) with ordinality as x(s, place) order by place);
  v_of := array(select get_shard_id_for_distribution_column('player', player_id)
    from unnest(v_players) with ordinality as x(player_id, place) order by place);
  -- Lowest first, as everywhere: two batches do not meet crosswise.
  v_shards := array(select distinct shard from unnest(v_of) as x(shard) order by shard);
  if not hold_shards(v_shards) @> v_shards then
    raise exception 'a player of this batch lies on another node' using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Citus knows of no write here before it sends one away, and would commit that one by itself. It asks for a change of
  -- its own to commit both in two phases.
  delete from idempotency where player_id = v_players[1] and key = '';
  perform set_config('refill.at_shard', 'on', true);
  -- Each once: they are joined with.
  perform set_config('refill.given', jsonb_build_object(
    'numbers', coalesce((select jsonb_agg(distinct jsonb_build_object('billing_no', s #> '{input,billing_no}',
        'player_id', s #> '{input,player_id}'))
      from jsonb_array_elements(p_steps) s where s ->> 'name' = 'receive_report'), '[]'),
    'identities', coalesce((select jsonb_agg(distinct i)
      from jsonb_path_query(p_steps, '$[*].input.identities[*]') i), '[]'))::text, true);
  foreach v_shard in array v_shards loop
    -- It came here a moment ago, or another version made the schemas: then each step goes by the coordinator.
    continue when to_regnamespace(format('shard_%s_%s', v_shard, p_stamp)) is null;
    v_places := array(select place from unnest(v_of) with ordinality as x(shard, place) where shard = v_shard order by place);
    execute format('select shard_%s_%s.run_plain_steps($1)', v_shard, p_stamp)
      into v_some using (select jsonb_agg(p_steps -> place - 1 order by place) from unnest(v_places) as x(place));
    for i in 1 .. cardinality(v_places) loop
      v_answers[v_places[i]] := v_some[i];
    end loop;
  end loop;
  return v_answers;
end $function$;

CREATE OR REPLACE FUNCTION public.set_spending_cap(p_player_id uuid, p_currency text, p_period text, p_cap_minor bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_cap_minor bigint;
  v_is_at_once boolean;
  v_is_shut_out boolean;
  v_tomorrow timestamptz := now() + interval '24 hours';
begin
  if num_nulls(p_player_id, p_currency, p_period) > 0 then
    raise exception 'set_spending_cap: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform 1 from player where player_id = p_player_id for no key update;
  select case when next_at <= now() then next_cap_minor else cap_minor end into v_cap_minor
    from spending_cap where player_id = p_player_id and currency = p_currency and period = p_period;
  select count(*) > 0 and not coalesce(bool_or(currency = p_currency), false) into v_is_shut_out from spending_cap
    where player_id = p_player_id and case when next_at <= now() then next_cap_minor else cap_minor end is not null;
  v_is_at_once := (v_cap_minor is null and not v_is_shut_out) or coalesce(p_cap_minor <= v_cap_minor, false);
  insert into spending_cap (player_id, currency, period, cap_minor, next_cap_minor, next_at)
    values (p_player_id, p_currency, p_period, case when v_is_at_once then p_cap_minor else v_cap_minor end,
      case when v_is_at_once then null else p_cap_minor end,
      case when v_is_at_once then null else v_tomorrow end)
    on conflict (player_id, currency, period) do update set cap_minor = excluded.cap_minor,
      next_cap_minor = excluded.next_cap_minor, next_at = excluded.next_at;
end $function$;

CREATE OR REPLACE FUNCTION public.settle_points(p_player_id uuid, p_billing_no text, p_kind text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_billing_no, p_kind) > 0 then
    raise exception 'settle_points: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  insert into points_entry (player_id, billing_no, kind, entry_no, points)
    select o.player_id, o.billing_no, p_kind, e.entries + 1,
      points_kept(o.points, o.amount_minor, o.refunded_minor) - e.credited
    from orders o cross join lateral (
      select count(*)::integer as entries, coalesce(sum(x.points), 0)::bigint as credited from points_entry x
        where x.player_id = o.player_id and x.billing_no = o.billing_no) e
    where o.player_id = p_player_id and o.billing_no = p_billing_no and o.points > 0 and o.delivered_at is not null
      and points_kept(o.points, o.amount_minor, o.refunded_minor) <> e.credited;
end $function$;

CREATE OR REPLACE FUNCTION public.settle_share(p_player_id uuid, p_billing_no text, p_kind text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_billing_no, p_kind) > 0 then
    raise exception 'settle_share: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
    select o.player_id, o.billing_no, p_kind, e.entries + 1, o.brand_key, o.creator,
      points_kept(o.share_minor, o.amount_minor, o.refunded_minor) - e.booked, o.currency
    from orders o cross join lateral (
      select count(*)::integer as entries, coalesce(sum(x.amount_minor), 0)::bigint as booked from creator_entry x
        where x.player_id = o.player_id and x.billing_no = o.billing_no) e
    where o.player_id = p_player_id and o.billing_no = p_billing_no and o.share_minor > 0
      and o.delivered_at is not null
      and points_kept(o.share_minor, o.amount_minor, o.refunded_minor) <> e.booked;
end $function$;

CREATE OR REPLACE FUNCTION public.sold_product(p_sold jsonb, p_has_bonus boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_has_bonus then jsonb_set(p_sold -> 'product', '{gifts}', (p_sold #> '{product,gifts}') || (
      select jsonb_agg(gift || '{"isFirst": true}') from jsonb_array_elements(p_sold #> '{first_bonus,gifts}') gift))
    else p_sold -> 'product' end
$function$;

CREATE OR REPLACE FUNCTION public.spending_limits(p_player_id uuid, p_rules jsonb, p_currency text, p_at timestamp with time zone, p_except text)
 RETURNS TABLE(kind text, cap_minor bigint, used_minor bigint, ends_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
declare
  v_spent text := guard_hash('spent');
begin
  return query with age as (
    select p_rules -> 'age_caps' ->> 'time_zone' as zone, p_rules -> 'age_caps' ->> 'currency' as currency, tier
    from age_declaration d
    cross join lateral (
      select t.tier from jsonb_array_elements(p_rules -> 'age_caps' -> 'tiers') with ordinality t (tier, place)
      where age_in_month(d.birth_year, d.birth_month, p_at at time zone (p_rules -> 'age_caps' ->> 'time_zone'))
        < (t.tier ->> 'under')::integer
      order by t.place limit 1
    ) first_tier
    where d.player_id = p_player_id and jsonb_typeof(p_rules -> 'age_caps') = 'object'
  ), caps as (
    -- Money that the cap does not know is not let through beside it.
    select 'age' as kind, 'month' as period, zone,
      case when currency = p_currency then (tier ->> 'cap_minor')::bigint else 0 end as cap_minor
    from age
    union all
    select c.period, c.period, p_rules ->> 'time_zone',
      case when c.next_at <= now() then c.next_cap_minor else c.cap_minor end
    from spending_cap c where c.player_id = p_player_id and c.currency = p_currency
  ), spans as (
    select kind, cap_minor, start_of_day(date_trunc(period, p_at at time zone zone)::date, zone) as starts_at,
      start_of_day((date_trunc(period, p_at at time zone zone) + ('1 ' || period)::interval)::date, zone) as ends_at
    from caps where cap_minor is not null
  )
  select s.kind, s.cap_minor, coalesce((
      select sum(o.amount_minor - coalesce(o.refunded_minor, 0)) from orders o
      where o.player_id = p_player_id and o.currency = p_currency and o.billing_no is distinct from p_except
        and o.created_at >= s.starts_at and o.created_at < s.ends_at
        -- Of the partitions of these months alone: a number is as old as its order, but for the clocks.
        and o.billing_no >= billing_no_at(s.starts_at - interval '1 day')
        and o.state <> all ('{failed,expired,cancelled,refund_due,refunded}'::text[])
    ), 0)::bigint + (
      -- The account's spending from before its person was erased counts on, by days of UTC. A day that lies in the
      -- time of a player's own cap in part counts whole.
      select coalesce(sum(u.used), 0)::bigint from carried_use u
      where u.account_id = p_player_id and u.product_id = p_currency and u.subject_hash = v_spent
        and u.period::date < s.ends_at and case when s.kind = 'age' then u.period::date >= s.starts_at
          else u.period::date + 1 > s.starts_at end), s.ends_at
  from spans s;
end $function$;

CREATE OR REPLACE FUNCTION public.start_of_day(p_day date, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  -- By the clocks of the day before; what is left out of the middle is its offset from UTC.
  select case when first at time zone p_zone = p_day::timestamp then first else midnight end
  from (select p_day::timestamp at time zone p_zone as midnight) m
  cross join lateral (select (p_day - ((midnight - interval '24 hours') at time zone p_zone
    - (midnight - interval '24 hours') at time zone 'UTC')) at time zone 'UTC' as first) c
$function$;

CREATE OR REPLACE FUNCTION public.stop_delivery(p_player_id uuid, p_billing_no text, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_tries integer;
  v_reason text := case p_reason when 'chargeback' then 'chargeback' else 'refund' end;
begin
  update delivery set state = 'rejected', last_error = p_reason
    where player_id = p_player_id and billing_no = p_billing_no and state in ('queued', 'calling', 'unknown', 'dead')
    returning tries into v_tries;
  if v_tries > 0 then
    -- Longer than a grant may take (10 s) and its lease (15 s), so that the game learns of the revocation last.
    insert into revocation (player_id, billing_no, game_id, reason, next_at)
      select player_id, billing_no, game_id, v_reason, now() + interval '30 seconds' from orders
      where player_id = p_player_id and billing_no = p_billing_no
      on conflict do nothing;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.take_first_bonus(p_player_id uuid, p_account_id uuid, p_billing_no text, p_game_id text, p_product_id text, p_bonus jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update limit_counter set used = 1
    where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id and subject = 'first'
      and period = p_bonus ->> 'season';
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
    values (p_player_id, p_billing_no, 'bonus', p_game_id, p_product_id, 'first', p_bonus ->> 'season', 1,
      p_account_id);
end $function$;

CREATE OR REPLACE FUNCTION public.take_idempotency_key(p_player_id uuid, p_key text, p_fingerprint text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_known idempotency;
  v_order orders;
  v_attempt payment_attempt;
begin
  insert into idempotency (player_id, key, fingerprint) values (p_player_id, p_key, p_fingerprint)
    on conflict do nothing;
  if found then return null; end if;
  select * into v_known from idempotency where player_id = p_player_id and key = p_key for update;
  if not is_same_call(v_known.fingerprint, p_fingerprint) then
    return jsonb_build_object('outcome', 'key_reused');
  end if;
  if v_known.answer is not null then return jsonb_build_object('outcome', 'replay', 'answer', v_known.answer); end if;
  -- The first call is running, or its process died between placing and creating. Twenty seconds are longer than
  -- any call may take.
  if v_known.created_at > now() - interval '20 seconds' then return jsonb_build_object('outcome', 'running'); end if;
  update idempotency set created_at = now() where player_id = p_player_id and key = p_key;
  select * into v_order from orders where player_id = p_player_id and billing_no = v_known.billing_no;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = v_known.billing_no and attempt_no = v_known.attempt_no;
  if v_attempt.state in ('sent', 'unknown') and v_attempt.pay_url is null then
    return jsonb_build_object('outcome', 'placed', 'billing_no', v_order.billing_no,
      'attempt_no', v_attempt.attempt_no, 'amount_minor', v_attempt.amount_minor,
      'server_name', v_order.server_name, 'role_name', v_order.role_name);
  end if;
  return jsonb_build_object('outcome', 'repeat', 'billing_no', v_order.billing_no,
    'url', coalesce(v_attempt.pay_url, ''));
end $function$;

CREATE OR REPLACE FUNCTION public.take_offer(p_player_id uuid, p_brand_key text, p_offer jsonb, p_code text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_row coupon;
begin
  if num_nulls(p_player_id, p_brand_key, p_offer, p_code) > 0 then
    raise exception 'take_offer: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('take_offer, offer', p_offer,
    array['run', 'times', 'game_id', 'product_id', 'name', 'prices', 'valid_from', 'valid_end']);
  select * into v_row from open_offers(p_player_id, p_brand_key, jsonb_build_array(p_offer)) o where o.code = p_code;
  if not found then return false; end if;
  insert into coupon select v_row.*
    on conflict (player_id, code) do update set name = excluded.name, prices = excluded.prices,
      products = excluded.products, valid_from = excluded.valid_from, valid_end = excluded.valid_end
      where coupon.state = 'free';
  insert into limit_counter as c (account_id, game_id, product_id, subject, period, used, cap)
    values (v_account_id, '', p_offer ->> 'run', 'offer', 'ever', 0, (p_offer ->> 'times')::integer)
    on conflict (account_id, game_id, product_id, subject, period) do update set cap = greatest(excluded.cap, c.used);
  insert into player_change (player_id) values (p_player_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.take_over_guards(p_player_id uuid, p_brand_key text, p_provider text, p_subject text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_now constant timestamptz := now();
  v_age constant text := guard_hash('age');
  v_pause constant text := guard_hash('pause');
  v_cap constant text := guard_hash('cap');
  v_own constant text[] := array[guard_hash('code'), guard_hash('spent')];
  r account_guard;
begin
  if num_nulls(p_player_id, p_brand_key, p_provider, p_subject) > 0 then
    raise exception 'take_over_guards: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  for r in delete from account_guard where account_hash = guard_account_hash(p_brand_key, p_provider, p_subject)
    returning *
  loop
    if r.subject_hash = v_age then
      -- Consent was asked of minors alone, and without it nothing was declared.
      insert into age_declaration (player_id, birth_year, birth_month, has_consent)
        values (p_player_id, (r.used / 12)::integer, (r.used % 12)::integer + 1, true) on conflict do nothing;
    elsif r.subject_hash = v_pause then
      insert into spending_pause (player_id, paused_until) values (p_player_id, to_timestamp(r.used))
        on conflict (player_id) do update
          set paused_until = greatest(spending_pause.paused_until, excluded.paused_until);
    elsif r.subject_hash = v_cap then
      insert into spending_cap as s (player_id, currency, period, cap_minor)
        values (p_player_id, r.product_id, r.period, r.used)
        on conflict (player_id, currency, period) do update set
          cap_minor = least(excluded.cap_minor,
            case when s.next_at <= v_now then s.next_cap_minor else s.cap_minor end),
          next_cap_minor = case when s.next_at > v_now then s.next_cap_minor end,
          next_at = case when s.next_at > v_now then s.next_at end;
    else
      insert into carried_use as c (account_id, game_id, product_id, subject_hash, period, used)
        values (case when r.subject_hash = any (v_own) then p_player_id else v_account_id end, r.game_id, r.product_id,
          r.subject_hash, r.period, r.used)
        on conflict (account_id, game_id, product_id, subject_hash, period)
          do update set used = greatest(c.used, excluded.used);
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.take_promo_code(p_player_id uuid, p_billing_no text, p_brand_key text, p_game_id text, p_product_id text, p_promo jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update promo_code set used = used + 1, total = (p_promo ->> 'total')::integer,
      per_player = (p_promo ->> 'per_player')::integer, is_first = coalesce((p_promo ->> 'is_first')::boolean, false)
    where brand_key = p_brand_key and code = p_promo ->> 'code';
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
    values (p_player_id, p_billing_no, 'code', p_game_id, p_product_id, p_promo ->> 'code');
end $function$;

CREATE OR REPLACE FUNCTION public.take_replenish(p_player_id uuid, p_billing_no text, p_sold jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if num_nulls(p_player_id, p_billing_no, p_sold ->> 'replenish_id') > 0 then
    raise exception 'take_replenish: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  update replenish set state = 'taken', billing_no = p_billing_no
    where replenish_id = p_sold ->> 'replenish_id' and player_id = p_player_id and state = 'open';
  if not found then
    raise exception 'take_replenish: % is not open', p_sold ->> 'replenish_id'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
    values (p_player_id, p_billing_no, 'replenish', p_sold ->> 'game_id', p_sold ->> 'product_id',
      p_sold ->> 'replenish_id');
end $function$;

CREATE OR REPLACE FUNCTION public.uses_before(p_account_id uuid, p_game_id text, p_product_id text, p_subject text, p_period text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_used bigint;
  v_hash text;
begin
  if not exists (select from carried_use where account_id = p_account_id) then return 0; end if;
  v_hash := guard_hash(p_subject);
  select used into v_used from carried_use
    where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id
      and subject_hash = v_hash and period = p_period;
  return coalesce(v_used, 0);
end $function$;

CREATE OR REPLACE FUNCTION public.uses_held(p_account_id uuid, p_game_id text, p_product_id text, p_subject text, p_period text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_count bigint;
begin
  if p_subject = 'reward' then
    select count(*) into v_count from reward
      where account_id = p_account_id and issue_key = p_product_id and state <> 'rejected';
  else
    select count(*) into v_count from reservation
      where account_id = p_account_id and product_id = p_product_id and game_id = p_game_id and subject = p_subject
        and period = p_period and kind in ('limit', 'bonus', 'offer') and state <> 'released';
  end if;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION public.void_tender(p_player_id uuid, p_billing_no text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_attempt payment_attempt;
  v_rest_minor bigint;
  v_currency text;
begin
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded'
      and provider in ('card', 'wallet');
  if not found or not book_chargeback(p_player_id, p_billing_no, v_attempt.attempt_no, null) then return false; end if;
  if v_attempt.provider = 'wallet' then
    perform wallet_refund(
      p_player_id, p_billing_no, v_attempt.amount_minor, 'void:' || p_billing_no, 'spent twice', 'recovery');
    return true;
  end if;
  select rest_minor into v_rest_minor from gift_card
    where card_id = v_attempt.capture_ref and billing_no = p_billing_no for update;
  update gift_card set state = 'active', player_id = null, billing_no = null, attempt_no = null,
      spent_at = null, rest_minor = 0
    where card_id = v_attempt.capture_ref and billing_no = p_billing_no;
  if v_rest_minor > 0 then
    perform lock_balance(p_player_id, v_attempt.currency);
    if (select balance_minor from wallet_account
        where player_id = p_player_id and currency = v_attempt.currency and kind = 'paid') < v_rest_minor then
      perform refuse_adoption('rest_of_card_spent');
    end if;
    perform wallet_post(
      p_player_id => p_player_id, p_type => 'card',
      p_idempotency_key => 'void:' || v_attempt.capture_ref || ':' || p_billing_no, p_currency => v_attempt.currency,
      p_amount_minor => v_rest_minor, p_billing_no => p_billing_no, p_spends => null, p_reason => 'spent twice',
      p_actor => 'recovery',
      p_sides => jsonb_build_object('paid', -v_rest_minor, 'cards', v_rest_minor));
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_check_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select sum(amount_minor) from wallet_entry where player_id = new.player_id and txn_id = new.txn_id) <> 0 then
    raise exception 'the entries of transaction % do not sum to zero', new.txn_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_credit(p_player_id uuid, p_external_id text, p_currency text, p_amount_minor bigint, p_kind text, p_reason text, p_actor text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_fingerprint text;
  v_known wallet_credit_reference;
  v_txn text;
  v_balance bigint;
begin
  if num_nulls(p_player_id, p_external_id, p_currency, p_amount_minor, p_kind, p_reason, p_actor) > 0 then
    raise null_value_not_allowed using message = 'wallet_credit: a value is missing';
  end if;
  if p_kind not in ('paid', 'free') then
    raise invalid_parameter_value using message = format('wallet_credit: %s is no kind of balance', p_kind);
  end if;
  v_fingerprint := concat_ws('/', p_player_id, p_currency, p_amount_minor, p_kind);
  insert into wallet_credit_reference (external_id, fingerprint, player_id)
    values (p_external_id, v_fingerprint, p_player_id) on conflict do nothing;
  if not found then
    select * into v_known from wallet_credit_reference where external_id = p_external_id;
    if v_known.fingerprint <> v_fingerprint then return jsonb_build_object('outcome', 'differs'); end if;
    select balance_after into v_balance from wallet_entry
      where player_id = p_player_id and txn_id = v_known.txn_id and kind = p_kind;
    return jsonb_build_object('outcome', 'repeat', 'txn_id', v_known.txn_id, 'balance_minor', v_balance);
  end if;
  v_txn := wallet_post(
    p_player_id => p_player_id, p_type => 'credit', p_idempotency_key => 'credit:' || p_external_id,
    p_currency => p_currency, p_amount_minor => p_amount_minor, p_billing_no => null,
    p_spends => null, p_reason => p_reason, p_actor => p_actor,
    p_sides => jsonb_build_object(
      p_kind, p_amount_minor, case p_kind when 'paid' then 'cash_in' else 'bonus' end, -p_amount_minor));
  update wallet_credit_reference set txn_id = v_txn where external_id = p_external_id;
  select balance_after into v_balance from wallet_entry
    where player_id = p_player_id and txn_id = v_txn and kind = p_kind;
  return jsonb_build_object('outcome', 'done', 'txn_id', v_txn, 'balance_minor', v_balance);
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_post(p_player_id uuid, p_type text, p_idempotency_key text, p_currency text, p_amount_minor bigint, p_billing_no text, p_spends text, p_reason text, p_actor text, p_sides jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_txn text := gen_random_uuid()::text;
  v_after bigint;
  v_sum bigint := 0;
  r record;
begin
  if num_nulls(p_player_id, p_type, p_idempotency_key, p_currency, p_amount_minor, p_reason, p_actor, p_sides) > 0
      or (p_billing_no is null) <> (p_type in ('credit', 'forfeit')) or (p_spends is null) = (p_type = 'debit') then
    raise null_value_not_allowed using message = format('wallet_post: a value is missing, or is too much, for a %s',
      coalesce(p_type, 'movement without a type'));
  end if;
  if jsonb_typeof(p_sides) <> 'object' or p_sides = '{}' then
    raise invalid_parameter_value using message = 'wallet_post: the sides must be an object of kinds and minor units';
  end if;
  for r in select key as kind, value from jsonb_each(p_sides) loop
    if r.kind not in ('paid', 'free', 'cash_in', 'bonus', 'sales', 'cards', 'forfeited')
      or jsonb_typeof(r.value) <> 'number'
    then
      raise invalid_parameter_value using message = format('wallet_post: %s is no side with minor units', r.kind);
    end if;
    v_sum := v_sum + r.value::bigint;
  end loop;
  if v_sum <> 0 then raise invalid_parameter_value using message = 'wallet_post: the sides do not sum to zero'; end if;
  insert into wallet_txn (player_id, txn_id, type, idempotency_key, currency, amount_minor, billing_no,
      spends, reason, actor)
    values (p_player_id, v_txn, p_type, p_idempotency_key, p_currency, p_amount_minor, p_billing_no,
      p_spends, p_reason, p_actor);
  insert into player_change (player_id) values (p_player_id);
  -- In the order of their names, as they are locked everywhere.
  for r in select key as kind, value::bigint as minor from jsonb_each_text(p_sides)
    where value::bigint <> 0 order by key
  loop
    insert into wallet_account (player_id, currency, kind) values (p_player_id, p_currency, r.kind)
      on conflict do nothing;
    update wallet_account set balance_minor = balance_minor + r.minor
      where player_id = p_player_id and currency = p_currency and kind = r.kind
      returning balance_minor into v_after;
    insert into wallet_entry (player_id, txn_id, kind, amount_minor, balance_after)
      values (p_player_id, v_txn, r.kind, r.minor, v_after);
  end loop;
  return v_txn;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_refund(p_player_id uuid, p_billing_no text, p_amount_minor bigint, p_idempotency_key text, p_reason text, p_actor text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_debit wallet_txn;
  v_free bigint;
  v_paid bigint;
  v_back_first bigint;
begin
  if num_nulls(p_player_id, p_billing_no, p_amount_minor, p_idempotency_key, p_reason, p_actor) > 0 then
    raise null_value_not_allowed using message = 'wallet_refund: a value is missing';
  end if;
  if p_amount_minor < 1 then
    raise invalid_parameter_value using message = format('wallet_refund: %s is no amount to give back', p_amount_minor);
  end if;
  select * into v_debit from wallet_txn
    where player_id = p_player_id and billing_no = p_billing_no and type = 'debit' for update;
  if not found then return 'no_debit'; end if;
  if exists (select from wallet_txn where player_id = p_player_id and idempotency_key = p_idempotency_key) then
    return 'exists';
  end if;
  -- The rest of either kind: taken by the debit, less the money that went back already.
  select coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0),
      coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0) into v_free, v_paid
    from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
    where t.player_id = p_player_id and t.billing_no = p_billing_no and t.type in ('debit', 'refund');
  if p_amount_minor > v_free + v_paid then return 'too_much'; end if;
  if v_debit.spends = 'free_first' then
    v_back_first := least(p_amount_minor, v_paid);
    v_paid := v_back_first;
    v_free := p_amount_minor - v_back_first;
  else
    v_back_first := least(p_amount_minor, v_free);
    v_free := v_back_first;
    v_paid := p_amount_minor - v_back_first;
  end if;
  perform wallet_post(
    p_player_id => p_player_id, p_type => 'refund', p_idempotency_key => p_idempotency_key,
    p_currency => v_debit.currency, p_amount_minor => p_amount_minor, p_billing_no => p_billing_no, p_spends => null,
    p_reason => p_reason, p_actor => p_actor,
    p_sides => jsonb_build_object('free', v_free, 'paid', v_paid, 'sales', -p_amount_minor));
  return 'done';
end $function$;

create view invariant_i11_applied_once as
 SELECT o.player_id,
    o.billing_no,
    c.provider,
    count(*) AS times
   FROM (orders o
     JOIN callback_inbox c ON (((c.billing_no = o.billing_no) AND (c.player_id = o.player_id))))
  WHERE (c.outcome = ANY (ARRAY['paid'::text, 'late_paid'::text]))
  GROUP BY o.player_id, o.billing_no, c.provider
 HAVING (count(*) > 1);
comment on view invariant_i11_applied_once is 'No callback moved an order to paid twice.';

create view invariant_i13_reservation_follows_order as
 SELECT r.player_id,
    r.billing_no,
    r.kind,
    r.state,
    o.state AS order_state
   FROM (reservation r
     JOIN orders o ON (((o.player_id = r.player_id) AND (o.billing_no = r.billing_no))))
  WHERE (((r.state = 'held'::text) AND (o.state = ANY (ARRAY['failed'::text, 'expired'::text, 'cancelled'::text]))) OR ((r.state = 'released'::text) AND (o.state = ANY (ARRAY['created'::text, 'pending'::text, 'paid'::text, 'delivering'::text, 'delivered'::text]))) OR ((r.state = 'used'::text) AND (o.delivered_at IS NULL)));
comment on view invariant_i13_reservation_follows_order is 'Closed orders hold nothing back, open ones hold what they need, and only goods that went out used it up.';

create view invariant_i14_returned_once as
 SELECT player_id,
    billing_no,
    attempt_no,
    currency,
    sum(amount_minor) AS left_over
   FROM ledger_entry
  WHERE (account = 'provider_receivable'::text)
  GROUP BY player_id, billing_no, attempt_no, currency
 HAVING (sum(amount_minor) < (0)::numeric);
comment on view invariant_i14_returned_once is 'No payment gave back more than it had brought.';

create view invariant_i15_unpaid_orders as
 SELECT o.player_id,
    o.billing_no,
    o.state,
    'it has no row'::text AS reason
   FROM orders o
  WHERE (o.is_unpaid AND (NOT (EXISTS ( SELECT
           FROM unpaid_order u
          WHERE ((u.player_id = o.player_id) AND (u.billing_no = o.billing_no) AND (u.client_id = o.client_id) AND (u.server_id = o.server_id) AND (u.area_id = o.area_id) AND (u.role_id = o.role_id) AND (u.product_id = o.product_id))))))
UNION ALL
 SELECT u.player_id,
    u.billing_no,
    o.state,
    'its row stayed'::text AS reason
   FROM (unpaid_order u
     LEFT JOIN orders o ON (((o.player_id = u.player_id) AND (o.billing_no = u.billing_no))))
  WHERE (o.is_unpaid IS NOT TRUE);
comment on view invariant_i15_unpaid_orders is 'Every unpaid order, and no other, stands among those that a character may have one of for a product.';

create view invariant_i1_ledger_balanced as
 SELECT player_id,
    billing_no,
    kind,
    attempt_no,
    currency,
    sum(amount_minor) AS off_by
   FROM ledger_entry
  GROUP BY player_id, billing_no, kind, attempt_no, currency
 HAVING (sum(amount_minor) <> (0)::numeric);
comment on view invariant_i1_ledger_balanced is 'Every booking sums to zero in its currency.';

create view invariant_i20_wallet_txn_balanced as
 SELECT t.player_id,
    t.txn_id,
    t.billing_no,
    COALESCE(sum(e.amount_minor), ('-1'::integer)::numeric) AS off_by
   FROM (wallet_txn t
     LEFT JOIN wallet_entry e ON (((e.player_id = t.player_id) AND (e.txn_id = t.txn_id))))
  GROUP BY t.player_id, t.txn_id, t.billing_no
 HAVING (COALESCE(sum(e.amount_minor), ('-1'::integer)::numeric) <> (0)::numeric);
comment on view invariant_i20_wallet_txn_balanced is 'The entries of every transaction of a balance sum to zero.';

create view invariant_i21_wallet_balances as
 SELECT a.player_id,
    a.currency,
    a.kind,
    a.balance_minor,
    e.total,
    e.last
   FROM (wallet_account a
     LEFT JOIN LATERAL ( SELECT COALESCE(sum(x.amount_minor), (0)::numeric) AS total,
            COALESCE((array_agg(x.balance_after ORDER BY x.seq DESC))[1], (0)::bigint) AS last
           FROM (wallet_entry x
             JOIN wallet_txn t ON (((t.player_id = x.player_id) AND (t.txn_id = x.txn_id))))
          WHERE ((x.player_id = a.player_id) AND (x.kind = a.kind) AND (t.currency = a.currency))) e ON (true))
  WHERE (((a.balance_minor)::numeric <> e.total) OR (a.balance_minor <> e.last));
comment on view invariant_i21_wallet_balances is 'Every balance is the sum of its entries and what the last of them left.';

create view invariant_i22_wallet_not_negative as
 SELECT a.player_id,
    a.currency,
    a.kind,
    a.balance_minor
   FROM wallet_account a
  WHERE ((a.kind = ANY (ARRAY['paid'::text, 'free'::text])) AND (a.balance_minor < 0))
UNION ALL
 SELECT e.player_id,
    t.currency,
    e.kind,
    e.balance_after AS balance_minor
   FROM (wallet_entry e
     JOIN wallet_txn t ON (((t.player_id = e.player_id) AND (t.txn_id = e.txn_id))))
  WHERE ((e.kind = ANY (ARRAY['paid'::text, 'free'::text])) AND (e.balance_after < 0));
comment on view invariant_i22_wallet_not_negative is 'No balance of a player is or ever was below zero.';

create view invariant_i23_wallet_debits_are_orders as
 SELECT t.player_id,
    t.billing_no,
    'debit without payment'::text AS what
   FROM wallet_txn t
  WHERE ((t.type = 'debit'::text) AND (t.billing_no >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
           FROM archived_month)) AND (NOT (EXISTS ( SELECT
           FROM payment_attempt a
          WHERE ((a.player_id = t.player_id) AND (a.billing_no = t.billing_no) AND (a.provider = 'wallet'::text) AND (a.state = 'succeeded'::text) AND (a.amount_minor = t.amount_minor) AND (a.currency = t.currency))))))
UNION ALL
 SELECT a.player_id,
    a.billing_no,
    'payment without debit'::text AS what
   FROM payment_attempt a
  WHERE ((a.provider = 'wallet'::text) AND (a.state = 'succeeded'::text) AND (NOT (EXISTS ( SELECT
           FROM wallet_txn t
          WHERE ((t.player_id = a.player_id) AND (t.billing_no = a.billing_no) AND (t.type = 'debit'::text) AND (t.amount_minor = a.amount_minor) AND (t.currency = a.currency))))))
UNION ALL
 SELECT a.player_id,
    a.billing_no,
    'refund without credit'::text AS what
   FROM (payment_attempt a
     JOIN ledger_entry l ON (((l.player_id = a.player_id) AND (l.billing_no = a.billing_no) AND (l.attempt_no = a.attempt_no) AND (l.kind = 'refunded'::text) AND (l.account = 'provider_receivable'::text))))
  WHERE ((a.provider = 'wallet'::text) AND (NOT (EXISTS ( SELECT
           FROM wallet_txn t
          WHERE ((t.player_id = a.player_id) AND (t.billing_no = a.billing_no) AND (t.type = 'refund'::text))))));
comment on view invariant_i23_wallet_debits_are_orders is 'Every debit of a balance is the payment of one order, and the other way about.';

create view invariant_i24_wallet_sums_to_zero as
 SELECT player_id,
    currency,
    sum(balance_minor) AS off_by
   FROM wallet_account
  GROUP BY player_id, currency
 HAVING (sum(balance_minor) <> (0)::numeric);
comment on view invariant_i24_wallet_sums_to_zero is 'What a player''s balances hold, the shop has on the other side: together they are zero in every currency.';

create view invariant_i25_wallet_refunds as
 SELECT player_id,
    billing_no,
    sum(amount_minor) FILTER (WHERE (type = 'refund'::text)) AS refunded,
    sum(amount_minor) FILTER (WHERE (type = 'debit'::text)) AS debited
   FROM wallet_txn t
  WHERE ((billing_no IS NOT NULL) AND (type = ANY (ARRAY['debit'::text, 'refund'::text])) AND (EXISTS ( SELECT
           FROM payment_attempt a
          WHERE ((a.player_id = t.player_id) AND (a.billing_no = t.billing_no) AND (a.provider = 'wallet'::text) AND (a.state = 'succeeded'::text)))))
  GROUP BY player_id, billing_no
 HAVING (sum(amount_minor) FILTER (WHERE (type = 'refund'::text)) > COALESCE(sum(amount_minor) FILTER (WHERE (type = 'debit'::text)), (0)::numeric));
comment on view invariant_i25_wallet_refunds is 'No more of a debit went back than it had taken.';

create view invariant_i26_wallet_debited_once as
 SELECT player_id,
    billing_no,
    count(*) AS times
   FROM wallet_txn
  WHERE (type = 'debit'::text)
  GROUP BY player_id, billing_no
 HAVING (count(*) > 1);
comment on view invariant_i26_wallet_debited_once is 'No order was taken from a balance twice.';

create view invariant_i2_delivered_paid_once as
 SELECT player_id,
    billing_no
   FROM orders o
  WHERE ((state = 'delivered'::text) AND ((( SELECT count(*) AS count
           FROM payment_attempt a
          WHERE ((a.player_id = o.player_id) AND (a.billing_no = o.billing_no) AND (a.state = 'succeeded'::text) AND (a.amount_minor = o.amount_minor) AND (a.currency = o.currency))) <> 1) OR (( SELECT count(*) AS count
           FROM delivery d
          WHERE ((d.player_id = o.player_id) AND (d.billing_no = o.billing_no) AND (d.state = 'done'::text))) = 0) OR (( SELECT count(*) AS count
           FROM ledger_entry l
          WHERE ((l.player_id = o.player_id) AND (l.billing_no = o.billing_no) AND (l.kind = ANY (ARRAY['paid'::text, 'delivered'::text])) AND (abs(l.amount_minor) =
                CASE l.account
                    WHEN 'provider_receivable'::text THEN o.amount_minor
                    WHEN 'promo'::text THEN o.discount_minor
                    ELSE (o.amount_minor + o.discount_minor)
                END))) <>
        CASE
            WHEN (discount_minor > 0) THEN 5
            ELSE 4
        END)));
comment on view invariant_i2_delivered_paid_once is 'Every delivered order has exactly one equal payment, one finished delivery and both bookings.';

create view invariant_i30_points_follow_orders as
 SELECT player_id,
    billing_no,
    sum(due) AS due,
    sum(credited) AS credited
   FROM ( SELECT orders.player_id,
            orders.billing_no,
                CASE
                    WHEN (orders.delivered_at IS NULL) THEN (0)::bigint
                    ELSE points_kept(orders.points, orders.amount_minor, orders.refunded_minor)
                END AS due,
            0 AS credited,
            1 AS orders
           FROM orders
        UNION ALL
         SELECT points_entry.player_id,
            points_entry.billing_no,
            0,
            points_entry.points,
            0
           FROM points_entry
          WHERE ((points_entry.billing_no <> ''::text) AND (points_entry.billing_no >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
                   FROM archived_month)))) both_sides
  GROUP BY player_id, billing_no
 HAVING ((sum(due) <> sum(credited)) OR (sum(orders) = 0));
comment on view invariant_i30_points_follow_orders is 'Every delivered order has earned the points of what is left of its price, and no other has earned any.';

create view invariant_i31_points_taken_back as
 SELECT player_id,
    billing_no,
    amount_minor,
    refunded_minor
   FROM orders o
  WHERE ((points IS NOT NULL) AND ((refunded_minor > amount_minor) OR ((COALESCE(refunded_minor, (0)::bigint))::numeric < ( SELECT COALESCE((- sum(l.amount_minor)), (0)::numeric) AS "coalesce"
           FROM (ledger_entry l
             JOIN payment_attempt a ON (((a.player_id = l.player_id) AND (a.billing_no = l.billing_no) AND (a.attempt_no = l.attempt_no))))
          WHERE ((l.player_id = o.player_id) AND (l.billing_no = o.billing_no) AND (l.account = 'provider_receivable'::text) AND ((l.kind = ANY (ARRAY['refunded'::text, 'chargeback'::text])) OR (l.kind ~~ 'part\_refunded\_%'::text)) AND (a.state = 'succeeded'::text))))));
comment on view invariant_i31_points_taken_back is 'No order whose money went back keeps points of it.';

create view invariant_i32_level_coupons as
 SELECT player_id,
    code,
    issue_key,
    billing_no
   FROM coupon c
  WHERE (((need_points IS NOT NULL) <> (source ~~ 'vip %'::text)) OR ((need_points IS NOT NULL) AND (issue_key <> code)));
comment on view invariant_i32_level_coupons is 'Every coupon of a level says which points it needs, and is the only one of its period.';

create view invariant_i3_no_goods_unpaid as
 SELECT player_id,
    billing_no
   FROM delivery d
  WHERE ((state = 'done'::text) AND (( SELECT count(*) AS count
           FROM orders o
          WHERE ((o.player_id = d.player_id) AND (o.billing_no = d.billing_no) AND (o.paid_at IS NULL))) > 0));
comment on view invariant_i3_no_goods_unpaid is 'No goods were delivered for an order that was never paid.';

create view invariant_i40_rewards_were_earned as
 SELECT player_id,
    reward_no,
    issue_key,
    state
   FROM reward w
  WHERE ((NOT event_reached(player_id, brand_key, game_id, basis, created_at)) AND (NOT (basis ? 'is_partly_erased'::text)) AND ((NOT (basis ? 'from'::text)) OR (billing_no_at((((basis ->> 'from'::text))::timestamp with time zone - '31 days'::interval)) >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
           FROM archived_month))));
comment on view invariant_i40_rewards_were_earned is 'Every reward of an event was reached by orders that were delivered before it was received.';

create view invariant_i41_no_reward_forgotten as
 SELECT player_id,
    reward_no,
    issue_key,
    state
   FROM reward
  WHERE (((state = ANY (ARRAY['queued'::text, 'calling'::text, 'unknown'::text])) AND (next_at < (now() - '1 day'::interval))) OR ((state = 'done'::text) AND (receipt_id IS NULL)));
comment on view invariant_i41_no_reward_forgotten is 'No reward waits for its grant without anybody working on it, and each that was granted has its receipt.';

create view invariant_i42_daily_rewards as
 SELECT player_id,
    reward_no,
    issue_key,
    state,
    (basis ->> 'streak'::text) AS streak
   FROM reward w
  WHERE (((basis ->> 'kind'::text) = 'daily'::text) AND (NOT (basis ? 'again_of'::text)) AND ((NOT starts_with(reverse(issue_key), reverse((basis ->> 'day'::text)))) OR (((created_at AT TIME ZONE (basis ->> 'time_zone'::text)))::date <> ((basis ->> 'day'::text))::date) OR ((((basis ->> 'streak'::text))::integer > 1) AND (NOT (basis ? 'is_partly_erased'::text)) AND (NOT claimed_before(account_id, ("left"(issue_key, '-10'::integer) || ((((basis ->> 'day'::text))::date - 1))::text), (((basis ->> 'streak'::text))::integer - 1))))));
comment on view invariant_i42_daily_rewards is 'Every daily reward was claimed on its own day, and its streak goes on from the day before.';

create view invariant_i43_offers_as_agreed as
 SELECT o.player_id,
    o.billing_no,
    o.coupon_code,
    o.amount_minor,
    o.currency,
    c.prices
   FROM (orders o
     JOIN coupon c ON (((c.player_id = o.player_id) AND (c.code = o.coupon_code))))
  WHERE ((c.prices IS NOT NULL) AND (c.billing_no = o.billing_no) AND ((o.product_id <> ALL (c.products)) OR (o.game_id <> ALL (c.games)) OR (o.amount_minor IS DISTINCT FROM ((c.prices ->> o.currency))::bigint)))
UNION ALL
 SELECT o.player_id,
    o.billing_no,
    o.coupon_code,
    o.amount_minor,
    o.currency,
    NULL::jsonb AS prices
   FROM orders o
  WHERE (starts_with(o.coupon_code, 'offer:'::text) AND (NOT (EXISTS ( SELECT
           FROM coupon c
          WHERE ((c.player_id = o.player_id) AND (c.code = o.coupon_code))))));
comment on view invariant_i43_offers_as_agreed is 'Whoever bought by an offer had it, for that product, and was asked for exactly its price.';

create view invariant_i50_replenish_sold_once as
 SELECT player_id,
    billing_no,
    replenish_id,
    state
   FROM replenish p
  WHERE (((state = 'taken'::text) AND (billing_no >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
           FROM archived_month)) AND (( SELECT count(*) AS count
           FROM replenish_orders(p.player_id, p.replenish_id) o(billing_no, state, amount_minor, discount_minor, currency)
          WHERE ((o.billing_no = p.billing_no) AND (o.amount_minor = p.amount_minor) AND (o.discount_minor = 0) AND (o.currency = p.currency))) = 0)) OR (( SELECT count(*) AS count
           FROM replenish_orders(p.player_id, p.replenish_id) o(billing_no, state, amount_minor, discount_minor, currency)
          WHERE (o.state = ANY (ARRAY['paid'::text, 'delivering'::text, 'delivered'::text]))) > 1));
comment on view invariant_i50_replenish_sold_once is 'A make-up payment is sold to its own account, at its own amount, and paid by one order at most.';

create view invariant_i5_used_once as
 SELECT c.player_id,
    c.billing_no,
    c.code AS what,
    c.state,
    count(r.billing_no) AS orders
   FROM (coupon c
     LEFT JOIN reservation r ON (((r.player_id = c.player_id) AND (r.kind = 'coupon'::text) AND (r.subject = c.code) AND (r.state <> 'released'::text))))
  GROUP BY c.player_id, c.code, c.billing_no, c.state
 HAVING ((count(r.billing_no) <>
        CASE
            WHEN (c.state = 'taken'::text) THEN 1
            ELSE 0
        END) OR ((c.state = 'taken'::text) AND (min(r.billing_no) <> c.billing_no)))
UNION ALL
 SELECT g.player_id,
    g.billing_no,
    g.card_id AS what,
    g.state,
    card_payments(g.player_id, g.billing_no, g.card_id, true) AS orders
   FROM gift_card g
  WHERE ((g.state = 'spent'::text) AND (g.billing_no >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
           FROM archived_month)) AND (card_payments(g.player_id, g.billing_no, g.card_id, (g.rest_minor > 0)) <> 1))
UNION ALL
 SELECT a.player_id,
    a.billing_no,
    a.capture_ref AS what,
    a.state,
    1 AS orders
   FROM (payment_attempt a
     LEFT JOIN gift_card g ON ((g.card_id = a.capture_ref)))
  WHERE ((a.provider = 'card'::text) AND (a.state = 'succeeded'::text) AND ((g.card_id IS NULL) OR (NOT (((g.state = 'spent'::text) AND (g.player_id = a.player_id) AND (g.billing_no = a.billing_no)) OR (EXISTS ( SELECT
           FROM ledger_entry l
          WHERE ((l.player_id = a.player_id) AND (l.billing_no = a.billing_no) AND (l.attempt_no = a.attempt_no) AND (l.kind = ANY (ARRAY['refunded'::text, 'chargeback'::text])))))))));
comment on view invariant_i5_used_once is 'Every coupon and every prepaid card is held or used by one order at most, and that order knows it.';

create view invariant_i60_promo_uses as
 SELECT c.brand_key,
    c.code,
    c.used,
    c.total,
    COALESCE(h.held, (0)::bigint) AS held
   FROM (promo_code c
     FULL JOIN ( SELECT o.brand_key,
            r.subject AS code,
            count(*) AS held
           FROM (reservation r
             JOIN player o ON ((o.player_id = r.player_id)))
          WHERE ((r.kind = 'code'::text) AND (r.state <> 'released'::text))
          GROUP BY o.brand_key, r.subject) h ON (((h.brand_key = c.brand_key) AND (h.code = c.code))))
  WHERE ((c.used IS DISTINCT FROM COALESCE(h.held, (0)::bigint)) OR (c.used > c.total));
comment on view invariant_i60_promo_uses is 'No promo code is used more often than it may be, and its count is that of the orders that hold it or used it up.';

create view invariant_i61_shares_follow_orders as
 SELECT player_id,
    billing_no,
    max(creator) AS creator,
    sum(due) AS due,
    sum(booked) AS booked
   FROM ( SELECT orders.player_id,
            orders.billing_no,
            orders.creator,
            orders.currency,
            orders.promo_code,
                CASE
                    WHEN (orders.delivered_at IS NULL) THEN (0)::bigint
                    ELSE points_kept(orders.share_minor, orders.amount_minor, orders.refunded_minor)
                END AS due,
            0 AS booked,
            1 AS orders
           FROM orders
        UNION ALL
         SELECT creator_entry.player_id,
            creator_entry.billing_no,
            creator_entry.creator,
            creator_entry.currency,
            NULL::text AS promo_code,
            0,
            creator_entry.amount_minor,
            0
           FROM creator_entry
          WHERE (creator_entry.billing_no >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
                   FROM archived_month))) both_sides
  GROUP BY player_id, billing_no
 HAVING ((sum(due) <> sum(booked)) OR (sum(orders) = 0) OR ((max(creator) IS NOT NULL) AND (max(promo_code) IS NULL)) OR ((count(*) > 1) AND ((min(creator) <> max(creator)) OR (min(currency) <> max(currency)) OR (count(creator) < count(*)))));
comment on view invariant_i61_shares_follow_orders is 'Every creator has the share of what is left of the price of each delivered order with their code, and of no other.';

create view invariant_i62_bonus_once as
 SELECT o.player_id,
    o.billing_no,
    o.product_id,
    o.state,
    r.state AS bonus
   FROM (orders o
     LEFT JOIN reservation r ON (((r.player_id = o.player_id) AND (r.billing_no = o.billing_no) AND (r.kind = 'bonus'::text))))
  WHERE ((o.product @? '$."gifts"[*]?(@."isFirst" == true)'::jsonpath) IS DISTINCT FROM (r.billing_no IS NOT NULL))
UNION ALL
 SELECT r.player_id,
    r.billing_no,
    r.product_id,
    'no order'::text AS state,
    r.state AS bonus
   FROM reservation r
  WHERE ((r.kind = 'bonus'::text) AND (r.billing_no >= ( SELECT COALESCE(max(archived_month.to_no), ''::text) AS "coalesce"
           FROM archived_month)) AND (NOT (EXISTS ( SELECT
           FROM orders o
          WHERE ((o.player_id = r.player_id) AND (o.billing_no = r.billing_no))))))
UNION ALL
 SELECT reservation.player_id,
    min(reservation.billing_no) AS billing_no,
    reservation.product_id,
    'twice'::text AS state,
    reservation.period AS bonus
   FROM reservation
  WHERE ((reservation.kind = 'bonus'::text) AND (reservation.state <> 'released'::text))
  GROUP BY reservation.player_id, reservation.game_id, reservation.product_id, reservation.period
 HAVING (count(*) > 1);
comment on view invariant_i62_bonus_once is 'An order sells the first-purchase bonus exactly when it has taken it, and nobody has that of a product twice.';

create view invariant_i6_reservations as
 SELECT c.account_id AS player_id,
    c.game_id,
    c.product_id,
    ((c.subject || ' '::text) || c.period) AS what,
    c.used,
    c.cap,
    uses_held(c.account_id, c.game_id, c.product_id, c.subject, c.period) AS held
   FROM limit_counter c
  WHERE ((c.used > c.cap) OR (c.used <> uses_held(c.account_id, c.game_id, c.product_id, c.subject, c.period)))
UNION ALL
 SELECT o.player_id,
    o.game_id,
    o.product_id,
    ('discount of '::text || o.billing_no) AS what,
    1 AS used,
    1 AS cap,
    0 AS held
   FROM orders o
  WHERE (((o.discount_minor > 0) AND (o.coupon_code IS NULL) AND (o.promo_code IS NULL)) OR ((o.coupon_code IS NOT NULL) AND (NOT (EXISTS ( SELECT
           FROM reservation r
          WHERE ((r.player_id = o.player_id) AND (r.billing_no = o.billing_no) AND (r.kind = 'coupon'::text) AND (r.subject = o.coupon_code) AND ((r.state <> 'released'::text) OR (o.state = ANY (ARRAY['failed'::text, 'expired'::text, 'cancelled'::text, 'refund_due'::text, 'refunded'::text, 'review'::text])))))))) OR ((o.promo_code IS NOT NULL) AND (NOT (EXISTS ( SELECT
           FROM reservation r
          WHERE ((r.player_id = o.player_id) AND (r.billing_no = o.billing_no) AND (r.kind = 'code'::text) AND (r.subject = o.promo_code) AND ((r.state <> 'released'::text) OR (o.state = ANY (ARRAY['failed'::text, 'expired'::text, 'cancelled'::text, 'refund_due'::text, 'refunded'::text, 'review'::text])))))))));
comment on view invariant_i6_reservations is 'Limits are never exceeded, and count exactly the reservations and rewards that stand; no order has a discount without its coupon or promo code.';

create view invariant_i70_events_told as
 SELECT o.player_id,
    o.billing_no,
    e.endpoint_id,
    t.type
   FROM (((webhook_endpoint e
     JOIN orders o ON (((e.brand_key IS NULL) OR (e.brand_key = o.brand_key))))
     CROSS JOIN LATERAL ( VALUES ('delivered'::text,o.delivered_at), ('refunded'::text,o.refunded_at)) s(state, at))
     CROSS JOIN LATERAL ( SELECT ('order.'::text || s.state) AS type) t)
  WHERE ((o.state = s.state) AND (t.type = ANY (e.types)) AND (o.review_reason IS DISTINCT FROM 'chargeback'::text) AND (s.at > (e.created_at + '00:01:00'::interval)) AND (s.at > (now() - '3 days'::interval)) AND (NOT (EXISTS ( SELECT
           FROM webhook_message m
          WHERE ((m.player_id = o.player_id) AND (m.billing_no = o.billing_no) AND (m.endpoint_id = e.endpoint_id) AND (m.type = t.type))))))
UNION ALL
 SELECT m.player_id,
    m.billing_no,
    m.endpoint_id,
    m.type
   FROM (webhook_message m
     JOIN webhook_endpoint e ON ((e.endpoint_id = m.endpoint_id)))
  WHERE ((m.state = ANY (ARRAY['queued'::text, 'calling'::text])) AND (m.next_at < (now() - '1 day'::interval)));
comment on view invariant_i70_events_told is 'Every delivered or refunded order has its message for each endpoint that wants it, and none waits unattended.';

create view invariant_i7_stock as
 SELECT s.game_id,
    s.product_id,
    s.used,
    s.total,
    COALESCE(r.held, (0)::bigint) AS held
   FROM (product_stock s
     LEFT JOIN ( SELECT reservation.game_id,
            reservation.product_id,
            count(*) AS held
           FROM reservation
          WHERE ((reservation.kind = 'stock'::text) AND (reservation.state <> 'released'::text))
          GROUP BY reservation.game_id, reservation.product_id) r ON (((r.game_id = s.game_id) AND (r.product_id = s.product_id))))
  WHERE ((s.used > s.total) OR (s.used <> COALESCE(r.held, (0)::bigint)));
comment on view invariant_i7_stock is 'Stock is never exceeded, and counts exactly the reservations that stand.';

create view invariant_i8_nothing_forgotten as
 SELECT player_id,
    billing_no,
    state
   FROM orders o
  WHERE (((state = ANY (ARRAY['paid'::text, 'delivering'::text])) AND (( SELECT count(*) AS count
           FROM delivery d
          WHERE ((d.player_id = o.player_id) AND (d.billing_no = o.billing_no) AND (d.state = ANY (ARRAY['queued'::text, 'calling'::text, 'unknown'::text, 'done'::text])))) = 0)) OR ((state = 'refund_due'::text) AND (( SELECT count(*) AS count
           FROM refund r
          WHERE ((r.player_id = o.player_id) AND (r.billing_no = o.billing_no))) = 0)) OR ((state = ANY (ARRAY['created'::text, 'pending'::text])) AND (GREATEST(expires_at, expiry_lease_until) < (now() - '8 days'::interval))));
comment on view invariant_i8_nothing_forgotten is 'No order that is not finished is without somebody working on it.';

create view invariant_i9_no_endless_doubt as
 SELECT a.player_id,
    a.billing_no,
    a.attempt_no
   FROM (payment_attempt a
     JOIN orders o ON (((o.player_id = a.player_id) AND (o.billing_no = a.billing_no))))
  WHERE ((a.state = 'unknown'::text) AND (a.created_at < (now() - '24:00:00'::interval)) AND (o.state = ANY (ARRAY['created'::text, 'pending'::text])) AND (a.next_query_at IS NULL));
comment on view invariant_i9_no_endless_doubt is 'No payment is in doubt for a day without a question to come.';

create view invariant_breach as
 SELECT 'I1'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i1_ledger_balanced.billing_no) AS example
   FROM invariant_i1_ledger_balanced
UNION ALL
 SELECT 'I2'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i2_delivered_paid_once.billing_no) AS example
   FROM invariant_i2_delivered_paid_once
UNION ALL
 SELECT 'I3'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i3_no_goods_unpaid.billing_no) AS example
   FROM invariant_i3_no_goods_unpaid
UNION ALL
 SELECT 'I5'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i5_used_once.billing_no) AS example
   FROM invariant_i5_used_once
UNION ALL
 SELECT 'I6'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i6_reservations.what) AS example
   FROM invariant_i6_reservations
UNION ALL
 SELECT 'I7'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i7_stock.product_id) AS example
   FROM invariant_i7_stock
UNION ALL
 SELECT 'I8'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i8_nothing_forgotten.billing_no) AS example
   FROM invariant_i8_nothing_forgotten
UNION ALL
 SELECT 'I9'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i9_no_endless_doubt.billing_no) AS example
   FROM invariant_i9_no_endless_doubt
UNION ALL
 SELECT 'I11'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i11_applied_once.billing_no) AS example
   FROM invariant_i11_applied_once
UNION ALL
 SELECT 'I13'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i13_reservation_follows_order.billing_no) AS example
   FROM invariant_i13_reservation_follows_order
UNION ALL
 SELECT 'I14'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i14_returned_once.billing_no) AS example
   FROM invariant_i14_returned_once
UNION ALL
 SELECT 'I15'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i15_unpaid_orders.billing_no) AS example
   FROM invariant_i15_unpaid_orders
UNION ALL
 SELECT 'I20'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i20_wallet_txn_balanced.billing_no) AS example
   FROM invariant_i20_wallet_txn_balanced
UNION ALL
 SELECT 'I21'::text AS invariant,
    count(*) AS breaches,
    min((invariant_i21_wallet_balances.player_id)::text) AS example
   FROM invariant_i21_wallet_balances
UNION ALL
 SELECT 'I22'::text AS invariant,
    count(*) AS breaches,
    min((invariant_i22_wallet_not_negative.player_id)::text) AS example
   FROM invariant_i22_wallet_not_negative
UNION ALL
 SELECT 'I23'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i23_wallet_debits_are_orders.billing_no) AS example
   FROM invariant_i23_wallet_debits_are_orders
UNION ALL
 SELECT 'I24'::text AS invariant,
    count(*) AS breaches,
    min((invariant_i24_wallet_sums_to_zero.player_id)::text) AS example
   FROM invariant_i24_wallet_sums_to_zero
UNION ALL
 SELECT 'I25'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i25_wallet_refunds.billing_no) AS example
   FROM invariant_i25_wallet_refunds
UNION ALL
 SELECT 'I26'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i26_wallet_debited_once.billing_no) AS example
   FROM invariant_i26_wallet_debited_once
UNION ALL
 SELECT 'I30'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i30_points_follow_orders.billing_no) AS example
   FROM invariant_i30_points_follow_orders
UNION ALL
 SELECT 'I31'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i31_points_taken_back.billing_no) AS example
   FROM invariant_i31_points_taken_back
UNION ALL
 SELECT 'I32'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i32_level_coupons.billing_no) AS example
   FROM invariant_i32_level_coupons
UNION ALL
 SELECT 'I40'::text AS invariant,
    count(*) AS breaches,
    min((invariant_i40_rewards_were_earned.player_id)::text) AS example
   FROM invariant_i40_rewards_were_earned
UNION ALL
 SELECT 'I41'::text AS invariant,
    count(*) AS breaches,
    min((invariant_i41_no_reward_forgotten.player_id)::text) AS example
   FROM invariant_i41_no_reward_forgotten
UNION ALL
 SELECT 'I42'::text AS invariant,
    count(*) AS breaches,
    min((invariant_i42_daily_rewards.player_id)::text) AS example
   FROM invariant_i42_daily_rewards
UNION ALL
 SELECT 'I43'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i43_offers_as_agreed.billing_no) AS example
   FROM invariant_i43_offers_as_agreed
UNION ALL
 SELECT 'I50'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i50_replenish_sold_once.billing_no) AS example
   FROM invariant_i50_replenish_sold_once
UNION ALL
 SELECT 'I60'::text AS invariant,
    count(*) AS breaches,
    NULL::text AS example
   FROM invariant_i60_promo_uses
UNION ALL
 SELECT 'I61'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i61_shares_follow_orders.billing_no) AS example
   FROM invariant_i61_shares_follow_orders
UNION ALL
 SELECT 'I62'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i62_bonus_once.billing_no) AS example
   FROM invariant_i62_bonus_once
UNION ALL
 SELECT 'I70'::text AS invariant,
    count(*) AS breaches,
    min(invariant_i70_events_told.billing_no) AS example
   FROM invariant_i70_events_told;

CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE ON public.audit_entry FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER configuration_changed AFTER INSERT OR UPDATE ON public.configuration FOR EACH ROW EXECUTE FUNCTION notify_configuration();

CREATE TRIGGER ledger_append_only BEFORE DELETE OR UPDATE ON public.ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER ledger_balanced AFTER INSERT ON public.ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_balance();

CREATE TRIGGER ledger_never_emptied BEFORE TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER order_transition_checked BEFORE UPDATE OF state ON public.orders FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION check_order_transition();

CREATE TRIGGER points_entry_append_only BEFORE DELETE OR UPDATE ON public.points_entry FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER points_entry_never_emptied BEFORE TRUNCATE ON public.points_entry FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE CONSTRAINT TRIGGER wallet_balanced AFTER INSERT ON public.wallet_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wallet_check_balance();

CREATE TRIGGER wallet_entry_append_only BEFORE DELETE OR UPDATE ON public.wallet_entry FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER wallet_entry_never_emptied BEFORE TRUNCATE ON public.wallet_entry FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER wallet_txn_append_only BEFORE DELETE OR UPDATE ON public.wallet_txn FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER wallet_txn_never_emptied BEFORE TRUNCATE ON public.wallet_txn FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

insert into order_transition ("from_state", "to_state") overriding system value
select "from_state", "to_state" from json_populate_recordset(null::order_transition, '[
{"from_state":"cancelled","to_state":"delivering"},
{"from_state":"cancelled","to_state":"paid"},
{"from_state":"cancelled","to_state":"refund_due"},
{"from_state":"cancelled","to_state":"review"},
{"from_state":"created","to_state":"cancelled"},
{"from_state":"created","to_state":"delivering"},
{"from_state":"created","to_state":"expired"},
{"from_state":"created","to_state":"failed"},
{"from_state":"created","to_state":"paid"},
{"from_state":"created","to_state":"pending"},
{"from_state":"created","to_state":"review"},
{"from_state":"delivered","to_state":"refunded"},
{"from_state":"delivering","to_state":"delivered"},
{"from_state":"delivering","to_state":"refund_due"},
{"from_state":"delivering","to_state":"refunded"},
{"from_state":"delivering","to_state":"review"},
{"from_state":"expired","to_state":"delivering"},
{"from_state":"expired","to_state":"paid"},
{"from_state":"expired","to_state":"refund_due"},
{"from_state":"expired","to_state":"review"},
{"from_state":"failed","to_state":"delivering"},
{"from_state":"failed","to_state":"paid"},
{"from_state":"failed","to_state":"refund_due"},
{"from_state":"failed","to_state":"review"},
{"from_state":"paid","to_state":"delivered"},
{"from_state":"paid","to_state":"delivering"},
{"from_state":"paid","to_state":"refund_due"},
{"from_state":"paid","to_state":"refunded"},
{"from_state":"paid","to_state":"review"},
{"from_state":"pending","to_state":"cancelled"},
{"from_state":"pending","to_state":"delivering"},
{"from_state":"pending","to_state":"expired"},
{"from_state":"pending","to_state":"failed"},
{"from_state":"pending","to_state":"paid"},
{"from_state":"pending","to_state":"review"},
{"from_state":"refund_due","to_state":"refunded"},
{"from_state":"review","to_state":"cancelled"},
{"from_state":"review","to_state":"delivered"},
{"from_state":"review","to_state":"delivering"},
{"from_state":"review","to_state":"paid"},
{"from_state":"review","to_state":"refund_due"},
{"from_state":"review","to_state":"refunded"}
]');

insert into table_exception ("table_name", "reason") overriding system value
select "table_name", "reason" from json_populate_recordset(null::table_exception, '[
{"table_name":"account_guard","reason":"asked by the hash of an account before its new player is known"},
{"table_name":"admin_call","reason":"calls of the operator''s systems in a day, not of players"},
{"table_name":"admin_key","reason":"keys of the operator, a handful"},
{"table_name":"archived_month","reason":"one row a month of the whole shop"},
{"table_name":"audit_entry","reason":"acts of operators, not of players"},
{"table_name":"backup_record","reason":"one row about the whole shop"},
{"table_name":"backup_token","reason":"looked up by a secret before the player is known; a quarter of an hour old at most"},
{"table_name":"beta_key","reason":"belongs to a brand, not to a player"},
{"table_name":"callback_inbox","reason":"arrives before the player is known"},
{"table_name":"callback_refused","reason":"nobody knows who sent it; one row a day and reason"},
{"table_name":"card_failed_attempt","reason":"counts accounts and cards"},
{"table_name":"card_try","reason":"an audit over all cards and addresses"},
{"table_name":"carried_use","reason":"by account, as limit_counter"},
{"table_name":"configuration","reason":"one row: which revision the shop runs"},
{"table_name":"configuration_file","reason":"files of the operator, a few dozen"},
{"table_name":"configuration_history","reason":"one row an apply"},
{"table_name":"error_report","reason":"sent by whoever meets a fault, logged in or not"},
{"table_name":"gift_card","reason":"looked up by its number before anybody has spent it"},
{"table_name":"gift_card_batch","reason":"a few rows of the operator"},
{"table_name":"guard_key","reason":"one row about the whole shop"},
{"table_name":"invariant_check","reason":"one row about the whole shop"},
{"table_name":"known_device","reason":"asked before the player is known"},
{"table_name":"ledger_archived","reason":"sums over all players"},
{"table_name":"limit_counter","reason":"by account: several players of one game account share a counter"},
{"table_name":"login_attempt","reason":"begun before the player is known; ten minutes old at most"},
{"table_name":"login_guard","reason":"counted before the player is known; a day old at most"},
{"table_name":"login_link","reason":"looked up by a secret before the player is known; ten minutes old at most"},
{"table_name":"order_lookup","reason":"a provider knows our order number, not our player"},
{"table_name":"order_transition","reason":"the same few rows for every shop"},
{"table_name":"picture_file","reason":"pictures of the operator, a few hundred"},
{"table_name":"player_identity","reason":"looked up before the player is known"},
{"table_name":"product_stock","reason":"one number over all players"},
{"table_name":"promo_code","reason":"one number over all players"},
{"table_name":"provider_reference","reason":"a provider may name its own reference only"},
{"table_name":"rate_limit","reason":"counts addresses and names before a player is known"},
{"table_name":"replenish","reason":"looked up by its link before the player is known; few, and one a case of customer service"},
{"table_name":"retention_end","reason":"a dozen rows about the whole shop"},
{"table_name":"running_process","reason":"a row for each process of the shop"},
{"table_name":"session","reason":"looked up by token before the player is known"},
{"table_name":"shop_environment","reason":"one row about the whole database"},
{"table_name":"storefront_file","reason":"built files of the releases of a day, some hundred each"},
{"table_name":"track_call","reason":"a visit is nobody''s: no player is told"},
{"table_name":"wallet_credit_reference","reason":"an operator''s number may not be used for another player"},
{"table_name":"wallet_nonce","reason":"a quarter of an hour of the operator''s calls"},
{"table_name":"webhook_endpoint","reason":"systems of the operator, a handful"}
]');
