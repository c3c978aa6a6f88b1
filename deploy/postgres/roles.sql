-- Three accounts, none of them a superuser: refill_owner owns the tables and migrates (`refill apply`, `refill restore`),
-- refill_app runs the shop (`refill serve` and the commands of support) and cannot change the schema, refill_read only
-- reads (`refill plan` of a CI job, `refill report`). It reads players' data too: keep its password as a backup.
-- Run as a superuser in the empty database of the shop, again whenever you like:
--   createdb refill && psql -d refill -f deploy/postgres/roles.sql
-- then give each a password that you use: \password refill_owner, \password refill_app, \password refill_read.

do $$
declare
  v_role text;
begin
  foreach v_role in array array['refill_owner', 'refill_app', 'refill_read'] loop
    if not exists (select from pg_roles where rolname = v_role) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noreplication', v_role);
    end if;
    execute format('grant connect, temporary on database %I to %I', current_database(), v_role);
  end loop;
  execute format('revoke all on database %I from public', current_database());
end $$;

alter schema public owner to refill_owner;
revoke all on schema public from public;
grant usage on schema public to refill_app, refill_read;

-- Grants apply to objects that the owner makes from now on, and to those that exist already.
alter default privileges for role refill_owner in schema public grant select, insert, update, delete on tables to refill_app;
alter default privileges for role refill_owner in schema public grant usage, select on sequences to refill_app;
alter default privileges for role refill_owner in schema public grant execute on functions to refill_app;
alter default privileges for role refill_owner in schema public grant select on tables to refill_read;
-- A function has the rights of its caller, so one that writes fails.
alter default privileges for role refill_owner in schema public grant execute on functions to refill_read;
alter default privileges for role refill_owner revoke execute on functions from public;
grant select, insert, update, delete on all tables in schema public to refill_app;
grant usage, select on all sequences in schema public to refill_app;
grant execute on all functions in schema public to refill_app, refill_read;
grant select on all tables in schema public to refill_read;

alter role refill_read set default_transaction_read_only = on;
-- These two run with the rights of the owner. They are there after the first `refill apply`: run this file again then.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select oid from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
  loop
    execute format('revoke execute on function %s from refill_read', v_function);
  end loop;
end $$;

-- As the shop asks for when it connects; a pooler in between swallows that.
alter role refill_app set statement_timeout = '10s';
alter role refill_app set idle_in_transaction_session_timeout = '15s';
-- Names without a schema are those of public, whatever the database has been set to.
alter role refill_owner set search_path = public;
alter role refill_app set search_path = public;
alter role refill_read set search_path = public;
-- Statements of the money path may not read whole tables; before PostgreSQL 18 that makes a small table without an index
-- look so dear that each call would be compiled to machine code first.
alter role refill_owner set jit = off;
alter role refill_app set jit = off;
alter role refill_read set jit = off;

-- Statements go by keys: a tenth of the usual sample is enough to plan them, and autovacuum makes statistics of the
-- busiest tables in a tenth of the time, for which orders would wait.
do $$
begin
  execute format('alter database %I set default_statistics_target = 10', current_database());
end $$;
