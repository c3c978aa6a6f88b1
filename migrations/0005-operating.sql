-- The operator's hand: calling off unpaid orders, deciding reviews, refunds that were paid by hand; what the invariants mean and when they
-- were last looked at. Lock order as everywhere: player limit -> stock -> order -> attempt, delivery, refund, ledger.

-- An operator looks for players by name, and for orders and bookings by time. BRIN costs next to nothing on rows that only ever come at the end.
create index player_by_name on player (lower(username));
create index player_by_suid on player (suid);
create index orders_by_time on orders using brin (created_at);
create index ledger_by_time on ledger_entry using brin (created_at);
create index callback_by_order on callback_inbox (billing_no) where billing_no is not null;
create index audit_by_order on audit_entry (billing_no) where billing_no is not null;

-- The last look at the invariants, one row: any worker may take its turn, every process may tell of it.
create table invariant_check (
  is_the_row boolean primary key default true check (is_the_row),
  taken_at   timestamptz not null default '-infinity', -- whoever moves this on does the check
  checked_at timestamptz,
  breaches   jsonb not null default '[]'
);
insert into invariant_check default values;
insert into table_exception values ('invariant_check', 'one row about the whole shop');

-- Calls off an unpaid order. `p_closed`: the attempts of which the provider has said that no money can come any more.
-- Outcomes: cancelled, wrong_state, still_payable (an attempt is open that is not among them).
create function cancel_order(p_player uuid, p_billing text, p_closed integer[]) returns text language plpgsql as $$
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from orders where player_id = p_player and billing_no = p_billing and state in ('created', 'pending') for update;
  if not found then return 'wrong_state'; end if;
  perform 1 from payment_attempt where player_id = p_player and billing_no = p_billing order by attempt_no for update;
  if exists (select from payment_attempt where player_id = p_player and billing_no = p_billing and state in ('sent', 'redirected', 'unknown')
      and attempt_no <> all (p_closed)) then
    return 'still_payable';
  end if;
  update payment_attempt set state = 'failed', next_query_at = null
    where player_id = p_player and billing_no = p_billing and state in ('sent', 'redirected', 'unknown');
  update orders set state = 'cancelled', closed_at = now() where player_id = p_player and billing_no = p_billing;
  perform release_reservations(p_player, p_billing);
  return 'cancelled';
end $$;

-- A person's decision to deliver: what stopped goes on with the same key; an order in review that never came so far gets its delivery now.
-- Outcomes: queued, wrong_state, refunding (money is on its way back), charged_back, not_paid, nothing_left (stock or limit are gone).
create function operator_deliver(p_player uuid, p_billing text) returns text language plpgsql as $$
declare
  v_order orders;
  v_attempt integer;
begin
  perform lock_reservations(p_player, p_billing);
  select * into v_order from orders where player_id = p_player and billing_no = p_billing for update;
  if v_order.state is null or v_order.state not in ('paid', 'delivering', 'review') then return 'wrong_state'; end if;
  select attempt_no into v_attempt from payment_attempt where player_id = p_player and billing_no = p_billing and state = 'succeeded';
  if v_attempt is null then return 'not_paid'; end if;
  if exists (select from refund where player_id = p_player and billing_no = p_billing and attempt_no = v_attempt) then return 'refunding'; end if;
  if exists (select from ledger_entry where player_id = p_player and billing_no = p_billing and attempt_no = v_attempt and kind = 'chargeback') then
    return 'charged_back';
  end if;
  if not exists (select from delivery where player_id = p_player and billing_no = p_billing) then
    if not reserve_again(p_player, p_billing) then return 'nothing_left'; end if;
    insert into delivery (player_id, billing_no, game_id, mode) values (p_player, p_billing, v_order.game_id, v_order.mode);
    update orders set state = 'delivering', delivering_at = coalesce(delivering_at, now()), review_reason = null, closed_at = null
      where player_id = p_player and billing_no = p_billing;
  elsif redeliver_order(p_player, p_billing) <> 'queued' then
    return 'wrong_state';
  end if;
  perform pg_notify('refill_delivery', v_order.game_id);
  return 'queued';
end $$;

-- Asks for a refund in the name of a person. Outcomes: due, exists, nothing_to_refund, delivering_now (the game is being called: wait for it).
create function operator_refund(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_asked text;
begin
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  if exists (select from delivery d join payment_attempt a on a.player_id = d.player_id and a.billing_no = d.billing_no and a.attempt_no = p_attempt
      where d.player_id = p_player and d.billing_no = p_billing and d.state = 'calling' and d.next_at > now() and a.state = 'succeeded') then
    return 'delivering_now';
  end if;
  v_asked := request_refund(p_player, p_billing, p_attempt, p_reason, p_by);
  -- Undelivered and stopped for good: the order says so, and is not taken for a forgotten one.
  if v_asked = 'due' then
    update delivery set state = 'rejected', last_error = 'refund requested' where player_id = p_player and billing_no = p_billing and state = 'calling'
      and exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded');
    update orders o set state = 'refund_due' where o.player_id = p_player and o.billing_no = p_billing and o.state in ('paid', 'delivering')
      and exists (select from payment_attempt a where a.player_id = p_player and a.billing_no = p_billing and a.attempt_no = p_attempt and a.state = 'succeeded');
  end if;
  return v_asked;
end $$;

-- The money went back by a person's own hand: booked, and no machine asks for it any more.
-- Outcomes: done, was_done, nothing_to_refund, refunding_now (a worker is asking the provider), delivering_now.
create function operator_refund_done(p_player uuid, p_billing text, p_attempt integer, p_reason text, p_by text) returns text language plpgsql as $$
declare
  v_refund refund;
  v_asked text;
begin
  perform lock_reservations(p_player, p_billing);
  perform 1 from orders where player_id = p_player and billing_no = p_billing for update;
  perform 1 from payment_attempt where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  select * into v_refund from refund where player_id = p_player and billing_no = p_billing and attempt_no = p_attempt for update;
  if v_refund.state = 'done' then return 'was_done'; end if;
  if v_refund.state = 'calling' and v_refund.next_at > now() then return 'refunding_now'; end if;
  if v_refund.state is null then
    v_asked := operator_refund(p_player, p_billing, p_attempt, p_reason, p_by);
    if v_asked <> 'due' then return v_asked; end if;
  end if;
  if not book_refund(p_player, p_billing, p_attempt) then return 'nothing_to_refund'; end if;
  return 'done';
end $$;

comment on view invariant_i1_ledger_balanced is 'Every booking sums to zero in its currency.';
comment on view invariant_i2_delivered_paid_once is 'Every delivered order has exactly one equal payment, one finished delivery and both bookings.';
comment on view invariant_i3_no_goods_unpaid is 'No goods were delivered for an order that was never paid.';
comment on view invariant_i6_reservations is 'Limits and stock are never exceeded, and count exactly the reservations that stand.';
comment on view invariant_i8_nothing_forgotten is 'No order that is not finished is without somebody working on it.';
comment on view invariant_i9_no_endless_doubt is 'No payment is in doubt for a day without a question to come.';
comment on view invariant_i11_applied_once is 'No callback moved an order to paid twice.';
comment on view invariant_i13_reservation_follows_order is 'Closed orders hold nothing back, open ones hold what they need, and only goods that went out used it up.';
