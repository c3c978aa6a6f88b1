-- Keeps what the accounts of a player have used up, before the person is erased: limits and first-purchase bonuses,
-- promo codes, offers and rewards; that there was a first purchase; of a minor the age and what the last month cost;
-- a pause that still runs.
-- Read and written by statements of their own: on a spread database the one is where the player is, the other on the
-- coordinator (decision 64).
create or replace function keep_guards(p_player_id uuid) returns void language plpgsql as $$
declare
  v_used jsonb;
  v_brand_key text;
  v_suid text;
begin
  select jsonb_agg(jsonb_build_object('game_id', game_id, 'product_id', product_id, 'subject', subject,
    'subject_hash', subject_hash, 'period', period, 'used', used)) into v_used
  from (
    select game_id, product_id, subject, null as subject_hash, period, used from limit_counter
      where player_id = p_player_id and used > 0
    union all
    select '', subject, 'code', null, 'ever', 1 from reservation
      where player_id = p_player_id and kind = 'code' and state <> 'released'
    union all
    select '', substring(code from '^offer:(.*):[0-9]+$'), 'offer', null, 'ever', 1 from coupon
      where player_id = p_player_id and starts_with(code, 'offer:') and state = 'taken'
    union all
    select '', issue_key, 'reward', null, 'ever', 1 from reward
      where player_id = p_player_id and state <> 'rejected'
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
        and exists (select from age_declaration d where d.player_id = p_player_id
          and d.birth_year > extract(year from now()) - 21)
    union all
    select '', '', 'pause', null, 'ever', extract(epoch from paused_until)::bigint from spending_pause
      where player_id = p_player_id and paused_until > now()
    union all
    select game_id, product_id, null, subject_hash, period, used from carried_use where player_id = p_player_id
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
    do update set used = greatest(g.used, excluded.used), erased_at = now();
end $$;
