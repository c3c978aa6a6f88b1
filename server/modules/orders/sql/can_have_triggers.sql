-- Returns true when a table may have triggers here: not on a table that is spread over the nodes of a cluster (decision
-- 64). What a trigger refuses is refused there by the functions that write the table, and by the rights of the account.
create or replace function can_have_triggers(p_table regclass) returns boolean language plpgsql stable as $$
declare
  v_is_spread boolean;
begin
  if to_regclass('pg_dist_partition') is null then return true; end if;
  execute 'select exists (select from pg_dist_partition where logicalrelid = $1 '
    'and (partmethod <> ''n'' or repmodel = ''t''))' into v_is_spread using p_table;
  return not v_is_spread;
end $$;
