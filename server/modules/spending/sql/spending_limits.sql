-- Every cap on what a player may spend around p_at, and how much of it is used: the one of their age, and their own.
-- What is counted is the price of orders over all games of the brand, also unpaid ones; what failed, expired, was
-- cancelled or goes back is not. p_except: an order that is measured itself.
-- p_rules: see payer_refusal. Its age_caps: currency, time_zone, tiers [{under, cap_minor}] from the youngest.
-- kind: age, day, week, month.
create or replace function spending_limits(
  p_player_id uuid, p_rules jsonb, p_currency text, p_at timestamptz, p_except text
) returns table (kind text, cap_minor bigint, used_minor bigint, ends_at timestamptz) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_spent text := guard_hash('spent');
begin
  return query with age as (
    select p_rules -> 'age_caps' ->> 'time_zone' as zone, p_rules -> 'age_caps' ->> 'currency' as currency, tier
    from age_declaration d
    cross join lateral (
      select t.tier from jsonb_array_elements(p_rules -> 'age_caps' -> 'tiers') with ordinality t (tier, place)
      where age_in_month(d.birth_year, d.birth_month, p_at at time zone (p_rules -> 'age_caps' ->> 'time_zone'))
        < (t.tier ->> 'under')::integer
      order by t.place limit 1
    ) first_tier
    where d.player_id = p_player_id and jsonb_typeof(p_rules -> 'age_caps') = 'object'
  ), caps as (
    -- Money that the cap does not know is not let through beside it.
    select 'age' as kind, 'month' as period, zone,
      case when currency = p_currency then (tier ->> 'cap_minor')::bigint else 0 end as cap_minor
    from age
    union all
    select c.period, c.period, p_rules ->> 'time_zone',
      case when c.next_at <= now() then c.next_cap_minor else c.cap_minor end
    from spending_cap c where c.player_id = p_player_id and c.currency = p_currency
  ), spans as (
    select kind, cap_minor, start_of_day(date_trunc(period, p_at at time zone zone)::date, zone) as starts_at,
      start_of_day((date_trunc(period, p_at at time zone zone) + ('1 ' || period)::interval)::date, zone) as ends_at
    from caps where cap_minor is not null
  )
  select s.kind, s.cap_minor, coalesce((
      select sum(o.amount_minor - coalesce(o.refunded_minor, 0)) from orders o
      where o.player_id = p_player_id and o.currency = p_currency and o.billing_no is distinct from p_except
        and o.created_at >= s.starts_at and o.created_at < s.ends_at
        -- Of the partitions of these months alone: a number is as old as its order, but for the clocks.
        and o.billing_no >= billing_no_at(s.starts_at - interval '1 day')
        and o.state <> all ('{failed,expired,cancelled,refund_due,refunded}'::text[])
    ), 0)::bigint + (
      -- The account's spending from before its person was erased counts on, by days of UTC. A day that lies in the
      -- time of a player's own cap in part counts whole.
      select coalesce(sum(u.used), 0)::bigint from carried_use u
      where u.account_id = p_player_id and u.product_id = p_currency and u.subject_hash = v_spent
        and u.period::date < s.ends_at and case when s.kind = 'age' then u.period::date >= s.starts_at
          else u.period::date + 1 > s.starts_at end), s.ends_at
  from spans s;
end $$;
