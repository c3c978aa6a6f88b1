-- Makes the ledger of points say what is left of a delivered order after a part of its price went back. The caller
-- holds the order and has noted in it how much went back; an order that is not delivered yet has no entry, and its
-- delivery credits only what is left. p_kind: refunded or chargeback.
create or replace function settle_points(p_player_id uuid, p_billing_no text, p_kind text) returns void
  language plpgsql as $$
begin
  if num_nulls(p_player_id, p_billing_no, p_kind) > 0 then
    raise exception 'settle_points: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  insert into points_entry (player_id, billing_no, kind, entry_no, points)
    select o.player_id, o.billing_no, p_kind, e.entries + 1,
      points_kept(o.points, o.amount_minor, o.refunded_minor) - e.credited
    from orders o cross join lateral (
      select count(*)::integer as entries, coalesce(sum(x.points), 0)::bigint as credited from points_entry x
        where x.player_id = o.player_id and x.billing_no = o.billing_no) e
    where o.player_id = p_player_id and o.billing_no = p_billing_no and o.points > 0 and o.delivered_at is not null
      and points_kept(o.points, o.amount_minor, o.refunded_minor) <> e.credited;
end $$;
