-- Books only grow. A finished month goes as a whole, by its partition (`refill archive`).
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

do $$
declare
  r record;
begin
  for r in
    select * from (values
      ('ledger_entry', 'ledger_append_only', 'update or delete', 'row'),
      ('ledger_entry', 'ledger_never_emptied', 'truncate', 'statement'),
      ('points_entry', 'points_entry_append_only', 'update or delete', 'row'),
      ('points_entry', 'points_entry_never_emptied', 'truncate', 'statement'),
      ('wallet_txn', 'wallet_txn_append_only', 'update or delete', 'row'),
      ('wallet_txn', 'wallet_txn_never_emptied', 'truncate', 'statement'),
      ('wallet_entry', 'wallet_entry_append_only', 'update or delete', 'row'),
      ('wallet_entry', 'wallet_entry_never_emptied', 'truncate', 'statement')
    ) as wanted(tab, name, events, level)
    where not exists (select from pg_trigger where tgrelid = tab::regclass and tgname = wanted.name)
      and can_have_triggers(tab::regclass)
  loop
    execute format('create trigger %I before %s on %I for each %s execute function ledger_refuse_change()',
      r.name, r.events, r.tab, r.level);
  end loop;
end $$;
