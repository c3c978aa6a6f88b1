-- Prepaid cards of the publisher, and orders that are paid in place: by means that lie in this very database, so that what is spent and the
-- order that it pays are one transaction, and no provider is asked.
-- Lock order: misses of cards -> player limit -> stock -> coupon -> card -> delivery -> order -> attempt, refund, ledger.

create table gift_card_batch (
  batch_id     text primary key,
  brand_key    text,                        -- null: every brand of the shop
  mode         text not null check (mode in ('sandbox', 'live')),
  channel      text not null check (channel in ('card', 'card43')), -- the channel that takes it
  game_id      text,                        -- null: every game of the brand
  product_id   text,                        -- what the card is confirmed for; null: it only pays
  face_minor   bigint not null check (face_minor > 0),
  currency     text not null,
  gems_number  integer not null default 0 check (gems_number >= 0),
  extra_gems   integer not null default 0 check (extra_gems >= 0),
  valid_from   timestamptz not null default now(),
  valid_to     timestamptz not null,
  issued_by    text not null,
  created_at   timestamptz not null default now(),
  check (valid_from < valid_to),
  check (product_id is null or game_id is not null)
);

create table gift_card (
  card_id       text primary key,           -- in clear: what support is told
  batch_id      text not null,
  password_hmac bytea not null,             -- HMAC-SHA256 under a key that is not in this database
  state         text not null default 'active' check (state in ('created', 'active', 'spent', 'void')),
  issued_to     uuid,                       -- the player whose account it opens at login
  valid_to      timestamptz,                -- longer than its batch: a card that came back from a refund
  player_id     uuid,                       -- who spent it, on which order
  billing_no    text,
  attempt_no    integer,
  spent_at      timestamptz,
  created_at    timestamptz not null default now(),
  check ((state = 'spent') = (billing_no is not null))
) with (fillfactor = 80);
create index gift_card_by_batch on gift_card (batch_id);
create index gift_card_by_order on gift_card (billing_no) where billing_no is not null;

-- Every try with a card, whatever came of it; the card by a keyed hash of what was typed, for that may be anything.
create table card_try (
  id        bigint generated always as identity primary key,
  at        timestamptz not null default now(),
  mode      text not null,
  brand_key text not null,
  player_id uuid,
  ip        text not null,
  card_key  text not null,
  card_id   text,                           -- only of cards that are there
  purpose   text not null check (purpose in ('check', 'pay', 'confirm', 'login')),
  outcome   text not null
);
create index card_try_by_card on card_try (card_id, at) where card_id is not null;
create index card_try_by_player on card_try (player_id, at);

-- Misses of an account, a card and an address within a quarter of an hour that begins with the first.
create table card_miss (
  subject text primary key,
  misses  integer not null,
  since   timestamptz not null default now()
) with (fillfactor = 50);
create index card_miss_by_age on card_miss (since);

insert into table_exception values
  ('gift_card_batch', 'a few rows of the operator'),
  ('gift_card', 'looked up by its number before anybody has spent it'),
  ('card_try', 'an audit over all cards and addresses'),
  ('card_miss', 'counts accounts, cards and addresses');

-- Looks at a card: its number, its password, whether it may be used here and now. `purpose` login: only who it was issued to.
-- Outcomes: ok (with what it is worth), refused (`reason` is for the log and the audit, never for whoever asks).
create function check_card(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_subjects text[];
  v_misses integer;
  v_found record;
  v_reason text;
begin
  v_subjects := array(select s from unnest(array['a:' || v_player, 'c:' || (p ->> 'card_key'), 'i:' || (p ->> 'ip')]) s where s is not null order by s);
  -- Taken and held to the end of the transaction, in one order: guesses that come at once are counted one after the other.
  with counted as (
    insert into card_miss as m (subject, misses) select s, 0 from unnest(v_subjects) s order by s
      on conflict (subject) do update set misses = case when m.since < now() - interval '15 minutes' then 0 else m.misses end,
        since = case when m.since < now() - interval '15 minutes' then now() else m.since end
      returning misses
  )
  select max(misses) into v_misses from counted;
  select c.card_id, c.state, c.issued_to, c.password_hmac = decode(p ->> 'password_hmac', 'hex') as is_right, b.batch_id, b.brand_key, b.mode, b.channel,
      b.game_id, b.product_id, b.face_minor, b.currency, b.gems_number, b.extra_gems, b.valid_from <= now() as is_begun,
      greatest(b.valid_to, c.valid_to) <= now() as is_ended, greatest(b.valid_to, c.valid_to) as valid_to
    into v_found from gift_card c join gift_card_batch b using (batch_id) where c.card_id = p ->> 'card_id';
  v_reason := case
    when v_misses >= 5 then 'frozen'
    when v_found.card_id is null then 'unknown'
    when not v_found.is_right then 'wrong'
    when v_found.mode <> p ->> 'mode' then 'other_mode'
    when v_found.brand_key <> p ->> 'brand_key' then 'other_brand'
    when v_found.state in ('void', 'created') then v_found.state
    when p ->> 'purpose' = 'login' then case when v_found.issued_to is null then 'not_issued' end
    when v_found.state <> 'active' then v_found.state
    when not v_found.is_begun then 'not_begun'
    when v_found.is_ended then 'expired'
    when v_found.game_id <> p ->> 'game_id' then 'other_game'
    when v_found.channel <> p ->> 'channel' then 'other_channel'
    when p ->> 'purpose' = 'confirm' and v_found.product_id is null then 'not_for_goods'
  end;
  insert into card_try (mode, brand_key, player_id, ip, card_key, card_id, purpose, outcome)
    values (p ->> 'mode', p ->> 'brand_key', v_player, p ->> 'ip', p ->> 'card_key', v_found.card_id, p ->> 'purpose', coalesce(v_reason, 'ok'));
  if v_reason is not null then
    if v_reason <> 'frozen' then
      update card_miss set misses = misses + 1 where subject = any(v_subjects);
      -- What nobody has counted for a day goes out a little at a time.
      delete from card_miss where subject in (select subject from card_miss where since < now() - interval '1 day' limit 10 for update skip locked);
    end if;
    return jsonb_build_object('outcome', 'refused', 'reason', v_reason);
  end if;
  return jsonb_build_object('outcome', 'ok', 'card_id', v_found.card_id, 'batch_id', v_found.batch_id, 'channel', v_found.channel, 'game_id', v_found.game_id,
    'product_id', v_found.product_id, 'face_minor', v_found.face_minor, 'face_currency', v_found.currency, 'gems_number', v_found.gems_number,
    'extra_gems', v_found.extra_gems, 'issued_to', v_found.issued_to, 'valid_to', v_found.valid_to);
end $$;

-- Takes what an order is paid with in place. Outcomes: taken, card_refused (somebody was faster), card_not_enough.
create function take_in_place(p jsonb, p_player uuid, p_billing text, p_attempt integer, p_amount bigint, p_currency text) returns text language plpgsql as $$
begin
  if (p ->> 'face_minor')::bigint <> p_amount or p ->> 'face_currency' <> p_currency then return 'card_not_enough'; end if;
  update gift_card set state = 'spent', player_id = p_player, billing_no = p_billing, attempt_no = p_attempt, spent_at = now()
    where card_id = p ->> 'card_id' and state = 'active';
  return case when found then 'taken' else 'card_refused' end;
end $$;

-- Before it is known that there is an order.
create function undo_in_place(p jsonb, p_billing text) returns void language plpgsql as $$
begin
  update gift_card set state = 'active', player_id = null, billing_no = null, attempt_no = null, spent_at = null
    where card_id = p ->> 'card_id' and billing_no = p_billing;
end $$;

-- The order stands, what pays it is taken: now it is paid, by the one function that books payments, and the answer is kept for its key.
create function pay_in_place(p jsonb, p_means jsonb, p_billing text, p_attempt integer, p_amount bigint) returns jsonb language plpgsql as $$
declare
  v_paid jsonb;
begin
  v_paid := apply_report(jsonb_build_object('provider', p ->> 'provider', 'mode', p ->> 'mode', 'status', 'paid', 'billing_no', p_billing, 'attempt_no', p_attempt,
    'capture_ref', p_means ->> 'card_id', 'amount_minor', p_amount, 'currency', p ->> 'currency', 'merchant_ok', true, 'notify', p -> 'notify'));
  -- Nobody else can have this order in hand; if somebody had, nothing of all this may stay.
  if v_paid ->> 'outcome' <> 'paid' then raise exception 'an order paid in place came out as %', v_paid ->> 'outcome'; end if;
  update idempotency set answer = jsonb_build_object('code', 'success', 'billing_no', p_billing, 'url', '')
    where player_id = (p ->> 'player_id')::uuid and key = p ->> 'idempotency_key';
  return jsonb_build_object('outcome', 'paid', 'billing_no', p_billing, 'attempt_no', p_attempt, 'amount_minor', p_amount);
end $$;

-- Money that goes back goes where it came from: the card is good again, for a month at least.
create function return_in_place(p_attempt payment_attempt) returns void language plpgsql as $$
begin
  if p_attempt.provider <> 'card' then return; end if;
  update gift_card set state = 'active', valid_to = greatest(valid_to, now() + interval '30 days'), player_id = null, billing_no = null, attempt_no = null, spent_at = null
    where card_id = p_attempt.capture_ref and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no;
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
end $$;

-- As before; an order that is paid in place is placed and paid at once. `is_alone`: it never joins an order that is open already.
create or replace function place_order(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_billing text := p ->> 'billing_no';
  v_key text := p ->> 'idempotency_key';
  v_limit jsonb := p -> 'limit';
  v_has_stock boolean := (p ->> 'has_stock')::boolean;
  v_period text;
  v_subject text;
  v_known idempotency;
  v_open orders;
  v_attempt payment_attempt;
  v_server_name text;
  v_role_name text;
  v_recent integer;
  v_open_count integer;
  v_made integer;
  v_code text := p -> 'coupon' ->> 'code';
  v_list bigint := (p ->> 'amount_minor')::bigint;
  v_amount bigint := v_list;
  v_in_place jsonb := nullif(p -> 'in_place', 'null');
  v_card jsonb;
  v_taken text;
begin
  if v_key is not null then
    insert into idempotency (player_id, key, fingerprint) values (v_player, v_key, p ->> 'fingerprint') on conflict do nothing;
    if not found then
      select * into v_known from idempotency where player_id = v_player and key = v_key for update;
      if v_known.fingerprint <> p ->> 'fingerprint' then return jsonb_build_object('outcome', 'key_reused'); end if;
      if v_known.answer is not null then return jsonb_build_object('outcome', 'replay', 'answer', v_known.answer); end if;
      -- The first call is running or died between placing and creating. Longer than any call may take: go on where it stopped.
      if v_known.created_at > now() - interval '20 seconds' then return jsonb_build_object('outcome', 'running'); end if;
      update idempotency set created_at = now() where player_id = v_player and key = v_key;
      select * into v_open from orders where player_id = v_player and billing_no = v_known.billing_no;
      select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_known.billing_no and attempt_no = v_known.attempt_no;
      if v_attempt.state = 'sent' then
        return jsonb_build_object('outcome', 'placed', 'billing_no', v_open.billing_no, 'attempt_no', v_attempt.attempt_no, 'amount_minor', v_attempt.amount_minor,
          'server_name', v_open.server_name, 'role_name', v_open.role_name);
      end if;
      return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
    end if;
  end if;

  -- The character, what is open and how much was ordered lately, in one look.
  select r.server_name, r.name,
      (select count(*) from orders o where o.player_id = v_player and o.state in ('created', 'pending')),
      (select count(*) from (select created_at from orders o where o.player_id = v_player order by o.billing_no desc limit (p ->> 'max_per_minute')::integer) o
        where o.created_at > now() - interval '1 minute')
    into v_server_name, v_role_name, v_open_count, v_recent
    from player_role r where r.player_id = v_player and r.client_id = p ->> 'client_id' and r.server_id = p ->> 'server_id'
      and r.area_id = p ->> 'area_id' and r.role_id = p ->> 'role_id' and r.seen_at > now() - interval '7 days';
  if not found then
    delete from idempotency where player_id = v_player and key = v_key;
    return jsonb_build_object('outcome', 'role_unknown');
  end if;

  if v_in_place ->> 'kind' = 'card' then
    v_card := check_card(v_in_place || jsonb_build_object('player_id', v_player, 'brand_key', p ->> 'brand_key', 'mode', p ->> 'mode', 'game_id', p ->> 'game_id'));
    if v_card ->> 'outcome' <> 'ok' then
      delete from idempotency where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'card_refused', 'reason', v_card ->> 'reason');
    end if;
    v_in_place := v_in_place || v_card;
  end if;

  for round in 1 .. 3 loop
    v_open := null;
    if v_open_count > 0 or round > 1 then
      -- What is paid in place takes its means first and the order then, as everywhere; others may take the order at once.
      if v_in_place is null then
        select * into v_open from orders where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
          and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and product_id = p ->> 'product_id' and state in ('created', 'pending') for update;
      else
        select * into v_open from orders where player_id = v_player and client_id = p ->> 'client_id' and server_id = p ->> 'server_id'
          and area_id = p ->> 'area_id' and role_id = p ->> 'role_id' and product_id = p ->> 'product_id' and state in ('created', 'pending');
      end if;
    end if;
    if v_open.billing_no is not null then
      select * into v_attempt from payment_attempt where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      if (v_attempt.channel_key = p ->> 'channel_key' and v_attempt.state in ('sent', 'redirected', 'unknown')) or v_open.amount_minor + v_open.discount_minor <> v_list or v_open.currency <> p ->> 'currency'
         or v_open.coupon_code is distinct from v_code or v_open.current_attempt >= 20 or (p ->> 'is_alone')::boolean then
        update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt,
          answer = jsonb_build_object('code', 'repeatOrder', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''))
          where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'repeat', 'billing_no', v_open.billing_no, 'url', coalesce(v_attempt.pay_url, ''));
      end if;
      if v_in_place is not null then
        v_taken := take_in_place(v_in_place, v_player, v_open.billing_no, v_open.current_attempt + 1, v_open.amount_minor, v_open.currency);
        if v_taken <> 'taken' then
          delete from idempotency where player_id = v_player and key = v_key;
          return jsonb_build_object('outcome', v_taken);
        end if;
        perform 1 from orders where player_id = v_player and billing_no = v_open.billing_no and state in ('created', 'pending')
          and current_attempt = v_open.current_attempt for update;
        if not found then
          perform undo_in_place(v_in_place, v_open.billing_no);
          continue;
        end if;
      end if;
      -- Another way to pay for the same order: a new attempt; the old one may still bring money and stays watched.
      update payment_attempt set is_replaced = true where player_id = v_player and billing_no = v_open.billing_no and attempt_no = v_open.current_attempt;
      update orders set current_attempt = current_attempt + 1, expires_at = greatest(expires_at, now() + (p ->> 'expires_in')::interval)
        where player_id = v_player and billing_no = v_open.billing_no returning * into v_open;
      perform insert_attempt(p || jsonb_build_object('amount_minor', v_open.amount_minor), v_player, v_open.billing_no, v_open.current_attempt);
      update idempotency set billing_no = v_open.billing_no, attempt_no = v_open.current_attempt where player_id = v_player and key = v_key;
      if v_in_place is not null then return pay_in_place(p, v_in_place, v_open.billing_no, v_open.current_attempt, v_open.amount_minor); end if;
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_open.billing_no, 'attempt_no', v_open.current_attempt, 'amount_minor', v_open.amount_minor,
        'server_name', v_open.server_name, 'role_name', v_open.role_name);
    end if;

    if v_recent >= (p ->> 'max_per_minute')::integer or v_open_count >= (p ->> 'max_open')::integer then
      delete from idempotency where player_id = v_player and key = v_key;
      return jsonb_build_object('outcome', 'too_many_orders');
    end if;

    if v_limit is not null and v_limit <> 'null' then
      v_period := limit_period((v_limit ->> 'days')::integer, p ->> 'time_zone', now());
      v_subject := v_limit ->> 'subject';
      insert into limit_counter as c (player_id, game_id, product_id, subject, period, used, cap)
        values (v_player, p ->> 'game_id', p ->> 'product_id', v_subject, v_period, 1, (v_limit ->> 'times')::integer)
        on conflict (player_id, game_id, product_id, subject, period) do update set used = c.used + 1, cap = greatest(excluded.cap, c.used)
        where c.used < excluded.cap;
      if not found then
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'limit_reached');
      end if;
    end if;
    if v_has_stock then
      update product_stock set used = used + 1 where game_id = p ->> 'game_id' and product_id = p ->> 'product_id' and used < total;
      if not found then
        perform undo_takes(p, v_period, false, null);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'sold_out');
      end if;
    end if;
    if v_code is not null then
      -- Everything that a coupon must be is in the condition; what is to pay is rounded here, once, half up.
      update coupon set state = 'taken', billing_no = v_billing, taken_at = now()
        where player_id = v_player and code = v_code and state = 'free' and brand_key = p ->> 'brand_key' and valid_from <= now() and now() < valid_end
          and (games = '{}' or p ->> 'game_id' = any(games)) and (products = '{}' or p ->> 'product_id' = any(products))
          and (min_spend = '{}' or (min_spend ->> (p ->> 'currency'))::bigint <= v_list)
          and round(v_list * discount_rate) >= greatest(1, (p -> 'coupon' ->> 'least_minor')::bigint)
        returning round(v_list * discount_rate)::bigint into v_amount;
      if not found then
        perform undo_takes(p, v_period, v_has_stock, null);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'coupon_refused');
      end if;
      if v_amount <> (p -> 'coupon' ->> 'seen_minor')::bigint then
        perform undo_takes(p, v_period, v_has_stock, v_code);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', 'price_changed');
      end if;
    end if;
    if v_in_place is not null then
      v_taken := take_in_place(v_in_place, v_player, v_billing, 1, v_amount, p ->> 'currency');
      if v_taken <> 'taken' then
        perform undo_takes(p, v_period, v_has_stock, v_code);
        delete from idempotency where player_id = v_player and key = v_key;
        return jsonb_build_object('outcome', v_taken);
      end if;
    end if;

    with made as (
      insert into orders (player_id, billing_no, brand_key, mode, game_id, client_id, product_id, server_id, server_name, area_id, role_id, role_name,
        suid, username, product, amount_minor, discount_minor, coupon_code, currency, region, country, language, state, expires_at)
        values (v_player, v_billing, p ->> 'brand_key', p ->> 'mode', p ->> 'game_id', p ->> 'client_id', p ->> 'product_id', p ->> 'server_id',
          v_server_name, p ->> 'area_id', p ->> 'role_id', v_role_name, p ->> 'suid', p ->> 'username', p -> 'product',
          v_amount, v_list - v_amount, v_code, p ->> 'currency', p ->> 'region', p ->> 'country', p ->> 'language', 'created', now() + (p ->> 'expires_in')::interval)
        on conflict (player_id, client_id, server_id, area_id, role_id, product_id) where state in ('created', 'pending') do nothing
        returning player_id, billing_no
    ), known as (
      insert into order_lookup (billing_no, player_id) select billing_no, player_id from made
    ), limited as (
      insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap)
        select player_id, billing_no, 'limit', p ->> 'game_id', p ->> 'product_id', v_subject, v_period, (v_limit ->> 'times')::integer
        from made where v_period is not null
    ), stocked as (
      insert into reservation (player_id, billing_no, kind, game_id, product_id)
        select player_id, billing_no, 'stock', p ->> 'game_id', p ->> 'product_id' from made where v_has_stock
    ), discounted as (
      insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
        select player_id, billing_no, 'coupon', p ->> 'game_id', p ->> 'product_id', v_code from made where v_code is not null
    ), sent as (
      insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name, channel_id, amount_minor, currency, state, payable_until, next_query_at)
        select player_id, billing_no, 1, p ->> 'provider', p ->> 'channel_key', p -> 'channel_name', p ->> 'channel_id', v_amount,
          p ->> 'currency', 'sent', now() + (p ->> 'payable_for')::interval, now() + interval '30 seconds' from made
    ), keyed as (
      update idempotency i set billing_no = made.billing_no, attempt_no = 1 from made where i.player_id = v_player and i.key = v_key
    )
    select count(*) into v_made from made;
    if v_made = 1 then
      if v_in_place is not null then return pay_in_place(p, v_in_place, v_billing, 1, v_amount); end if;
      return jsonb_build_object('outcome', 'placed', 'billing_no', v_billing, 'attempt_no', 1, 'amount_minor', v_amount, 'server_name', v_server_name, 'role_name', v_role_name);
    end if;
    -- A twin was faster: give back what this call took and answer with the winner.
    perform undo_takes(p, v_period, v_has_stock, v_code);
    if v_in_place is not null then perform undo_in_place(v_in_place, v_billing); end if;
  end loop;
  delete from idempotency where player_id = v_player and key = v_key;
  return jsonb_build_object('outcome', 'running');
end $$;

-- As before, and what was paid in place is given back in the same step.
create or replace function book_refund(p_player uuid, p_billing text, p_attempt integer) returns boolean language plpgsql as $$
declare
  v_order orders;
  v_attempt payment_attempt;
  v_amount bigint;
  v_currency text;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from delivery where player_id = p_player and billing_no = p_billing for update;
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  select * into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  -- A bank has it already; a provider that also says "refunded" (Xsolla's order_canceled) speaks of the same money.
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt and kind = 'chargeback') then
    return false;
  end if;
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
      -- Unless another payment of the order is here: then that one waits for its decision.
      update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing
        and state in ('review', 'refund_due') and not exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.state = 'succeeded');
      if found then perform release_reservations(p_player, p_billing); end if;
    end if;
  elsif v_attempt.state = 'succeeded' then
    insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
      select p_player, p_billing, 'refunded', p_attempt, side.account, side.minor, v_attempt.currency
      from (values (case when v_order.delivered_at is null then 'goods_owed' else 'revenue' end, v_attempt.amount_minor + v_order.discount_minor),
        ('provider_receivable', -v_attempt.amount_minor), ('promo', -v_order.discount_minor)) as side(account, minor) where side.minor <> 0
      on conflict do nothing;
    if not found then return false; end if;
    perform stop_delivery(p_player, p_billing, 'refunded');
    update orders set state = 'refunded', refunded_at = now(), closed_at = now() where player_id = p_player and billing_no = p_billing;
    if v_order.delivered_at is null then perform release_reservations(p_player, p_billing); end if;
  else
    return false;
  end if;
  perform return_in_place(v_attempt);
  update refund set state = 'done', done_at = now(), last_error = null where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt;
  return true;
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
    select a.* from payment_attempt a where a.provider = 'card' and a.state = 'succeeded' and not exists (select from ledger_entry l
      where l.player_id = a.player_id and l.billing_no = a.billing_no and l.attempt_no = a.attempt_no and l.kind = 'refunded')
  ) a on a.capture_ref = g.card_id
  group by g.card_id
  having count(a.billing_no) <> case when g.state = 'spent' then 1 else 0 end or (g.state = 'spent' and min(a.billing_no) <> g.billing_no)
  union all
  select a.player_id, a.billing_no, a.capture_ref, a.state, 1 from payment_attempt a
  where a.provider = 'card' and a.state = 'succeeded' and not exists (select from gift_card g where g.card_id = a.capture_ref);
comment on view invariant_i5_used_once is 'Every coupon and every prepaid card is held or used by one order at most, and that order knows it.';
