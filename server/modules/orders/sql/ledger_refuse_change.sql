create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

create or replace trigger ledger_append_only before update or delete on ledger_entry
  for each row execute function ledger_refuse_change();
create or replace trigger ledger_never_emptied before truncate on ledger_entry
  for each statement execute function ledger_refuse_change();
create or replace trigger audit_append_only before update or delete on audit_entry
  for each row execute function ledger_refuse_change();
create or replace trigger wallet_txn_append_only before update or delete on wallet_txn
  for each row execute function ledger_refuse_change();
create or replace trigger wallet_entry_append_only before update or delete on wallet_entry
  for each row execute function ledger_refuse_change();
create or replace trigger wallet_txn_never_emptied before truncate on wallet_txn
  for each statement execute function ledger_refuse_change();
create or replace trigger wallet_entry_never_emptied before truncate on wallet_entry
  for each statement execute function ledger_refuse_change();
