create or replace function wallet_check_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_minor) from wallet_entry where player_id = new.player_id and txn_id = new.txn_id) <> 0 then
    raise exception 'the entries of transaction % do not sum to zero', new.txn_id;
  end if;
  return null;
end $$;

-- Deferred: the sides of a transaction are written one after the other. Made only where it is absent: to make a trigger
-- anew waits for everybody who writes the table.
do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'wallet_entry'::regclass and tgname = 'wallet_balanced')
    and can_have_triggers('wallet_entry') then
    create constraint trigger wallet_balanced after insert on wallet_entry deferrable initially deferred
      for each row execute function wallet_check_balance();
  end if;
end $$;
