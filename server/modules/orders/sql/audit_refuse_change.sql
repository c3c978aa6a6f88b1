-- The audit is append-only, but for one thing: where a person is erased, what names them becomes our own id
-- (erase_audit).
create or replace function audit_refuse_change() returns trigger language plpgsql as $$
declare
  v_erases text := current_setting('refill.erases', true);
  v_player player;
begin
  if tg_op = 'UPDATE' and v_erases <> '' then
    -- By itself: on a spread database it is asked of the player's node, where no row of the audit is known.
    select * into v_player from player where player_id = v_erases::uuid;
    if (to_jsonb(new) - 'details') = (to_jsonb(old) - 'details')
      and new.details = audit_without(old.details, v_player) then
      return new;
    end if;
  end if;
  raise exception 'the ledger is append-only';
end $$;

do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'audit_entry'::regclass and tgname = 'audit_append_only'
    and tgfoid = 'audit_refuse_change'::regproc) then
    drop trigger if exists audit_append_only on audit_entry;
    create trigger audit_append_only before update or delete on audit_entry
      for each row execute function audit_refuse_change();
  end if;
end $$;
