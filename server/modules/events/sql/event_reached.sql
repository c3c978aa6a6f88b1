-- Returns true when a step of an event is reached. p_basis is that of event_days with kind and what the step needs: of
-- cumulative {total: minor units by currency}, any one of which is enough; of continuous {days, least: minor units by
-- currency, empty for anything}, so many days in a row; daily asks for no order, receive_daily has looked at the day.
-- Without a need nothing is reached.
create or replace function event_reached(
  p_player_id uuid, p_brand_key text, p_game_id text, p_basis jsonb, p_delivered_by timestamptz
) returns boolean language sql stable as $$
  select case p_basis ->> 'kind'
    when 'cumulative' then exists (
      select from event_days(p_player_id, p_brand_key, p_game_id, p_basis, p_delivered_by) d
      group by d.currency having sum(d.amount_minor) >= (p_basis -> 'total' ->> d.currency)::bigint)
    when 'continuous' then coalesce((
      select max(r.length) >= (p_basis ->> 'days')::integer from (
        select count(*) as length from (
          -- Days of one run are as far from their number as its first day.
          select q.day - (row_number() over (order by q.day))::integer as run from (
            select distinct d.day from event_days(p_player_id, p_brand_key, p_game_id, p_basis, p_delivered_by) d
            where p_basis -> 'least' = '{}' or d.amount_minor >= (p_basis -> 'least' ->> d.currency)::bigint
          ) q
        ) n group by n.run
      ) r), false)
    when 'daily' then p_basis ? 'day' and p_basis ? 'streak'
    else false end
$$;
