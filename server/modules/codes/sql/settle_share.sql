-- Makes the ledger of a creator say what is left of their share of a delivered order after a part of its price went
-- back: a share falls as points do (points_kept). The caller holds the order. p_kind: refunded or chargeback.
create or replace function settle_share(p_player_id uuid, p_billing_no text, p_kind text) returns void
  language plpgsql as $$
begin
  if num_nulls(p_player_id, p_billing_no, p_kind) > 0 then
    raise exception 'settle_share: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  insert into creator_entry (player_id, billing_no, kind, entry_no, brand_key, creator, amount_minor, currency)
    select o.player_id, o.billing_no, p_kind, e.entries + 1, o.brand_key, o.creator,
      points_kept(o.share_minor, o.amount_minor, o.refunded_minor) - e.booked, o.currency
    from orders o cross join lateral (
      select count(*)::integer as entries, coalesce(sum(x.amount_minor), 0)::bigint as booked from creator_entry x
        where x.player_id = o.player_id and x.billing_no = o.billing_no) e
    where o.player_id = p_player_id and o.billing_no = p_billing_no and o.share_minor > 0
      and o.delivered_at is not null
      and points_kept(o.share_minor, o.amount_minor, o.refunded_minor) <> e.booked;
end $$;
