-- Takes a payment into the books that its provider confirms and a restored database knows no order of. A person has
-- said whose it is and what for; p_facts is shaped as recovery_facts. It is booked as paid, and its goods go out as
-- ever. Outcomes: paid; known (the order is here: the usual acts are for it).
create or replace function adopt_payment(p_player_id uuid, p_billing_no text, p_facts jsonb) returns text
  language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_paid jsonb := p_facts -> 'attempt';
  v_attempt_no integer := (v_paid ->> 'attempt_no')::integer;
  v_outcome text;
begin
  if num_nulls(p_player_id, p_billing_no, p_facts) > 0 then
    raise exception 'adopt_payment: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('adopt_payment, facts', p_facts, array['brand_key', 'game_id', 'client_id', 'product_id',
    'server_id', 'area_id', 'role_id', 'suid', 'product', 'amount_minor', 'discount_minor', 'currency', 'region',
    'country', 'language', 'created_at', 'attempt']);
  perform require_keys('adopt_payment, attempt', v_paid,
    array['attempt_no', 'provider', 'channel_key', 'channel_name', 'channel_id', 'method']);
  perform 1 from player where player_id = p_player_id for no key update;
  if exists (select from order_lookup where billing_no = p_billing_no) then return 'known'; end if;
  perform adopt_order_row(p_player_id, p_billing_no, p_facts);
  perform insert_attempt(p_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', v_paid ->> 'channel_key',
    v_paid -> 'channel_name', v_paid ->> 'channel_id', v_paid ->> 'method', (p_facts ->> 'amount_minor')::bigint,
    p_facts ->> 'currency', interval '0');
  v_outcome := apply_report(p_player_id, p_billing_no, v_attempt_no, v_paid ->> 'provider', 'paid', true,
    v_paid ->> 'provider_ref', v_paid ->> 'capture_ref', (p_facts ->> 'amount_minor')::bigint,
    p_facts ->> 'currency', null, null, null, null, true) ->> 'outcome';
  if v_outcome <> 'paid' then
    raise exception 'adopt_payment: the payment came to %', v_outcome using errcode = 'raise_exception';
  end if;
  if v_paid ->> 'provider_ref' is not null then
    insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
      values (v_paid ->> 'provider', v_paid ->> 'provider_ref', p_player_id, p_billing_no, v_attempt_no)
      on conflict do nothing;
  end if;
  update orders set adopted_at = now() where player_id = p_player_id and billing_no = p_billing_no;
  return v_outcome;
end $$;
