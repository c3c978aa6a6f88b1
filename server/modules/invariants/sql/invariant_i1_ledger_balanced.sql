-- ---------- invariants: every view must be empty ----------
create or replace view invariant_i1_ledger_balanced as
  select player_id, billing_no, kind, attempt_no, currency, sum(amount_minor) as off_by from ledger_entry
  group by 1, 2, 3, 4, 5 having sum(amount_minor) <> 0;
comment on view invariant_i1_ledger_balanced is 'Every booking sums to zero in its currency.';
