-- Minor units of a payment that its bank took back, by the books (book_chargeback). The caller holds the attempt.
create or replace function charged_back(p_player_id uuid, p_billing_no text, p_attempt_no integer) returns bigint
  language plpgsql stable as $$
begin
  return (select coalesce(-sum(amount_minor), 0) from ledger_entry
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and account = 'provider_receivable' and kind = 'chargeback');
end $$;
