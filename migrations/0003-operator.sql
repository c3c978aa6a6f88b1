-- What operators look back at.

-- The rows of configuration_file as this revision wrote them, so that a shop can go back to it. Null: an old revision, or
-- one that a version without this column applied.
alter table configuration_history add column files json;

-- What grows with orders lies in a partition a month, by the time that an order's number begins with (decision 62).

-- The unpaid order of a character and a product, of which there is at most one: the second tap finds the first. A unique
-- index of a partitioned table cannot say it without the number. Written by triggers of orders alone.
create table unpaid_order (
  player_id  uuid not null,
  client_id  text not null,
  server_id  text not null,
  area_id    text not null,
  role_id    text not null,
  product_id text not null,
  billing_no text not null,
  primary key (player_id, client_id, server_id, area_id, role_id, product_id)
);
insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
  select player_id, client_id, server_id, area_id, role_id, product_id, billing_no from orders where is_unpaid;
drop index orders_unpaid;

-- They take rows of these tables, and come again with the tables' new types.
drop function if exists book_payment(orders, payment_attempt, text, text, jsonb, jsonb, interval, boolean);
drop function if exists book_mismatch(orders, payment_attempt, boolean, bigint, text, text);
drop function if exists is_mismatch_booked(payment_attempt);
drop function if exists book_overpayment(payment_attempt, text);
drop function if exists refund_internal_tender(payment_attempt);
drop function if exists order_event_data(orders);
drop function if exists lock_payment(uuid, text, integer);

-- No row is copied: each table becomes the first partition of a table of its name, up to the month after its newest
-- order. All that comes later is made by make_partitions; <table>_default takes an order whose month nobody has made.
do $$
declare
  v_digits constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  v_tables constant text[] := '{orders,order_lookup,payment_attempt,delivery,ledger_entry}';
  v_month timestamptz := date_trunc('month', now(), 'UTC');
  v_bound text;
  v_newest text;
  v_table text;
  v_options text;
  r record;
begin
  select greatest((select max(billing_no) from orders), (select max(billing_no) from order_lookup),
    (select max(billing_no) from payment_attempt), (select max(billing_no) from delivery),
    (select max(billing_no) from ledger_entry)) into v_newest;
  for i in 1 .. 1200 loop
    -- As billing_no_at does.
    select string_agg(substr(v_digits, ((extract(epoch from v_month) * 1000)::bigint >> (45 - 5 * d) & 31)::integer + 1, 1),
      '' order by d) into v_bound from generate_series(0, 9) as d;
    exit when v_newest is null or v_newest < v_bound;
    v_month := date_trunc('month', v_month + interval '32 days', 'UTC');
  end loop;
  if v_newest >= v_bound then
    raise exception 'the order number % does not begin with a time: no partition can hold it', v_newest;
  end if;

  foreach v_table in array v_tables loop
    for r in select tgname from pg_trigger where tgrelid = v_table::regclass and not tgisinternal loop
      execute format('drop trigger %I on %I', r.tgname, v_table);
    end loop;
    -- The names of its keys and indexes go to the new table.
    create temporary table made_again on commit drop as
      select c.relname as name, k.conname is not null as is_key,
        coalesce(pg_get_constraintdef(k.oid), pg_get_indexdef(c.oid)) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
        left join pg_constraint k on k.conindid = c.oid and k.contype = 'p'
      where i.indrelid = v_table::regclass;
    for r in select name from made_again loop
      execute format('alter index %I rename to %I', r.name, 'before_' || r.name);
    end loop;
    select coalesce('with (' || array_to_string(reloptions, ', ') || ')', '') into v_options
      from pg_class where oid = v_table::regclass;
    execute format('alter table %I rename to %I', v_table, v_table || '_before');
    execute format('create table %I (like %I including defaults including generated including constraints) '
      'partition by range (billing_no)', v_table, v_table || '_before');
    for r in select * from made_again loop
      if r.is_key then
        execute format('alter table %I add constraint %I %s', v_table, r.name, r.definition);
      else
        execute r.definition;
      end if;
    end loop;
    drop table made_again;
    for r in select grantee::regrole::text as grantee, privilege_type as privilege
      from pg_class c, aclexplode(c.relacl)
      where c.oid = (v_table || '_before')::regclass and grantee <> 0 and grantee <> c.relowner
    loop
      execute format('grant %s on %I to %s', r.privilege, v_table, r.grantee);
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
      v_table, v_table || '_before', v_bound);
    execute format('create table %I partition of %I default %s', v_table || '_default', v_table, v_options);
  end loop;
end $$;

-- Finished months that `refill archive` moved out of the tables (decision 62).

-- Whatever an order's number below to_no belongs to is in files: months go in their order.
create table archived_month (
  month           text not null,  -- '2026_11', or 'before': the name of its partitions after the table's
  from_no         text not null,
  to_no           text not null,
  folder          text not null,  -- where its files were written
  manifest_sha256 text not null,
  orders          bigint not null,
  archived_by     text not null,
  archived_at     timestamptz not null default now(),
  primary key (month)
);

-- Sums of their books, so that the ledger still adds up and the reports of finance can be read for every day: of a
-- quarter of an hour, for every zone's days begin with one.
create table ledger_archived (
  month          text not null,
  at             timestamptz not null,
  brand_key      text not null,
  game_id        text not null,
  country        text not null,
  method         text not null,
  provider       text not null,
  kind           text not null,  -- as in ledger_entry, or 'fee': settlement_fee
  account        text not null,  -- empty for fees
  currency       text not null,
  entries        bigint not null,
  amount_minor   bigint not null,
  discount_minor bigint not null,
  primary key (month, at, brand_key, game_id, country, method, provider, kind, account, currency)
);
create index ledger_archived_by_time on ledger_archived using brin (at);

-- Who had goods delivered by an order that is in files: a code for a first purchase is not for them.
create table archived_buyer (
  player_id uuid not null,
  orders    bigint not null,
  primary key (player_id)
);

insert into table_exception (table_name, reason) values
  ('archived_month', 'one row a month of the whole shop'),
  ('ledger_archived', 'sums over all players');

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

-- Recovery after a restored backup (decision 61).

-- When the order was taken into the books again on the game's word; null: it was placed here and stayed.
alter table orders add column adopted_at timestamptz;
