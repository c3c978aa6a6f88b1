create or replace view invariant_i14_returned_once as
  select player_id, billing_no, attempt_no, currency, sum(amount_minor) as left_over from ledger_entry
  where account = 'provider_receivable'
  group by 1, 2, 3, 4 having sum(amount_minor) < 0;
comment on view invariant_i14_returned_once is 'No payment gave back more than it had brought.';
