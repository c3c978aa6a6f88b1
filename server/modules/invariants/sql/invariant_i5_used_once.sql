-- ---------- invariants ----------
create or replace view invariant_i5_used_once as
  select c.player_id, c.billing_no, c.code as what, c.state, count(r.billing_no) as orders
  from coupon c left join reservation r on r.player_id = c.player_id and r.kind = 'coupon' and r.subject = c.code
    and r.state <> 'released'
  group by c.player_id, c.code
  having count(r.billing_no) <> case when c.state = 'taken' then 1 else 0 end or (c.state = 'taken'
    and min(r.billing_no) <> c.billing_no)
  union all
  -- A card and the payment that spent it name each other: of two payments by one card it can name one.
  select g.player_id, g.billing_no, g.card_id, g.state, (select count(*) from payment_attempt a
      where a.player_id = g.player_id and a.billing_no = g.billing_no and a.capture_ref = g.card_id)
  from gift_card g
  where g.state = 'spent' and g.billing_no >= (select archived_until()) and (select count(*) from payment_attempt a
    where a.player_id = g.player_id and a.billing_no = g.billing_no and a.capture_ref = g.card_id
      and a.provider = 'card' and a.state = 'succeeded'
      -- Whose rest went into the balance stays spent; another one is good again.
      and (g.rest_minor > 0 or not exists (select from ledger_entry l where l.player_id = a.player_id
        and l.billing_no = a.billing_no and l.attempt_no = a.attempt_no and l.kind in ('refunded', 'chargeback')))) <> 1
  union all
  select a.player_id, a.billing_no, a.capture_ref, a.state, 1 from payment_attempt a
  where a.provider = 'card' and a.state = 'succeeded' and (select count(*) from gift_card g
    where g.card_id = a.capture_ref and ((g.state = 'spent' and g.player_id = a.player_id
      and g.billing_no = a.billing_no) or (select count(*) from ledger_entry l where l.player_id = a.player_id
        and l.billing_no = a.billing_no and l.attempt_no = a.attempt_no and l.kind in ('refunded', 'chargeback')) > 0)
    ) = 0;
comment on view invariant_i5_used_once is
  'Every coupon and every prepaid card is held or used by one order at most, and that order knows it.';
