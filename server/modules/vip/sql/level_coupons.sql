-- The coupons of levels as they stand for one player now. p_coupons: a list of {id, type, need_points, days}; `days` is
-- how long a permanent one is good after it was claimed. The code is the id and the period: the key of the coupon's
-- row, so that nobody can have it twice.
create or replace function level_coupons(p_player_id uuid, p_time_zone text, p_coupons jsonb) returns table (
  id text, code text, state text, valid_from timestamptz, valid_end timestamptz
) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query select l.id, l.code, case
      when c.state = 'void' or (c.state = 'free' and l.need_points > p.points) then 'locked'
      when c.code is not null then 'claimed'
      when l.need_points > p.points then 'locked'
      else 'claimable' end,
    coalesce(c.valid_from, l.begins_at, now()), coalesce(c.valid_end, l.ends_at, now() + make_interval(days => l.days))
  from (select player_points(p_player_id) as points offset 0) p
    cross join (select x.*, t.begins_at, t.ends_at, concat_ws('.', x.id, nullif(t.period_key, '')) as code
      from jsonb_to_recordset(p_coupons) as x(id text, type text, need_points bigint, days integer)
        cross join lateral level_period(x.type, p_time_zone, now()) t) l
    left join coupon c on c.player_id = p_player_id and c.code = l.code;
end $$;
