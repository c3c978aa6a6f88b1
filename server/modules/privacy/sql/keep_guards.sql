-- Keeps what the accounts of a player have used up, before the person is erased: limits, first-purchase bonuses,
-- offers, rewards and promo codes; that there was a first purchase; of a minor the age; the caps that the player had
-- set and a pause that still runs; with an age or a cap what the last month cost. What is counted by a game account is
-- kept there (leave_account). Read and written by statements of their own: on a spread database the one is where the
-- player is, the other on the coordinator (decision 64).
create or replace function keep_guards(p_player_id uuid) returns void language plpgsql as $$
declare
  v_used jsonb;
  v_brand_key text;
  v_suid text;
  v_cap constant text := guard_hash('cap');
begin
  select jsonb_agg(jsonb_build_object('game_id', game_id, 'product_id', product_id, 'subject', subject,
    'subject_hash', subject_hash, 'period', period, 'used', used)) into v_used
  from (
    select game_id, product_id, subject, null as subject_hash, period, used from limit_counter
      where account_id = p_player_id and used > 0
    union all
    select '', subject, 'code', null, 'ever', 1 from reservation
      where player_id = p_player_id and kind = 'code' and state <> 'released'
    union all
    select '', '', 'purchase', null, 'ever', 1 where exists (
      select from orders where player_id = p_player_id and delivered_at is not null
      union all select from archived_buyer where player_id = p_player_id)
    union all
    select '', '', 'age', null, 'ever', birth_year * 12 + birth_month - 1 from age_declaration
      where player_id = p_player_id and birth_year > extract(year from now()) - 21
    union all
    select '', o.currency, 'spent', null, (o.created_at at time zone 'UTC')::date::text,
      o.amount_minor - coalesce(o.refunded_minor, 0) from orders o
      where o.player_id = p_player_id and o.created_at > now() - interval '32 days'
        and o.state <> all ('{failed,expired,cancelled,refund_due,refunded}'::text[])
        and (exists (select from age_declaration d where d.player_id = p_player_id
            and d.birth_year > extract(year from now()) - 21)
          or exists (select from spending_cap c where c.player_id = p_player_id))
    union all
    -- A higher cap that was still to come is asked for again.
    select '', c.currency, 'cap', null, c.period, c.cap_minor from (
      select currency, period, case when next_at <= now() then next_cap_minor else cap_minor end as cap_minor
      from spending_cap where player_id = p_player_id) c
    where c.cap_minor is not null
    union all
    select '', '', 'pause', null, 'ever', extract(epoch from paused_until)::bigint from spending_pause
      where player_id = p_player_id and paused_until > now()
    union all
    select game_id, product_id, null, subject_hash, period, used from carried_use where account_id = p_player_id
  ) each;
  select brand_key, suid into v_brand_key, v_suid from player where player_id = p_player_id;
  -- A link that was set aside or taken away counts: its identity comes back as the same user of the game.
  insert into account_guard as g (account_hash, game_id, product_id, subject_hash, period, used)
  select a.hash, u.game_id, u.product_id, u.subject_hash, u.period, u.used
  from (
    select guard_account_hash(i.brand_key, regexp_replace(i.provider, '~gone$', ''), i.subject) as hash
      from player_identity i where i.player_id = p_player_id
    union
    select guard_account_hash(v_brand_key, split_part(v_suid, '-', 1), substr(v_suid, strpos(v_suid, '-') + 1))
      where v_suid like '%-%' and not exists (select from player_identity i where i.player_id = p_player_id
        and i.provider = any ('{builtin,builtin~beta,game,game~beta}'::text[]))
  ) a
  cross join (
    select x.game_id, x.product_id, coalesce(x.subject_hash, guard_hash(x.subject)) as subject_hash, x.period,
      sum(x.used)::bigint as used
    from jsonb_to_recordset(v_used)
      as x(game_id text, product_id text, subject text, subject_hash text, period text, used bigint)
    group by 1, 2, 3, 4
  ) u
  on conflict (account_hash, game_id, product_id, subject_hash, period)
    -- Of two caps the lower one.
    do update set used = case when excluded.subject_hash = v_cap then least(g.used, excluded.used)
        else greatest(g.used, excluded.used) end, erased_at = now();
end $$;
