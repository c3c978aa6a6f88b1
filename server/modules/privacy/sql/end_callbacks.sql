-- Ends callbacks that the brand of their order keeps no longer, at most p_limit; answers how many. One that still waits
-- for its order, or for a person, stays.
-- Looked through in pieces, for the days of one brand may be more than those of another; which brand it is, the
-- player's order says.
create or replace function end_callbacks(p_days jsonb, p_limit integer) returns integer language plpgsql as $$
declare
  r record;
  v_before timestamptz := over_before(p_days);
  v_from timestamptz := '-infinity';
  v_provider text := '';
  v_key text := '';
  v_brand_key text;
  v_looked integer;
  v_count integer := 0;
begin
  loop
    v_looked := 0;
    for r in select provider, dedup_key, player_id, billing_no, received_at from callback_inbox
      where received_at < v_before and (received_at, provider, dedup_key) > (v_from, v_provider, v_key)
        and state in ('applied', 'ignored')
      order by received_at, provider, dedup_key limit 1000
    loop
      v_looked := v_looked + 1;
      v_from := r.received_at;
      v_provider := r.provider;
      v_key := r.dedup_key;
      v_brand_key := null;
      if r.player_id is not null then
        select brand_key into v_brand_key from orders where player_id = r.player_id and billing_no = r.billing_no;
      end if;
      continue when (r.received_at < now() - make_interval(days => kept_days(p_days, v_brand_key))) is not true;
      perform 1 from callback_inbox where provider = r.provider and dedup_key = r.dedup_key for update skip locked;
      continue when not found;
      delete from callback_inbox where provider = r.provider and dedup_key = r.dedup_key;
      v_count := v_count + 1;
      if v_count >= p_limit then return v_count; end if;
    end loop;
    if v_looked < 1000 then return v_count; end if;
  end loop;
end $$;
