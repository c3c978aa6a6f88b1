-- Sums the payments of a player's account (account_players) that count for an event, by day of the zone and currency.
-- p_basis is {from, until, time_zone, regions, brands (empty: all; missing: none but the player's)}: an order belongs
-- to the moment when it was paid. It counts once its goods are in the game, and as far as its money is here.
-- p_delivered_by: what counted at that moment at the most, whatever went back since; null: what counts now. No plan may
-- read the rows of all players: both tables are looked up by the player.
create or replace function event_days(
  p_player_id uuid, p_brand_key text, p_game_id text, p_basis jsonb, p_delivered_by timestamptz
) returns table (day date, currency text, amount_minor bigint) language plpgsql stable
  set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_players constant uuid[] := account_players(p_player_id);
begin
  return query select (o.paid_at at time zone (p_basis ->> 'time_zone'))::date, o.currency,
    sum(o.amount_minor - case when p_delivered_by is null then coalesce(o.refunded_minor, 0) else 0 end)::bigint
  from orders o
  where o.player_id = any (v_players) and o.game_id = p_game_id
    and (o.brand_key = p_brand_key or (o.player_id <> p_player_id
      and (p_basis -> 'brands' = '[]' or p_basis -> 'brands' ? o.brand_key)))
    -- An order that makes up for a chargeback is no top-up.
    and o.replenish_id is null
    and o.paid_at >= (p_basis ->> 'from')::timestamptz and o.paid_at < (p_basis ->> 'until')::timestamptz
    and (jsonb_array_length(p_basis -> 'regions') = 0 or p_basis -> 'regions' ? o.region)
    and case when p_delivered_by is null then o.state = 'delivered' and not exists (
        select from ledger_entry l where l.player_id = o.player_id and l.billing_no = o.billing_no
          and l.kind = 'chargeback' and l.account = 'chargeback_loss')
      -- An order that a recovery took in was delivered in a time of which its payment is all that is known.
      else case when o.adopted_at is null then o.delivered_at else o.paid_at end <= p_delivered_by end
  group by 1, 2;
end $$;
