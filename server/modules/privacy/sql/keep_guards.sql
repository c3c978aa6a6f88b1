-- Keeps what the accounts of a player have used up, before the person is erased: limits and first-purchase bonuses,
-- promo codes, offers and rewards; that there was a first purchase; of a minor the age and what the last month cost;
-- a pause that still runs.
create or replace function keep_guards(p_player_id uuid) returns void language plpgsql as $$
begin
  insert into account_guard as g (account_hash, game_id, product_id, subject_hash, period, used)
  select a.hash, u.game_id, u.product_id, u.subject_hash, u.period, u.used
  from (
    select distinct guard_account_hash(i.brand_key, i.provider, i.subject) as hash from player_identity i
    where i.player_id = p_player_id
  ) a
  cross join (
    select game_id, product_id, subject_hash, period, sum(used)::bigint as used from (
      select game_id, product_id, guard_hash(subject) as subject_hash, period, used from limit_counter
        where player_id = p_player_id and used > 0
      union all
      select '', subject, guard_hash('code'), 'ever', 1 from reservation
        where player_id = p_player_id and kind = 'code' and state <> 'released'
      union all
      select '', substring(code from '^offer:(.*):[0-9]+$'), guard_hash('offer'), 'ever', 1 from coupon
        where player_id = p_player_id and starts_with(code, 'offer:') and state = 'taken'
      union all
      select '', issue_key, guard_hash('reward'), 'ever', 1 from reward
        where player_id = p_player_id and state <> 'rejected'
      union all
      select '', '', guard_hash('purchase'), 'ever', 1 where exists (
        select from orders where player_id = p_player_id and delivered_at is not null
        union all select from archived_buyer where player_id = p_player_id)
      union all
      select '', '', guard_hash('age'), 'ever', birth_year * 12 + birth_month - 1 from age_declaration
        where player_id = p_player_id and birth_year > extract(year from now()) - 21
      union all
      select '', o.currency, guard_hash('spent'), (o.created_at at time zone 'UTC')::date::text,
        o.amount_minor - coalesce(o.refunded_minor, 0) from orders o
        where o.player_id = p_player_id and o.created_at > now() - interval '32 days'
          and o.state <> all ('{failed,expired,cancelled,refund_due,refunded}'::text[])
          and exists (select from age_declaration d where d.player_id = p_player_id
            and d.birth_year > extract(year from now()) - 21)
      union all
      select '', '', guard_hash('pause'), 'ever', extract(epoch from paused_until)::bigint from spending_pause
        where player_id = p_player_id and paused_until > now()
      union all
      select game_id, product_id, subject_hash, period, used from carried_use where player_id = p_player_id
    ) each group by 1, 2, 3, 4
  ) u
  on conflict (account_hash, game_id, product_id, subject_hash, period)
    do update set used = greatest(g.used, excluded.used), erased_at = now();
end $$;
