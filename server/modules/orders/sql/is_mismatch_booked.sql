-- A payment that differed stands in the books already: the provider repeats itself. Only looked for where the
-- attempt says so.
create or replace function is_mismatch_booked(p_attempt payment_attempt) returns boolean language plpgsql stable as $$
begin
  return p_attempt.state = 'mismatch' and exists (select from ledger_entry e
    where e.player_id = p_attempt.player_id and e.billing_no = p_attempt.billing_no
      and e.attempt_no = p_attempt.attempt_no and e.kind = 'overpayment');
end $$;
