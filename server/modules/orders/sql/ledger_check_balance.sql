create or replace function ledger_check_balance() returns trigger language plpgsql as $$
begin
  if exists (select from added
      group by player_id, billing_no, kind, attempt_no, currency having sum(amount_minor) <> 0) then
    raise exception 'a booking does not sum to zero';
  end if;
  return null;
end $$;

-- Every booking is inserted by one statement, so one look at its end is enough. It names the table of all partitions,
-- as every statement of ours does.
do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'ledger_entry'::regclass and tgname = 'ledger_balanced')
    and can_have_triggers('ledger_entry') then
    create trigger ledger_balanced after insert on ledger_entry
      referencing new table as added for each statement execute function ledger_check_balance();
  end if;
end $$;
