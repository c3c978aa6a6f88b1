-- Money that goes back: refunds as rows that are their own queue, revoking at the game, decisions of a person, and the invariants as views.
-- Lock order as everywhere: player limit -> stock -> order -> attempt, delivery, refund, ledger.

alter table payment_attempt add column reported_minor bigint, add column reported_currency text; -- what came in when it was not what was asked

alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('paid', 'delivered', 'refunded', 'surplus', 'surplus_refunded', 'chargeback'));
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check
  check (account in ('provider_receivable', 'goods_owed', 'revenue', 'refund_owed', 'chargeback_loss'));

-- ---------- refunds ----------
create table refund (
  player_id           uuid not null,
  billing_no          text not null,
  attempt_no          integer not null,
  state               text not null default 'due' check (state in ('due', 'calling', 'pending', 'done', 'manual')),
  reason              text not null,
  requested_by        text not null,
  amount_minor        bigint not null check (amount_minor > 0),
  currency            text not null,
  tries               integer not null default 0,
  next_at             timestamptz not null default now(),
  provider_refund_ref text,
  last_error          text,
  created_at          timestamptz not null default now(),
  done_at             timestamptz,
  primary key (player_id, billing_no, attempt_no)
) with (fillfactor = 80);
create index refund_due on refund (next_at) where state in ('due', 'calling', 'pending');

create table revocation (
  player_id  uuid not null,
  billing_no text not null,
  game_id    text not null,
  mode       text not null,
  state      text not null default 'queued' check (state in ('queued', 'calling', 'done', 'declined', 'dead')),
  reason     text not null,
  tries      integer not null default 0,
  next_at    timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  done_at    timestamptz,
  primary key (player_id, billing_no)
) with (fillfactor = 80);
create index revocation_due on revocation (next_at) where state in ('queued', 'calling');

-- Every act of a person, append only.
create table audit_entry (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  actor      text not null,
  act        text not null,
  billing_no text,
  details    jsonb not null default '{}'
);
insert into table_exception values ('audit_entry', 'acts of operators, not of players');
create trigger audit_append_only before update or delete on audit_entry for each row execute function ledger_refuse_change();

-- Books money that went back, once. What it was booked as before decides the other side.
create function book_refund(p_player uuid, p_billing text, p_attempt integer) returns boolean language plpgsql as $$
declare
  v_order orders;
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform lock_reservations(p_player, p_billing);
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state in ('surplus', 'mismatch') then
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
    if not found then return false; end if;
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'surplus_refunded', p_attempt, 'refund_owed', v_amount, v_currency),
      (p_player, p_billing, 'surplus_refunded', p_attempt, 'provider_receivable', -v_amount, v_currency)
      on conflict do nothing;
    if not found then return false; end if;
    if v_attempt.state = 'mismatch' then
      update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due');
      if found then perform release_reservations(p_player, p_billing); end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
      (p_player, p_billing, 'refunded', p_attempt, case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end, v_attempt.amount_minor, v_attempt.currency),
      (p_player, p_billing, 'refunded', p_attempt, 'provider_receivable', -v_attempt.amount_minor, v_attempt.currency)
      on conflict do nothing;
    if not found then return false; end if;
    update delivery set state = 'rejected', last_error = 'refunded' where player_id = p_player and billing_no = p_billing and state in ('queued', 'unknown', 'dead');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing;
    if v_order.delivered_at is null then perform release_reservations(p_player, p_billing); end if;
  else
    return false;
  end if;
  update refund set state = 'done', done_at = now(), last_error = null where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  return true;
end $$;

-- Asks for money to go back; the row is the promise, a worker keeps it. Outcomes: due, exists, nothing_to_refund.
create function request_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_attempt.state = 'succeeded' then
    v_amount := v_attempt.amount_minor;
    v_currency := v_attempt.currency;
  else
    select -amount_minor, currency into v_amount, v_currency from ledger_entry
      where player_id = p_player and billing_no = p_billing and kind = 'surplus' and attempt_no = p_attempt and account = 'refund_owed';
  end if;
  if v_amount is null or exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt
      and kind in ('refunded', 'surplus_refunded', 'chargeback')) then
    return 'nothing_to_refund';
  end if;
  insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
    values (p_player, p_billing, p_attempt, p_reason, p_by, v_amount, v_currency) on conflict do nothing;
  if not found then return 'exists'; end if;
  -- Nothing may be delivered for money that is on its way back.
  update orders set state = 'refund_due' where player_id = p_player and billing_no = p_billing and state = 'review' and v_attempt.state <> 'surplus';
  update delivery set state = 'rejected', last_error = 'refund requested' where player_id = p_player and billing_no = p_billing and state in ('queued', 'unknown', 'dead')
    and v_attempt.state = 'succeeded';
  return 'due';
end $$;

create function claim_refunds(p_limit integer, p_lease interval) returns table (
  player_id uuid, billing_no text, attempt_no integer, tries integer, provider text, mode text, provider_ref text, capture_ref text,
  amount_minor bigint, currency text, created_at timestamptz, age_seconds double precision
) language sql as $$
  with due as (
    select r.player_id, r.billing_no, r.attempt_no from refund r where r.state in ('due', 'calling', 'pending') and r.next_at <= now()
    order by r.next_at limit p_limit for update skip locked
  ), claimed as (
    update refund r set state = case when r.state = 'pending' then 'pending' else 'calling' end, tries = r.tries + 1, next_at = now() + p_lease
    from due where r.player_id = due.player_id and r.billing_no = due.billing_no and r.attempt_no = due.attempt_no
    returning r.*
  )
  select c.player_id, c.billing_no, c.attempt_no, c.tries, a.provider, o.mode, a.provider_ref, a.capture_ref, c.amount_minor, c.currency, a.created_at,
    extract(epoch from now() - c.created_at)
  from claimed c join payment_attempt a on a.player_id = c.player_id and a.billing_no = c.billing_no and a.attempt_no = c.attempt_no
    join orders o on o.player_id = c.player_id and o.billing_no = c.billing_no
$$;

-- What came of a refund call: done, pending (the provider will tell), unknown (the same reference again), manual (a person must).
create function finish_refund(p_player uuid, p_billing text, p_attempt integer, p_kind text, p_ref text, p_error text, p_retry_seconds double precision)
returns text language plpgsql as $$
begin
  if p_kind = 'done' then
    perform book_refund(p_player, p_billing, p_attempt);
    update refund set provider_refund_ref = coalesce(p_ref, provider_refund_ref) where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
    return 'done';
  end if;
  update refund set state = case p_kind when 'pending' then 'pending' when 'manual' then 'manual' else 'due' end,
      provider_refund_ref = coalesce(p_ref, provider_refund_ref), last_error = p_error, next_at = now() + make_interval(secs => coalesce(p_retry_seconds, 0))
    where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and state <> 'done';
  return p_kind;
end $$;

create function claim_revocations(p_limit integer, p_lease interval) returns table (player_id uuid, billing_no text, game_id text, mode text, tries integer, reason text)
language sql as $$
  update revocation r set state = 'calling', tries = r.tries + 1, next_at = now() + p_lease
  from (select v.player_id, v.billing_no from revocation v where v.state in ('queued', 'calling') and v.next_at <= now() order by v.next_at limit p_limit for update skip locked) due
  where r.player_id = due.player_id and r.billing_no = due.billing_no
  returning r.player_id, r.billing_no, r.game_id, r.mode, r.tries, r.reason
$$;

-- Takes in what a provider says of a payment: by callback (with dedup_key: stored in the inbox in the same step), query or capture.
-- Outcomes: duplicate, unknown_order, paid, late_paid, late_refused, surplus, mismatch, approved, declined, closed, refunded, partial_refund,
-- chargeback, noted.
create or replace function apply_report(p jsonb) returns jsonb language plpgsql as $$
declare
  v_provider text := p ->> 'provider';
  v_status text := p ->> 'status';
  v_player uuid;
  v_billing text := p ->> 'billing_no';
  v_attempt_no integer := (p ->> 'attempt_no')::integer;
  v_order orders;
  v_attempt payment_attempt;
  v_inbox text;
  v_outcome text := 'noted';
  v_wake boolean := false;
begin
  if p ->> 'dedup_key' is not null then
    insert into callback_inbox (provider, dedup_key, mode, reference, report, headers, body, next_try_at)
      values (v_provider, p ->> 'dedup_key', p ->> 'mode', p ->> 'reference', p -> 'report', p -> 'headers', p ->> 'body', now() + interval '2 seconds')
      on conflict (provider, dedup_key) do nothing;
    if not found then
      select state into v_inbox from callback_inbox where provider = v_provider and dedup_key = p ->> 'dedup_key' for update;
      if v_inbox <> 'stored' then return jsonb_build_object('outcome', 'duplicate'); end if;
    end if;
  end if;

  if v_billing is not null then
    select player_id into v_player from order_lookup where billing_no = v_billing;
  elsif p ->> 'provider_ref' is not null then
    select player_id, billing_no, attempt_no into v_player, v_billing, v_attempt_no from provider_reference
      where provider = v_provider and provider_ref = p ->> 'provider_ref';
  end if;
  if v_player is not null then
    select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no and provider = v_provider;
  end if;
  if v_attempt.player_id is null or (select mode from orders where player_id = v_player and billing_no = v_billing) <> p ->> 'mode' then
    -- It may have come before our own commit: kept, tried again for 24 hours.
    update callback_inbox set tries = tries + 1, next_try_at = now() + make_interval(secs => least(3600, 2 * power(2, tries))),
        state = case when received_at < now() - interval '24 hours' then 'dead' else 'stored' end, outcome = 'unknown_order'
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
    return jsonb_build_object('outcome', 'unknown_order');
  end if;

  -- Only money for a closed order, or the end of an open one, touches counters: then they are locked first, as everywhere.
  if v_status in ('paid', 'failed', 'expired')
     and exists (select from reservation where player_id = v_player and billing_no = v_billing)
     and (v_status <> 'paid' or exists (select from orders where player_id = v_player and billing_no = v_billing and state in ('failed', 'expired', 'cancelled'))) then
    perform lock_reservations(v_player, v_billing);
  end if;
  select * into v_order from orders where player_id = v_player and billing_no = v_billing for update;
  select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no for update;

  if v_status = 'paid' then
    if v_attempt.state in ('succeeded', 'surplus') then
      v_outcome := 'duplicate';
    elsif not (p ->> 'merchant_ok')::boolean or (p ->> 'amount_minor')::bigint is distinct from v_attempt.amount_minor
          or p ->> 'currency' is distinct from v_attempt.currency then
      v_outcome := 'mismatch';
      update payment_attempt set state = 'mismatch', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), next_query_at = null,
          reported_minor = (p ->> 'amount_minor')::bigint, reported_currency = p ->> 'currency'
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      -- Money that is ours but not what was asked is owed back until a person decides; another merchant's money is not ours to book.
      if (p ->> 'merchant_ok')::boolean and (p ->> 'amount_minor')::bigint > 0 then
        insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
          (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', (p ->> 'amount_minor')::bigint, p ->> 'currency'),
          (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -(p ->> 'amount_minor')::bigint, p ->> 'currency');
      end if;
      if v_order.state in ('created', 'pending', 'failed', 'expired', 'cancelled') then
        update orders set state = 'review', review_reason = 'payment_mismatch' where player_id = v_player and billing_no = v_billing;
      end if;
    elsif v_order.state in ('paid', 'delivering', 'delivered', 'refunded', 'refund_due')
          or exists (select from payment_attempt where player_id = v_player and billing_no = v_billing and state = 'succeeded') then
      v_outcome := 'surplus';
      update payment_attempt set state = 'surplus', capture_ref = coalesce(p ->> 'capture_ref', capture_ref), succeeded_at = now(), next_query_at = null
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'surplus', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'surplus', v_attempt_no, 'refund_owed', -v_attempt.amount_minor, v_attempt.currency);
      perform request_refund(v_player, v_billing, v_attempt_no, 'paid twice', 'shop');
    else
      update payment_attempt set state = 'succeeded', succeeded_at = now(), capture_ref = coalesce(p ->> 'capture_ref', capture_ref),
          provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = null, exchange = exchange || coalesce(p -> 'exchange', '{}')
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'paid', v_attempt_no, 'provider_receivable', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'paid', v_attempt_no, 'goods_owed', -v_attempt.amount_minor, v_attempt.currency);
      if v_order.state in ('created', 'pending') then
        v_outcome := 'paid';
      elsif v_order.state in ('failed', 'expired', 'cancelled') and reserve_again(v_player, v_billing) then
        v_outcome := 'late_paid';
      else
        v_outcome := 'late_refused';
      end if;
      if v_outcome = 'late_refused' then
        update orders set state = case when v_order.state = 'review' then 'review' else 'refund_due' end, is_late = true, paid_at = now(),
            review_reason = coalesce(review_reason, 'late_payment_without_stock') where player_id = v_player and billing_no = v_billing;
        if v_order.state <> 'review' then perform request_refund(v_player, v_billing, v_attempt_no, 'paid too late', 'shop'); end if;
      else
        update orders set state = 'paid', paid_at = now(), is_late = v_outcome = 'late_paid', closed_at = null where player_id = v_player and billing_no = v_billing;
        insert into delivery (player_id, billing_no, game_id, mode) values (v_player, v_billing, v_order.game_id, v_order.mode);
        v_wake := true;
      end if;
    end if;

  elsif v_status in ('failed', 'expired') then
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'closed';
      update payment_attempt set state = v_status, next_query_at = null where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
      update orders set state = v_status, closed_at = now() where player_id = v_player and billing_no = v_billing
        and state in ('created', 'pending') and current_attempt = v_attempt_no;
      if found then perform release_reservations(v_player, v_billing); end if;
    end if;

  elsif v_status = 'declined' then
    -- This try was refused, the page can be paid again: the order stays open and says so.
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'declined';
      update payment_attempt set declined_at = now() where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
    end if;

  elsif v_status = 'approved' then
    if v_attempt.state in ('sent', 'redirected', 'unknown') then
      v_outcome := 'approved';
      update payment_attempt set approved_at = coalesce(approved_at, now()), provider_ref = coalesce(provider_ref, p ->> 'provider_ref'), next_query_at = now()
        where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no;
    end if;

  elsif v_status = 'refunded' then
    if (p ->> 'amount_minor')::bigint is distinct from coalesce(v_attempt.reported_minor, v_attempt.amount_minor)
       or p ->> 'currency' is distinct from coalesce(v_attempt.reported_currency, v_attempt.currency) then
      -- Only a part came back, or nobody says how much: the books wait for a person.
      v_outcome := 'partial_refund';
      update orders set review_reason = 'partial_refund', state = case when state in ('paid', 'delivering') then 'review' else state end
        where player_id = v_player and billing_no = v_billing;
    elsif book_refund(v_player, v_billing, v_attempt_no) then
      v_outcome := 'refunded';
    end if;

  elsif v_status = 'refund_failed' then
    v_outcome := 'refund_failed';
    update refund set state = 'manual', last_error = coalesce(p ->> 'reason', 'the provider could not refund')
      where player_id = v_player and billing_no = v_billing and attempt_no = v_attempt_no and state <> 'done';

  elsif v_status = 'chargeback' then
    v_outcome := 'chargeback';
    if v_attempt.state = 'succeeded' and v_order.refunded_at is null then
      insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency) values
        (v_player, v_billing, 'chargeback', v_attempt_no, 'chargeback_loss', v_attempt.amount_minor, v_attempt.currency),
        (v_player, v_billing, 'chargeback', v_attempt_no, 'provider_receivable', -v_attempt.amount_minor, v_attempt.currency)
        on conflict do nothing;
    end if;
    update orders set state = case when state in ('paid', 'delivering') then 'review' else state end, review_reason = 'chargeback'
      where player_id = v_player and billing_no = v_billing;
  end if;

  if p ->> 'dedup_key' is not null then
    update callback_inbox set state = case when v_outcome in ('noted', 'duplicate') then 'ignored' else 'applied' end, outcome = v_outcome,
        player_id = v_player, billing_no = v_billing, applied_at = now(), next_try_at = null
      where provider = v_provider and dedup_key = p ->> 'dedup_key';
  end if;
  if v_wake and (p ->> 'notify')::boolean then perform pg_notify('refill_delivery', v_order.game_id); end if;
  return jsonb_build_object('outcome', v_outcome, 'player_id', v_player, 'billing_no', v_billing, 'attempt_no', v_attempt_no, 'game_id', v_order.game_id);
end $$;


-- A person's decision to deliver after all: the same key goes to the game again. Outcomes: queued, wrong_state.
create function redeliver_order(p_player uuid, p_billing text) returns text language plpgsql as $$
begin
  perform 1 from orders where player_id = p_player and billing_no = p_billing and state in ('paid', 'delivering', 'review') for update;
  if not found then return 'wrong_state'; end if;
  if exists (select from refund where player_id = p_player and billing_no = p_billing
      and attempt_no = (select attempt_no from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded')) then
    return 'wrong_state';
  end if;
  update delivery set state = 'queued', next_at = now(), tries = 0, last_error = null
    where player_id = p_player and billing_no = p_billing and state in ('queued', 'unknown', 'rejected', 'dead');
  if not found then return 'wrong_state'; end if;
  update orders set state = 'delivering', delivering_at = coalesce(delivering_at, now()), review_reason = null
    where player_id = p_player and billing_no = p_billing and state = 'review';
  return 'queued';
end $$;

-- ---------- invariants: every view must be empty ----------
create view invariant_i1_ledger_balanced as
  select player_id, billing_no, kind, attempt_no, currency, sum(amount_minor) as off_by from ledger_entry
  group by 1, 2, 3, 4, 5 having sum(amount_minor) <> 0;

create view invariant_i2_delivered_paid_once as
  select o.player_id, o.billing_no from orders o where o.state = 'delivered' and (
    (select count(*) from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no and a.state = 'succeeded'
      and a.amount_minor = o.amount_minor and a.currency = o.currency) <> 1
    or not exists (select from delivery d where d.player_id = o.player_id and d.billing_no = o.billing_no and d.state = 'done')
    or (select count(*) from ledger_entry l where l.player_id = o.player_id and l.billing_no = o.billing_no and l.kind in ('paid', 'delivered')
      and abs(l.amount_minor) = o.amount_minor) <> 4);

create view invariant_i3_no_goods_unpaid as
  select d.player_id, d.billing_no from delivery d join orders o on o.player_id = d.player_id and o.billing_no = d.billing_no
  where d.state = 'done' and o.paid_at is null;

create view invariant_i6_reservations as
  select c.player_id, c.game_id, c.product_id, c.subject || ' ' || c.period as what, c.used, c.cap,
    (select count(*) from reservation r where r.player_id = c.player_id and r.kind = 'limit' and r.game_id = c.game_id and r.product_id = c.product_id
      and r.subject = c.subject and r.period = c.period and r.state <> 'released') as held
  from limit_counter c
  where c.used > c.cap or c.used <> (select count(*) from reservation r where r.player_id = c.player_id and r.kind = 'limit' and r.game_id = c.game_id
    and r.product_id = c.product_id and r.subject = c.subject and r.period = c.period and r.state <> 'released')
  union all
  select null, s.game_id, s.product_id, 'stock', s.used, s.total,
    (select count(*) from reservation r where r.kind = 'stock' and r.game_id = s.game_id and r.product_id = s.product_id and r.state <> 'released')
  from product_stock s
  where s.used > s.total or s.used <> (select count(*) from reservation r where r.kind = 'stock' and r.game_id = s.game_id and r.product_id = s.product_id and r.state <> 'released');

create view invariant_i8_nothing_forgotten as
  select o.player_id, o.billing_no, o.state from orders o where
    (o.state in ('paid', 'delivering') and not exists (select from delivery d where d.player_id = o.player_id and d.billing_no = o.billing_no and d.state in ('queued', 'calling', 'unknown', 'done')))
    or (o.state = 'refund_due' and not exists (select from refund r where r.player_id = o.player_id and r.billing_no = o.billing_no))
    or (o.state in ('created', 'pending') and o.expires_at < now() - interval '8 days');

create view invariant_i9_no_endless_doubt as
  select a.player_id, a.billing_no, a.attempt_no from payment_attempt a join orders o on o.player_id = a.player_id and o.billing_no = a.billing_no
  where a.state = 'unknown' and a.created_at < now() - interval '24 hours' and o.state in ('created', 'pending') and a.next_query_at is null;

create view invariant_i11_applied_once as
  select provider, billing_no, count(*) as times from callback_inbox where outcome in ('paid', 'late_paid') group by provider, billing_no, player_id having count(*) > 1;

create view invariant_i13_reservation_follows_order as
  select r.player_id, r.billing_no, r.kind, r.state, o.state as order_state from reservation r join orders o on o.player_id = r.player_id and o.billing_no = r.billing_no
  where (r.state = 'held' and o.state in ('failed', 'expired', 'cancelled')) or (r.state = 'released' and o.state in ('created', 'pending', 'paid', 'delivering', 'delivered'))
    or (r.state = 'used' and o.delivered_at is null);

create view invariant_breach as
  select 'I1' as invariant, count(*) as breaches, min(billing_no) as example from invariant_i1_ledger_balanced
  union all select 'I2', count(*), min(billing_no) from invariant_i2_delivered_paid_once
  union all select 'I3', count(*), min(billing_no) from invariant_i3_no_goods_unpaid
  union all select 'I6', count(*), min(product_id) from invariant_i6_reservations
  union all select 'I8', count(*), min(billing_no) from invariant_i8_nothing_forgotten
  union all select 'I9', count(*), min(billing_no) from invariant_i9_no_endless_doubt
  union all select 'I11', count(*), min(billing_no) from invariant_i11_applied_once
  union all select 'I13', count(*), min(billing_no) from invariant_i13_reservation_follows_order;
