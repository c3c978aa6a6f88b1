-- Carries out one entry of the plan that server/modules/privacy/erasing/erase-plan.ts makes of the table of personal
-- data: {table, ways: [{by, column}], deletes} or {table, ways, sets: {column: empty | pseudonym}}. Answers the rows it
-- changed. p_keys: the player's id, order numbers, hashes of sessions and of login names.
create or replace function erase_rows(
  p_entry jsonb, p_player_id uuid, p_orders text[], p_sessions bytea[], p_accounts bytea[], p_salt bytea
) returns bigint language plpgsql as $$
declare
  v_where text;
  v_set text;
  v_is_known boolean;
  v_count bigint;
begin
  select string_agg(format(w.pattern, w.column), ' or '), bool_and(w.pattern is not null) into v_where, v_is_known
  from (select case x.by when 'player' then '%I = $1' when 'order' then '%I = any ($2)'
      when 'session' then '%I = any ($3)' when 'account' then '%I = any ($4)' end as pattern, x.column
    from jsonb_to_recordset(p_entry -> 'ways') as x(by text, "column" text)) w;
  -- A way that is not known would reach too many rows, or too few.
  if v_is_known is not true then
    raise exception 'erase_rows: no way to the rows of %', p_entry ->> 'table'
      using errcode = 'invalid_parameter_value';
  end if;
  if (p_entry ->> 'deletes')::boolean then
    execute format('delete from %I where %s', p_entry ->> 'table', v_where)
      using p_player_id, p_orders, p_sessions, p_accounts;
  else
    select string_agg(case
        when s.how = 'pseudonym' then format('%1$I = pseudonym_of($5, %1$I)', s.col)
        when s.how = 'empty' and not a.attnotnull then format('%I = null', s.col)
        when s.how = 'empty' and a.atttypid = 'jsonb'::regtype then format('%I = ''{}''', s.col)
        when s.how = 'empty' and a.atttypid = 'text'::regtype then format('%I = ''''', s.col) end, ', '),
      bool_and(a.attname is not null and s.how in ('empty', 'pseudonym')) into v_set, v_is_known
    from jsonb_each_text(p_entry -> 'sets') as s(col, how)
      left join pg_attribute a on a.attrelid = to_regclass(quote_ident(p_entry ->> 'table')) and a.attname = s.col;
    if v_is_known is not true then
      raise exception 'erase_rows: a column of % is not known', p_entry ->> 'table'
        using errcode = 'invalid_parameter_value';
    end if;
    execute format('update %I set %s where %s', p_entry ->> 'table', v_set, v_where)
      using p_player_id, p_orders, p_sessions, p_accounts, p_salt;
  end if;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
