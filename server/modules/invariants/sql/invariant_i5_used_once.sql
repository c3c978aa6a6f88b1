-- ---------- invariants ----------
create or replace view invariant_i5_used_once as
  select c.player_id, c.billing_no, c.code as what, c.state, count(r.billing_no) as orders
  from coupon c left join reservation r
    on r.player_id = c.player_id and r.kind = 'coupon' and r.subject = c.code and r.state <> 'released'
  group by c.player_id, c.code, c.billing_no, c.state
  having count(r.billing_no) <> case when c.state = 'taken' then 1 else 0 end
    or (c.state = 'taken' and min(r.billing_no) <> c.billing_no)
  union all
  -- A card and the payment that spent it name each other: of two payments by one card it can name one.
  select g.player_id, g.billing_no, g.card_id, g.state, card_payments(g.player_id, g.billing_no, g.card_id, true)
  from gift_card g
  where g.state = 'spent' and g.billing_no >= (select coalesce(max(to_no), '') from archived_month)
    -- Whose rest went into the balance stays spent; another one is good again.
    and card_payments(g.player_id, g.billing_no, g.card_id, g.rest_minor > 0) <> 1
  union all
  select a.player_id, a.billing_no, a.capture_ref, a.state, 1 from payment_attempt a
    left join gift_card g on g.card_id = a.capture_ref
  where a.provider = 'card' and a.state = 'succeeded' and (g.card_id is null or not (
    (g.state = 'spent' and g.player_id = a.player_id and g.billing_no = a.billing_no)
    or exists (select from ledger_entry l where l.player_id = a.player_id and l.billing_no = a.billing_no
      and l.attempt_no = a.attempt_no and l.kind in ('refunded', 'chargeback'))));
comment on view invariant_i5_used_once is
  'Every coupon and every prepaid card is held or used by one order at most, and that order knows it.';
