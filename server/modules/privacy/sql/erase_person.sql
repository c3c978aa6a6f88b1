-- Erases a person, in one transaction: what is not books goes, and the books stay without them (decision 60).
-- p_plan: what becomes of each table, see erase_rows. p_actor: who does it, for the audit, which names no person.
-- Answers {outcome}: erased with rows {table: count}; refused with refusals [{reason, billing_no}]; erased_before
-- with erased_at; no_player.
create or replace function erase_person(p_player_id uuid, p_plan jsonb, p_gives_up_balance boolean, p_actor text)
  returns jsonb language plpgsql as $$
declare
  v_now constant timestamptz := now();
  v_erased_at timestamptz;
  v_refusals jsonb;
  v_orders text[];
  v_sessions bytea[];
  v_accounts bytea[];
  v_salt bytea := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
  v_entry jsonb;
  v_rows jsonb := '{}';
begin
  if num_nulls(p_player_id, p_plan, p_gives_up_balance, p_actor) > 0 then
    raise exception 'erase_person: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if jsonb_typeof(p_plan) <> 'array' or jsonb_array_length(p_plan) = 0 then
    raise exception 'erase_person: there is no plan' using errcode = 'invalid_parameter_value';
  end if;
  -- No order is placed and nothing is credited while this lock is held.
  select erased_at into v_erased_at from player where player_id = p_player_id for update;
  if not found then return jsonb_build_object('outcome', 'no_player'); end if;
  if v_erased_at is not null then
    return jsonb_build_object('outcome', 'erased_before', 'erased_at', v_erased_at);
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'billing_no', r.billing_no)), '[]') into v_refusals
    from erasure_refusals(p_player_id, p_gives_up_balance) r;
  if v_refusals <> '[]' then return jsonb_build_object('outcome', 'refused', 'refusals', v_refusals); end if;

  perform keep_guards(p_player_id);
  perform leave_account(p_player_id);
  if p_gives_up_balance then perform forfeit_balance(p_player_id, p_actor); end if;
  v_orders := array(select billing_no from orders where player_id = p_player_id);
  v_sessions := array(select token_hash from session where player_id = p_player_id);
  -- As server/platform/limits/login-limits.ts names an account: by brand and login name.
  v_accounts := array(
    select sha256(convert_to(i.brand_key || '/' || i.subject, 'UTF8')) from player_identity i
      where i.player_id = p_player_id
    union
    select sha256(convert_to(p.brand_key || '/' || lower(p.username), 'UTF8')) from player p
      where p.player_id = p_player_id);
  perform erase_subjects(p_player_id, v_salt);
  perform erase_audit(p_player_id);
  for v_entry in select * from jsonb_array_elements(p_plan) loop
    v_rows := v_rows || jsonb_build_object(v_entry ->> 'table',
      erase_rows(v_entry, p_player_id, v_orders, v_sessions, v_accounts, v_salt));
  end loop;
  update player set erased_at = v_now, disabled_at = coalesce(disabled_at, v_now) where player_id = p_player_id;
  update erasure set state = 'done', ended_at = v_now, refusals = '[]'
    where player_id = p_player_id and state = 'waiting';
  insert into audit_entry (actor, act, details)
    values (p_actor, 'person-erase', jsonb_build_object('player', p_player_id));
  return jsonb_build_object('outcome', 'erased', 'rows', v_rows);
end $$;
