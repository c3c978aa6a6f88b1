-- ---------- invariants ----------
create or replace view invariant_i5_used_once as
  select c.player_id, c.billing_no, c.code as what, c.state, count(r.billing_no) as orders
  from coupon c left join reservation r on r.player_id = c.player_id and r.kind = 'coupon' and r.subject = c.code
    and r.state <> 'released'
  group by c.player_id, c.code
  having count(r.billing_no) <> case when c.state = 'taken' then 1 else 0 end or (c.state = 'taken'
    and min(r.billing_no) <> c.billing_no)
  union all
  select g.player_id, g.billing_no, g.card_id, g.state, count(a.billing_no)
  from gift_card g left join (
    select a.*, exists (select from ledger_entry l where l.player_id = a.player_id and l.billing_no = a.billing_no
      and l.attempt_no = a.attempt_no
      and l.kind in ('refunded', 'chargeback')) as is_refunded
    from payment_attempt a where a.provider = 'card' and a.state = 'succeeded'
  ) a on a.capture_ref = g.card_id and (not a.is_refunded or (g.rest_minor > 0 and g.billing_no = a.billing_no))
  where g.billing_no is null or g.billing_no >= (select archived_until())
  group by g.card_id
  having count(a.billing_no) <> case when g.state = 'spent' then 1 else 0 end or (g.state = 'spent'
    and min(a.billing_no) <> g.billing_no)
  union all
  select a.player_id, a.billing_no, a.capture_ref, a.state, 1 from payment_attempt a
  where a.provider = 'card' and a.state = 'succeeded' and not exists (select from gift_card g
    where g.card_id = a.capture_ref);
comment on view invariant_i5_used_once is
  'Every coupon and every prepaid card is held or used by one order at most, and that order knows it.';
