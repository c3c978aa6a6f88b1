-- The player's stored balance: a double-entry ledger of its own, spent in the transaction that places and pays an order.
-- The shop's own sides (cash in, bonus, sales, cards) are kept with each player as well, so that every transaction stays with one player and
-- no row is everybody's bottleneck; the shop's balance is their sum.
-- Lock order: misses of cards -> player limit -> stock -> coupon -> card -> wallet -> delivery -> order -> attempt, refund, ledger.

create table wallet_account (
  player_id     uuid not null,
  mode          text not null check (mode in ('sandbox', 'live')),
  currency      text not null,
  kind          text not null check (kind in ('paid', 'free', 'cash_in', 'bonus', 'sales', 'cards')), -- the first two are the player's
  balance_minor bigint not null default 0,
  primary key (player_id, mode, currency, kind),
  check (kind not in ('paid', 'free') or balance_minor >= 0)
) with (fillfactor = 60);

create table wallet_txn (
  player_id       uuid not null,
  txn_id          text not null,
  type            text not null check (type in ('credit', 'debit', 'refund', 'card')),
  idempotency_key text not null,
  mode            text not null,
  currency        text not null,
  amount_minor    bigint not null check (amount_minor > 0),
  billing_no      text,
  spends          text check (spends in ('free_first', 'paid_first')), -- of a debit: what it took first
  reason          text not null,
  actor           text not null,
  created_at      timestamptz not null default now(),
  primary key (player_id, txn_id),
  unique (player_id, idempotency_key)
);
create index wallet_txn_by_order on wallet_txn (player_id, billing_no) where billing_no is not null;

create table wallet_entry (
  player_id     uuid not null,
  txn_id        text not null,
  kind          text not null,
  amount_minor  bigint not null check (amount_minor <> 0),
  balance_after bigint not null,
  seq           bigint generated always as identity, -- in the order of the account's balances
  primary key (player_id, txn_id, kind)
);
create trigger wallet_txn_append_only before update or delete on wallet_txn for each row execute function ledger_refuse_change();
create trigger wallet_entry_append_only before update or delete on wallet_entry for each row execute function ledger_refuse_change();
create trigger wallet_txn_never_emptied before truncate on wallet_txn execute function ledger_refuse_change();
create trigger wallet_entry_never_emptied before truncate on wallet_entry execute function ledger_refuse_change();

create function wallet_check_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_minor) from wallet_entry where player_id = new.player_id and txn_id = new.txn_id) <> 0 then
    raise exception 'the entries of transaction % do not sum to zero', new.txn_id;
  end if;
  return null;
end $$;
-- Deferred: the sides of a transaction are written one after the other.
create constraint trigger wallet_balanced after insert on wallet_entry deferrable initially deferred for each row execute function wallet_check_balance();

-- What an operator's system calls a credit: once for ever, whoever it was for.
create table wallet_credit_reference (
  mode        text not null,
  external_id text not null,
  fingerprint text not null,
  player_id   uuid not null,
  txn_id      text,
  primary key (mode, external_id)
);
create table wallet_nonce (
  nonce text primary key,
  at    timestamptz not null default now()
);
insert into table_exception values
  ('wallet_credit_reference', 'an operator''s number may not be used for another player'),
  ('wallet_nonce', 'a quarter of an hour of the operator''s calls');

-- Moves money: `p_sides` maps kinds to signed minor units. A balance of the player that would fall below zero raises.
create function wallet_post(p_player uuid, p jsonb, p_sides jsonb) returns text language plpgsql as $$
declare
  v_txn text := gen_random_uuid()::text;
  v_after bigint;
  r record;
begin
  insert into wallet_txn (player_id, txn_id, type, idempotency_key, mode, currency, amount_minor, billing_no, spends, reason, actor)
    values (p_player, v_txn, p ->> 'type', p ->> 'key', p ->> 'mode', p ->> 'currency', (p ->> 'amount_minor')::bigint, p ->> 'billing_no', p ->> 'spends',
      p ->> 'reason', p ->> 'actor');
  -- In the order of their names, as they are locked everywhere.
  for r in select key as kind, value::bigint as minor from jsonb_each_text(p_sides) where value::bigint <> 0 order by key loop
    insert into wallet_account (player_id, mode, currency, kind) values (p_player, p ->> 'mode', p ->> 'currency', r.kind) on conflict do nothing;
    update wallet_account set balance_minor = balance_minor + r.minor
      where player_id = p_player and mode = p ->> 'mode' and currency = p ->> 'currency' and kind = r.kind returning balance_minor into v_after;
    insert into wallet_entry (player_id, txn_id, kind, amount_minor, balance_after) values (p_player, v_txn, r.kind, r.minor, v_after);
  end loop;
  return v_txn;
end $$;

-- An operator gives money (`kind` paid: it was paid for somewhere else; free: a present). Outcomes: done, repeat (the first result again), differs.
create function wallet_credit(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_kind text := p ->> 'kind';
  v_amount bigint := (p ->> 'amount_minor')::bigint;
  v_fingerprint text := concat_ws('/', p ->> 'player_id', p ->> 'currency', v_amount, v_kind);
  v_known wallet_credit_reference;
  v_txn text;
  v_balance bigint;
begin
  insert into wallet_credit_reference (mode, external_id, fingerprint, player_id) values (p ->> 'mode', p ->> 'external_id', v_fingerprint, v_player) on conflict do nothing;
  if not found then
    select * into v_known from wallet_credit_reference where mode = p ->> 'mode' and external_id = p ->> 'external_id';
    if v_known.fingerprint <> v_fingerprint then return jsonb_build_object('outcome', 'differs'); end if;
    select balance_after into v_balance from wallet_entry where player_id = v_player and txn_id = v_known.txn_id and kind = v_kind;
    return jsonb_build_object('outcome', 'repeat', 'txn_id', v_known.txn_id, 'balance_minor', v_balance);
  end if;
  v_txn := wallet_post(v_player, jsonb_build_object('type', 'credit', 'key', 'credit:' || (p ->> 'external_id'), 'mode', p ->> 'mode', 'currency', p ->> 'currency',
      'amount_minor', v_amount, 'reason', p ->> 'reason', 'actor', p ->> 'actor'),
    jsonb_build_object(v_kind, v_amount, case v_kind when 'paid' then 'cash_in' else 'bonus' end, -v_amount));
  update wallet_credit_reference set txn_id = v_txn where mode = p ->> 'mode' and external_id = p ->> 'external_id';
  select balance_after into v_balance from wallet_entry where player_id = v_player and txn_id = v_txn and kind = v_kind;
  return jsonb_build_object('outcome', 'done', 'txn_id', v_txn, 'balance_minor', v_balance);
end $$;

-- Gives (a part of) a debit back, in the reverse order of its consumption. Outcomes: done, exists (the key was used), too_much, no_debit.
create function wallet_refund(p_player uuid, p_billing text, p_amount bigint, p_key text, p_reason text, p_actor text) returns text language plpgsql as $$
declare
  v_debit wallet_txn;
  v_free bigint;
  v_paid bigint;
  v_back_first bigint;
begin
  select * into v_debit from wallet_txn where player_id = p_player and billing_no = p_billing and type = 'debit' for update;
  if not found then return 'no_debit'; end if;
  if exists (select from wallet_txn where player_id = p_player and idempotency_key = p_key) then return 'exists'; end if;
  -- What is left of either kind: taken by the debit, less what went back already.
  select coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0), coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0) into v_free, v_paid
    from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
    where t.player_id = p_player and t.billing_no = p_billing and t.type in ('debit', 'refund');
  if p_amount > v_free + v_paid then return 'too_much'; end if;
  if v_debit.spends = 'free_first' then
    v_back_first := least(p_amount, v_paid);
    v_paid := v_back_first;
    v_free := p_amount - v_back_first;
  else
    v_back_first := least(p_amount, v_free);
    v_free := v_back_first;
    v_paid := p_amount - v_back_first;
  end if;
  perform wallet_post(p_player, jsonb_build_object('type', 'refund', 'key', p_key, 'mode', v_debit.mode, 'currency', v_debit.currency, 'amount_minor', p_amount,
    'billing_no', p_billing, 'reason', p_reason, 'actor', p_actor), jsonb_build_object('free', v_free, 'paid', v_paid, 'sales', -p_amount));
  return 'done';
end $$;

-- ---------- paying in place: cards as before, and balances ----------
alter table gift_card add column rest_minor bigint not null default 0 check (rest_minor >= 0); -- what the order left of it went into the balance

-- Outcomes: taken, card_refused (somebody was faster), card_not_enough, balance_too_low. What is taken stays locked to the end.
create or replace function take_in_place(p jsonb, p_player uuid, p_billing text, p_attempt integer, p_amount bigint, p_currency text) returns text language plpgsql as $$
declare
  v_rest bigint := (p ->> 'face_minor')::bigint - p_amount;
begin
  if p ->> 'kind' = 'card' then
    if v_rest < 0 or p ->> 'face_currency' <> p_currency or (v_rest > 0 and not (p ->> 'keeps_rest')::boolean) then return 'card_not_enough'; end if;
    update gift_card set state = 'spent', player_id = p_player, billing_no = p_billing, attempt_no = p_attempt, spent_at = now(), rest_minor = v_rest
      where card_id = p ->> 'card_id' and state = 'active';
    if not found then return 'card_refused'; end if;
    if v_rest > 0 then
      insert into wallet_account (player_id, mode, currency, kind) values (p_player, p ->> 'mode', p_currency, 'paid') on conflict do nothing;
      perform 1 from wallet_account where player_id = p_player and mode = p ->> 'mode' and currency = p_currency and kind in ('cards', 'paid') order by kind for update;
    end if;
    return 'taken';
  end if;
  perform 1 from wallet_account where player_id = p_player and mode = p ->> 'mode' and currency = p_currency and kind in ('free', 'paid') order by kind for update;
  if (select coalesce(sum(balance_minor), 0) from wallet_account where player_id = p_player and mode = p ->> 'mode' and currency = p_currency
      and kind in ('free', 'paid')) < p_amount then
    return 'balance_too_low';
  end if;
  return 'taken';
end $$;

create or replace function undo_in_place(p jsonb, p_billing text) returns void language plpgsql as $$
begin
  -- Of a balance nothing was taken yet but the lock.
  update gift_card set state = 'active', player_id = null, billing_no = null, attempt_no = null, spent_at = null, rest_minor = 0
    where p ->> 'kind' = 'card' and card_id = p ->> 'card_id' and billing_no = p_billing;
end $$;

create or replace function pay_in_place(p jsonb, p_means jsonb, p_billing text, p_attempt integer, p_amount bigint) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_mode text := p ->> 'mode';
  v_currency text := p ->> 'currency';
  v_rest bigint := (p_means ->> 'face_minor')::bigint - p_amount;
  v_spends text := coalesce(p_means ->> 'spends', 'free_first');
  v_free bigint;
  v_paid bigint;
  v_reported jsonb;
begin
  v_reported := apply_report(jsonb_build_object('provider', p ->> 'provider', 'mode', v_mode, 'status', 'paid', 'billing_no', p_billing, 'attempt_no', p_attempt,
    'capture_ref', coalesce(p_means ->> 'card_id', 'pay:' || p_billing), 'amount_minor', p_amount, 'currency', v_currency, 'merchant_ok', true, 'notify', p -> 'notify'));
  -- Nobody else can have this order in hand; if somebody had, nothing of all this may stay.
  if v_reported ->> 'outcome' <> 'paid' then raise exception 'an order paid in place came out as %', v_reported ->> 'outcome'; end if;
  if p_means ->> 'kind' = 'wallet' then
    select coalesce(sum(balance_minor) filter (where kind = 'free'), 0), coalesce(sum(balance_minor) filter (where kind = 'paid'), 0) into v_free, v_paid
      from wallet_account where player_id = v_player and mode = v_mode and currency = v_currency;
    if v_spends = 'free_first' then
      v_free := least(v_free, p_amount);
      v_paid := p_amount - v_free;
    else
      v_paid := least(v_paid, p_amount);
      v_free := p_amount - v_paid;
    end if;
    perform wallet_post(v_player, jsonb_build_object('type', 'debit', 'key', 'pay:' || p_billing, 'mode', v_mode, 'currency', v_currency, 'amount_minor', p_amount,
      'billing_no', p_billing, 'spends', v_spends, 'reason', 'order', 'actor', 'player'), jsonb_build_object('free', -v_free, 'paid', -v_paid, 'sales', p_amount));
  elsif v_rest > 0 then
    perform wallet_post(v_player, jsonb_build_object('type', 'card', 'key', 'card:' || (p_means ->> 'card_id') || ':' || p_billing, 'mode', v_mode,
      'currency', v_currency, 'amount_minor', v_rest, 'billing_no', p_billing, 'reason', 'left of a prepaid card', 'actor', 'player'),
      jsonb_build_object('paid', v_rest, 'cards', -v_rest));
  end if;
  update idempotency set answer = jsonb_build_object('code', 'success', 'billing_no', p_billing, 'url', '') where player_id = v_player and key = p ->> 'idempotency_key';
  return jsonb_build_object('outcome', 'paid', 'billing_no', p_billing, 'attempt_no', p_attempt, 'amount_minor', p_amount);
end $$;

-- Money that goes back goes where it came from: into the balance, or the card is good again, for a month at least. A card whose rest went into
-- the balance can not be good again as a whole: there its price goes too.
create or replace function return_in_place(p_attempt payment_attempt) returns void language plpgsql as $$
declare
  v_key text := 'refund:' || p_attempt.billing_no || '-' || p_attempt.attempt_no;
  v_mode text;
  v_done text;
begin
  if p_attempt.provider = 'wallet' then
    v_done := wallet_refund(p_attempt.player_id, p_attempt.billing_no, p_attempt.amount_minor, v_key, 'refund', 'shop');
    if v_done not in ('done', 'exists') then raise exception 'the balance that paid % can not be given back: %', p_attempt.billing_no, v_done; end if;
  elsif p_attempt.provider = 'card' then
    update gift_card set state = 'active', valid_to = greatest(valid_to, now() + interval '30 days'), player_id = null, billing_no = null, attempt_no = null, spent_at = null
      where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no and rest_minor = 0;
    if not found and exists (select from gift_card where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no and rest_minor > 0) then
      select mode into v_mode from orders where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no;
      perform wallet_post(p_attempt.player_id, jsonb_build_object('type', 'refund', 'key', v_key, 'mode', v_mode, 'currency', p_attempt.currency,
        'amount_minor', p_attempt.amount_minor, 'billing_no', p_attempt.billing_no, 'reason', 'refund of a prepaid card', 'actor', 'shop'),
        jsonb_build_object('paid', p_attempt.amount_minor, 'cards', -p_attempt.amount_minor));
    end if;
  end if;
end $$;

create or replace function lock_reservations(p_player uuid, p_billing text) returns void language plpgsql as $$
begin
  perform 1 from limit_counter c join reservation r on r.player_id = c.player_id and r.game_id = c.game_id and r.product_id = c.product_id
    and r.subject = c.subject and r.period = c.period
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'limit' and c.player_id = p_player for update of c;
  perform 1 from product_stock s join reservation r on r.game_id = s.game_id and r.product_id = s.product_id
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'stock' for update of s;
  perform 1 from coupon c join reservation r on r.player_id = c.player_id and r.subject = c.code
    where r.player_id = p_player and r.billing_no = p_billing and r.kind = 'coupon' and c.player_id = p_player for update of c;
  perform 1 from gift_card where billing_no = p_billing order by card_id for update;
  if exists (select from payment_attempt where player_id = p_player and billing_no = p_billing and provider in ('card', 'wallet') and state = 'succeeded') then
    perform 1 from wallet_account where player_id = p_player order by mode, currency, kind for update;
  end if;
end $$;

-- ---------- invariants ----------
create or replace view invariant_i5_used_once as
  select c.player_id, c.billing_no, c.code as what, c.state, count(r.billing_no) as orders
  from coupon c left join reservation r on r.player_id = c.player_id and r.kind = 'coupon' and r.subject = c.code and r.state <> 'released'
  group by c.player_id, c.code
  having count(r.billing_no) <> case when c.state = 'taken' then 1 else 0 end or (c.state = 'taken' and min(r.billing_no) <> c.billing_no)
  union all
  select g.player_id, g.billing_no, g.card_id, g.state, count(a.billing_no)
  from gift_card g left join (
    select a.*, exists (select from ledger_entry l where l.player_id = a.player_id and l.billing_no = a.billing_no and l.attempt_no = a.attempt_no
      and l.kind = 'refunded') as is_refunded
    from payment_attempt a where a.provider = 'card' and a.state = 'succeeded'
  ) a on a.capture_ref = g.card_id and (not a.is_refunded or (g.rest_minor > 0 and g.billing_no = a.billing_no))
  group by g.card_id
  having count(a.billing_no) <> case when g.state = 'spent' then 1 else 0 end or (g.state = 'spent' and min(a.billing_no) <> g.billing_no)
  union all
  select a.player_id, a.billing_no, a.capture_ref, a.state, 1 from payment_attempt a
  where a.provider = 'card' and a.state = 'succeeded' and not exists (select from gift_card g where g.card_id = a.capture_ref);

create view invariant_i20_wallet_txn_balanced as
  select t.player_id, t.txn_id, t.billing_no, coalesce(sum(e.amount_minor), -1) as off_by
  from wallet_txn t left join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
  group by t.player_id, t.txn_id having coalesce(sum(e.amount_minor), -1) <> 0;
comment on view invariant_i20_wallet_txn_balanced is 'The entries of every transaction of a balance sum to zero.';

create view invariant_i21_wallet_balances as
  select a.player_id, a.mode, a.currency, a.kind, a.balance_minor, e.total, e.last
  from wallet_account a left join lateral (
    select coalesce(sum(x.amount_minor), 0) as total, coalesce((array_agg(x.balance_after order by x.seq desc))[1], 0) as last
    from wallet_entry x join wallet_txn t on t.player_id = x.player_id and t.txn_id = x.txn_id
    where x.player_id = a.player_id and x.kind = a.kind and t.mode = a.mode and t.currency = a.currency) e on true
  where a.balance_minor <> e.total or a.balance_minor <> e.last;
comment on view invariant_i21_wallet_balances is 'Every balance is the sum of its entries and what the last of them left.';

create view invariant_i22_wallet_not_negative as
  select a.player_id, a.mode, a.currency, a.kind, a.balance_minor from wallet_account a where a.kind in ('paid', 'free') and a.balance_minor < 0
  union all
  select e.player_id, t.mode, t.currency, e.kind, e.balance_after from wallet_entry e join wallet_txn t on t.player_id = e.player_id and t.txn_id = e.txn_id
  where e.kind in ('paid', 'free') and e.balance_after < 0;
comment on view invariant_i22_wallet_not_negative is 'No balance of a player is or ever was below zero.';

create view invariant_i23_wallet_debits_are_orders as
  select t.player_id, t.billing_no, 'debit without payment' as what from wallet_txn t where t.type = 'debit' and not exists (
    select from payment_attempt a where a.player_id = t.player_id and a.billing_no = t.billing_no and a.provider = 'wallet' and a.state = 'succeeded'
      and a.amount_minor = t.amount_minor and a.currency = t.currency)
  union all
  select a.player_id, a.billing_no, 'payment without debit' from payment_attempt a where a.provider = 'wallet' and a.state = 'succeeded' and not exists (
    select from wallet_txn t where t.player_id = a.player_id and t.billing_no = a.billing_no and t.type = 'debit' and t.amount_minor = a.amount_minor and t.currency = a.currency)
  union all
  select a.player_id, a.billing_no, 'refund without credit' from payment_attempt a join ledger_entry l on l.player_id = a.player_id and l.billing_no = a.billing_no
      and l.attempt_no = a.attempt_no and l.kind = 'refunded' and l.account = 'provider_receivable'
    where a.provider = 'wallet' and not exists (select from wallet_txn t where t.player_id = a.player_id and t.billing_no = a.billing_no and t.type = 'refund');
comment on view invariant_i23_wallet_debits_are_orders is 'Every debit of a balance is the payment of one order, and the other way about.';

create view invariant_i24_wallet_sums_to_zero as
  select mode, currency, sum(balance_minor) as off_by from wallet_account group by mode, currency having sum(balance_minor) <> 0;
comment on view invariant_i24_wallet_sums_to_zero is 'All balances together, the shop''s own included, are zero in every currency.';

create view invariant_i25_wallet_refunds as
  select t.player_id, t.billing_no, sum(t.amount_minor) filter (where t.type = 'refund') as refunded, sum(t.amount_minor) filter (where t.type = 'debit') as debited
  from wallet_txn t where t.billing_no is not null and t.type in ('debit', 'refund')
    and exists (select from payment_attempt a where a.player_id = t.player_id and a.billing_no = t.billing_no and a.provider = 'wallet' and a.state = 'succeeded')
  group by t.player_id, t.billing_no having sum(t.amount_minor) filter (where t.type = 'refund') > coalesce(sum(t.amount_minor) filter (where t.type = 'debit'), 0);
comment on view invariant_i25_wallet_refunds is 'No more of a debit went back than it had taken.';

create view invariant_i26_wallet_debited_once as
  select player_id, billing_no, count(*) as times from wallet_txn where type = 'debit' group by player_id, billing_no having count(*) > 1;
comment on view invariant_i26_wallet_debited_once is 'No order was taken from a balance twice.';

create or replace view invariant_breach as
  select 'I1' as invariant, count(*) as breaches, min(billing_no) as example from invariant_i1_ledger_balanced
  union all select 'I2', count(*), min(billing_no) from invariant_i2_delivered_paid_once
  union all select 'I3', count(*), min(billing_no) from invariant_i3_no_goods_unpaid
  union all select 'I5', count(*), min(what) from invariant_i5_used_once
  union all select 'I6', count(*), min(product_id) from invariant_i6_reservations
  union all select 'I8', count(*), min(billing_no) from invariant_i8_nothing_forgotten
  union all select 'I9', count(*), min(billing_no) from invariant_i9_no_endless_doubt
  union all select 'I11', count(*), min(billing_no) from invariant_i11_applied_once
  union all select 'I13', count(*), min(billing_no) from invariant_i13_reservation_follows_order
  union all select 'I20', count(*), min(txn_id) from invariant_i20_wallet_txn_balanced
  union all select 'I21', count(*), min(player_id::text) from invariant_i21_wallet_balances
  union all select 'I22', count(*), min(player_id::text) from invariant_i22_wallet_not_negative
  union all select 'I23', count(*), min(billing_no) from invariant_i23_wallet_debits_are_orders
  union all select 'I24', count(*), min(currency) from invariant_i24_wallet_sums_to_zero
  union all select 'I25', count(*), min(billing_no) from invariant_i25_wallet_refunds
  union all select 'I26', count(*), min(billing_no) from invariant_i26_wallet_debited_once;
